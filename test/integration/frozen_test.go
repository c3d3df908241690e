package integration

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/test/kit"
	"rostrum/test/kit/poll"
	"rostrum/test/kit/proxy"
)

// credentialRequests returns requests with a key, with a session and with a password, by their
// names.
func credentialRequests(t *testing.T, a *kit.App, secret string) map[string]func() *kit.Response {
	t.Helper()
	createOwner(t, a, "ines@example.org")
	browser := newSignedIn(t, a, "ines@example.org")
	header := http.Header{"X-Api-Key": {secret}}
	return map[string]func() *kit.Response{
		"a key over REST":        func() *kit.Response { return a.Do(t, "GET", "/api/v1/workspace", header, "") },
		"a key over GraphQL":     func() *kit.Response { return a.Do(t, "POST", graphPath, header, whoami) },
		"a session over REST":    func() *kit.Response { return browser.Do(t, "GET", "/api/v1/auth/keys", "") },
		"a session over GraphQL": func() *kit.Response { return browser.Do(t, "POST", graphPath, whoami) },
		"a sign-in": func() *kit.Response {
			return a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", password))
		},
	}
}

// TestFrozenDatabase sends a key that is not cached, a session, and a password while the database
// keeps its connections and answers nothing.
func TestFrozenDatabase(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
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
		server, err := proxy.New(address.Host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		address.Host = server.Address()
		peer := startPeer(t, a, func(o *kit.App) {
			o.Config.Database, o.Config.QueryTime = address.String(), 2*time.Second
		})
		requests := credentialRequests(t, peer, made.Secret)
		server.Freeze()
		var all sync.WaitGroup
		for name, request := range requests {
			all.Go(func() {
				got := request() // ends at the limit of credentials, before that of the request
				if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" ||
					!strings.Contains(string(got.Body), "the credentials could not be checked") {
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
		server.Thaw()
		<-answered
	})
}

// TestFrozenRedis asks whether a gateway is ready while Redis keeps its connections and answers
// nothing. It answers from what it knows, within the time of a load balancer's probe.
func TestFrozenRedis(t *testing.T) {
	kit.EachShared(t, func(t *testing.T, a *kit.App) {
		address, err := url.Parse(a.Config.Redis)
		if err != nil {
			t.Fatal(err)
		}
		server, err := proxy.New(address.Host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		address.Host = server.Address()
		peer := startPeer(t, a, func(o *kit.App) { o.Config.Redis = address.String() })
		server.Freeze()
		defer server.Thaw()
		poll.Until(t, func() bool {
			answer := peer.Do(t, "GET", "/readyz", nil, "").Want(t, http.StatusOK)
			return strings.Contains(string(answer.Body), "redis does not answer")
		}, "the gateway knows that Redis is frozen")
	})
}
