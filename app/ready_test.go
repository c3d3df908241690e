package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestReadyCommand checks that the command fails unless the gateway answers that it is ready.
func TestReadyCommand(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("the command asks %s", r.URL.Path)
		}
		writeText(w, status, "shutting down")
	}))
	config := Config{Addr: strings.TrimPrefix(server.URL, "http://")}
	if err := (readyCommand{}).Run(t.Context(), config); err != nil {
		t.Error(err)
	}
	status = http.StatusServiceUnavailable
	if err := (readyCommand{}).Run(t.Context(), config); err == nil || !strings.Contains(err.Error(), "shutting down") {
		t.Errorf("the error is %v", err)
	}
	server.Close()
	if err := (readyCommand{}).Run(t.Context(), config); err == nil {
		t.Error("a gateway that does not answer is ready")
	}
}

// TestReadyURL checks addresses of all interfaces, which cannot be asked.
func TestReadyURL(t *testing.T) {
	for listen, want := range map[string]string{
		":8080":      "http://localhost:8080/readyz",
		"0.0.0.0:80": "http://localhost:80/readyz", "[::]:80": "http://localhost:80/readyz",
		"127.0.0.1:8080": "http://127.0.0.1:8080/readyz",
		"[::1]:80":       "http://[::1]:80/readyz", "gateway:1": "http://gateway:1/readyz",
	} {
		if got := readyURL(listen); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
}
