package kit

import (
	"mime"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"
)

// NewSite serves the files named site/… on loopback and returns its address. Files that end in
// .503.html are served with that status, and /slow sends no response until the client disconnects.
func NewSite(t *testing.T, files map[string]string) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case <-r.Context().Done():
			case <-time.After(time.Minute):
			}
			return
		}
		body, ok := files["site"+r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if kind := mime.TypeByExtension(path.Ext(r.URL.Path)); kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		if strings.HasSuffix(r.URL.Path, ".503.html") {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(site.Close)
	return site.URL
}
