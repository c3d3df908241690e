package fetch

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func TestCheckURL_refused(t *testing.T) {
	t.Parallel()
	for raw, kind := range map[string]Kind{
		"http://127.0.0.1/":             Blocked,
		"http://127.0.0.1.:8080/":       Blocked,
		"http://2130706433/":            Blocked,
		"http://0177.0.0.1/":            Blocked,
		"http://0x7f.1/":                Blocked,
		"http://127.1/":                 Blocked,
		"http://0/":                     Blocked,
		"http://１２７.0.0.1/":             Blocked,
		"http://10.1.2.3/":              Blocked,
		"http://172.16.0.1/":            Blocked,
		"http://192.168.1.1/":           Blocked,
		"http://100.64.0.1/":            Blocked,
		"http://169.254.169.254/":       Blocked,
		"http://224.0.0.1/":             Blocked,
		"http://255.255.255.255/":       Blocked,
		"http://[::1]/":                 Blocked,
		"http://[::]/":                  Blocked,
		"http://[::ffff:127.0.0.1]/":    Blocked,
		"http://[::ffff:a9fe:a9fe]/":    Blocked,
		"http://[64:ff9b::7f00:1]/":     Blocked,
		"http://[2002:7f00:1::]/":       Blocked,
		"http://[fe80::1%25eth0]/":      Blocked,
		"http://[fd00::1]/":             Blocked,
		"http://[ff02::1]/":             Blocked,
		"http://localhost:9000/":        Blocked,
		"http://LOCALHOST./":            Blocked,
		"http://a.b.localhost/":         Blocked,
		"http://user:pass@example.com/": BadURL,
		"http://user@example.com/":      BadURL,
		"http://example.com:99999/":     BadURL,
		"http://example.com:0/":         BadURL,
		"http:///path":                  BadURL,
		"http://":                       BadURL,
		"example.com/path":              BadURL,
		"":                              BadURL,
		"http://exa mple.com/":          BadURL,
		"http://[::1/":                  BadURL,
		"file:///etc/passwd":            Scheme,
		"ftp://example.com/":            Scheme,
		"gopher://example.com/":         Scheme,
		"javascript:alert(1)":           Scheme,
		"data:text/plain,x":             Scheme,
	} {
		_, err := New(Config{}).CheckURL(raw)
		if err == nil {
			t.Errorf("%s was accepted", raw)
			continue
		}
		if got := err.(*Error).Kind; got != kind {
			t.Errorf("%s: %s, want %s", raw, got, kind)
		}
	}
}

func TestCheckURL_accepted(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		" https://example.com/a?b=c#d ": "https://example.com/a?b=c#d",
		"HTTP://Example.com:8443/":      "http://Example.com:8443/",
		"http://134744072/":             "http://8.8.8.8/",
		"http://[2606:4700::1111]:80/":  "http://[2606:4700::1111]:80/",
		"https://bücher.example/":       "https://b%C3%BCcher.example/",
		"http://1.2.3.4.example/":       "http://1.2.3.4.example/",
	} {
		u, err := New(Config{}).CheckURL(raw)
		if err != nil || u.String() != want {
			t.Errorf("%s: %v, %v", raw, u, err)
		}
	}
	for _, raw := range []string{"http://localhost/", "http://127.0.0.1/", "http://2130706433/"} {
		if _, err := client(Config{}).CheckURL(raw); err != nil {
			t.Errorf("%s is allowed: %v", raw, err)
		}
	}
}

// TestGet_rebinding checks that a name that resolves to a private address fails when dialed, even
// if it looks public.
func TestGet_rebinding(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	base := startServer(t, func(http.ResponseWriter, *http.Request) { reached.Store(true) })
	_, port, _ := net.SplitHostPort(base[len("http://"):])
	c := New(Config{})
	c.dialer.Resolver = newResolver(t, map[string][4]byte{"rebind.example.": {127, 0, 0, 1}})
	_, err := c.Get(t.Context(), "http://rebind.example:"+port+"/")
	wantKind(t, err, Blocked)
	if reached.Load() {
		t.Error("the private server was reached")
	}
	_, err = c.Get(t.Context(), "http://missing.example/")
	if failure := wantKind(t, err, DNS); !failure.Retryable() {
		t.Error("a failed name may be tried again")
	}
}

// newResolver answers A queries from the table over real DNS, and all others with NXDOMAIN.
func newResolver(t *testing.T, table map[string][4]byte) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer := dnsReply(buf[:n], table); answer != nil {
				server.WriteTo(answer, from)
			}
		}
	}()
	dialer := net.Dialer{}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func dnsReply(query []byte, table map[string][4]byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response, m.Additionals = true, nil
	q := m.Questions[0]
	addr, known := table[q.Name.String()]
	if !known {
		m.RCode = dnsmessage.RCodeNameError
	}
	if known && q.Type == dnsmessage.TypeA {
		head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1}
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: addr}}}
	}
	out, _ := m.Pack()
	return out
}
