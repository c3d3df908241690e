package integration

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/testkit"
	"rostrum/testkit/poll"
)

// freezableProxy forwards connections to a server until it is frozen; then it transmits nothing and closes nothing.
type freezableProxy struct {
	listener net.Listener
	target   string
	frozen   sync.RWMutex // write-locked while frozen
}

func newFreezableProxy(t *testing.T, target string) *freezableProxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	p := &freezableProxy{listener: listener, target: target}
	go p.acceptAll()
	return p
}

func (p *freezableProxy) acceptAll() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		go func() {
			far, err := net.Dial("tcp", p.target)
			if err != nil {
				near.Close()
				return
			}
			go p.transmit(near, far)
			p.transmit(far, near)
		}()
	}
}

func (p *freezableProxy) transmit(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.frozen.RLock()
		if n > 0 {
			_, _ = to.Write(buffer[:n])
		}
		p.frozen.RUnlock()
		if err != nil {
			if err != io.EOF {
				from.Close()
			}
			return
		}
	}
}

// credentialRequests returns requests with a key, with a session and with a password, by their names.
func credentialRequests(t *testing.T, a *testkit.App, secret string) map[string]func() *testkit.Response {
	t.Helper()
	createOwner(t, a, "ines@example.org")
	browser := newSignedIn(t, a, "ines@example.org")
	header := http.Header{"X-Api-Key": {secret}}
	return map[string]func() *testkit.Response{
		"a key over REST":        func() *testkit.Response { return a.Do(t, "GET", "/api/v1/workspace", header, "") },
		"a key over GraphQL":     func() *testkit.Response { return a.Do(t, "POST", graphPath, header, whoami) },
		"a session over REST":    func() *testkit.Response { return browser.Do(t, "GET", "/api/v1/auth/keys", "") },
		"a session over GraphQL": func() *testkit.Response { return browser.Do(t, "POST", graphPath, whoami) },
		"a sign-in": func() *testkit.Response {
			return a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", password))
		},
	}
}

// TestFrozenDatabase sends a key that is not cached, a session, and a password while the database keeps its connections and answers nothing.
func TestFrozenDatabase(t *testing.T) {
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		if a.Config.Database == "" {
			t.Skip("a file does not freeze")
		}
		var made struct{ Secret string }
		if err := json.Unmarshal(a.Do(t, "POST", "/api/v1/auth/keys", nil, `{"name":"n"}`).Body, &made); err != nil {
			t.Fatal(err)
		}
		address, err := url.Parse(a.Config.Database)
		if err != nil {
			t.Fatal(err)
		}
		if address.Port() == "" {
			address.Host = net.JoinHostPort(address.Hostname(), "5432")
		}
		proxy := newFreezableProxy(t, address.Host)
		address.Host = proxy.listener.Addr().String()
		peer := startPeer(t, a, func(o *testkit.App) { o.Config.Database, o.Config.QueryTime = address.String(), 2*time.Second })
		requests := credentialRequests(t, peer, made.Secret)
		proxy.frozen.Lock()
		var all sync.WaitGroup
		for name, request := range requests {
			all.Go(func() {
				got := request() // ends at the limit of credentials, before that of the request
				if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || !strings.Contains(string(got.Body), "the credentials could not be checked") {
					t.Errorf("%s: %d %s %v", name, got.Status, got.Body, got.Header)
				}
			})
		}
		answered := make(chan struct{})
		go func() { defer close(answered); all.Wait() }()
		select {
		case <-answered:
		case <-time.After(poll.Patience):
			t.Errorf("requests wait for longer than %s for the database", poll.Patience)
		}
		proxy.frozen.Unlock()
		<-answered
	})
}
