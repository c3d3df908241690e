package integration

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"rostrum/testkit"
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

// TestFrozenDatabase sends a key that is not cached while the database keeps its connections and answers nothing.
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
		proxy.frozen.Lock()
		defer proxy.frozen.Unlock()
		header := http.Header{"X-Api-Key": {made.Secret}}
		var both sync.WaitGroup
		for path, body := range map[string]string{"/api/v1/workspace": "", "/graphql": `{"query":"{ workspace { id } }"}`} {
			both.Go(func() {
				method := http.MethodGet
				if body != "" {
					method = http.MethodPost
				}
				got := peer.Do(t, method, path, header, body)
				if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
					t.Errorf("%s: %d %s %v", path, got.Status, got.Body, got.Header)
				}
			})
		}
		both.Wait()
	})
}
