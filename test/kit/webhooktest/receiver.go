// Package webhooktest is a server for tests that receives webhooks.
package webhooktest

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rostrum/test/kit/poll"
)

// Receiver is a local https server that webhooks post to. A path that begins with a status, such as
// /500/x, is answered with it, others with 200.
type Receiver struct {
	*httptest.Server
	mu    sync.Mutex
	posts []Post
}

// Post is a request that a receiver got.
type Post struct {
	Path   string
	Header http.Header
	Body   []byte
}

// NewReceiver starts a receiver until the end of the test. An app that is given Authority trusts
// its certificate.
func NewReceiver(t testing.TB) *Receiver {
	t.Helper()
	r := &Receiver{}
	r.Server = httptest.NewTLSServer(http.HandlerFunc(r.receive))
	t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	return r
}

func (r *Receiver) receive(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	r.posts = append(r.posts, Post{request.URL.Path, request.Header, body})
	r.mu.Unlock()
	first, _, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, "/"), "/")
	if status, err := strconv.Atoi(first); err == nil {
		w.Header().Set("Location", "/followed")
		w.WriteHeader(status)
	}
	_, _ = io.WriteString(w, "noted")
}

// Posts returns the requests received so far, in order.
func (r *Receiver) Posts() []Post {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Post(nil), r.posts...)
}

// AwaitPosts waits for the number of posts and returns all as text for comparison: path, content
// type, webhook headers and body.
func (r *Receiver) AwaitPosts(t testing.TB, want int) string {
	t.Helper()
	poll.Until(t, func() bool { return len(r.Posts()) >= want }, "fewer than %d posts", want)
	var b strings.Builder
	for _, p := range r.Posts() {
		fmt.Fprintf(&b, "POST %s\nContent-Type: %s\nwebhook-id: %s\nsigned: %t\n", p.Path, p.Header.Get("Content-Type"),
			p.Header.Get("webhook-id"), p.Header.Get("webhook-signature") != "")
		var indented bytes.Buffer
		if json.Indent(&indented, p.Body, "", "  ") != nil {
			t.Fatalf("the body is not JSON: %s", p.Body)
		}
		b.WriteString(indented.String() + "\n")
	}
	return b.String()
}

// Authority writes the certificate of httptest's https servers to a file and returns its name.
func Authority(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(path, certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// certificate returns the certificate that all https servers of httptest have.
var certificate = sync.OnceValue(func() []byte {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
})
