package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestMetrics checks that the key decides, not the address: a proxy on the same machine is loopback.
func TestMetrics(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config Config
		key    string
		want   int
	}{
		"no_key_is_set":   {Config{}, "", http.StatusNotFound},
		"no_key_is_sent":  {Config{AdminKey: "k"}, "", http.StatusNotFound},
		"another_key":     {Config{AdminKey: "k"}, "x", http.StatusNotFound},
		"the_key":         {Config{AdminKey: "k"}, "k", http.StatusOK},
		"open_by_setting": {Config{OpenMetrics: true}, "", http.StatusOK},
	} {
		a := &App{config: c.config}
		handler := a.requireAdmin(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
		}))
		request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		request.RemoteAddr = "127.0.0.1:4711"
		request.Header.Set("X-Admin-Key", c.key)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != c.want {
			t.Errorf("%s: %d, want %d", name, answer.Code, c.want)
		}
	}
}
