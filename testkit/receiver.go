package testkit

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
	"time"
)

// Receiver is a local https server that webhooks post to. A path that begins with a status, such as /500/x, answers with that; all
// others answer 200.
type Receiver struct {
	*httptest.Server
	mu    sync.Mutex
	posts []Post
}

// Post is what a receiver got.
type Post struct {
	Path   string
	Header http.Header
	Body   []byte
}

// NewReceiver starts a receiver that is gone with the test. Apps of this package trust it.
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

// Posts are what came so far, in the order of their coming.
func (r *Receiver) Posts() []Post {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Post(nil), r.posts...)
}

// await waits until so many posts have come, and writes all as scenarios compare them: the path, what a receiver goes by, the body.
func (r *Receiver) await(t testing.TB, want int) string {
	t.Helper()
	for deadline := time.Now().Add(pollTime); len(r.Posts()) < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d posts came, want %d", len(r.Posts()), want)
		}
	}
	var b strings.Builder
	for _, p := range r.Posts() {
		fmt.Fprintf(&b, "POST %s\nContent-Type: %s\nwebhook-id: %s\nsigned: %t\n", p.Path, p.Header.Get("Content-Type"),
			p.Header.Get("webhook-id"), p.Header.Get("webhook-signature") != "")
		var indented bytes.Buffer
		if json.Indent(&indented, p.Body, "", "  ") != nil {
			t.Fatalf("the body is no JSON: %s", p.Body)
		}
		b.WriteString(indented.String() + "\n")
	}
	return b.String()
}

// Authority writes the certificate that local https servers of tests have, and gives the file's name.
func Authority(t testing.TB) string {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	path := filepath.Join(t.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
