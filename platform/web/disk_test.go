package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"rostrum/errs"
)

// TestDiskError checks that a client learns when a disk is full, and nothing else about it.
func TestDiskError(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("store: %w", &os.PathError{Op: "write", Path: "/secret", Err: syscall.ENOSPC})
	for _, failure := range []*errs.Error{DiskError(full, "the file cannot be stored"), BodyError(full)} {
		if failure.Status() != http.StatusServiceUnavailable || !strings.Contains(failure.Message, "no space left") ||
			strings.Contains(failure.Message, "/secret") {
			t.Errorf("a full disk is %v", failure)
		}
	}
	if other := DiskError(errors.New("x"), "the file cannot be stored"); other.Code != errs.Internal {
		t.Errorf("another error is %v", other)
	}
}

// TestPaceBodies_chunked checks that no request follows one that may have two lengths.
func TestPaceBodies_chunked(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(PaceBodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	})))
	t.Cleanup(server.Close)
	for _, c := range []struct {
		body   io.Reader
		closes bool
	}{{strings.NewReader("a"), false}, {io.MultiReader(strings.NewReader("a")), true}} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, c.body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.Close != c.closes {
			t.Errorf("a chunked body: %t, and the connection closes: %t", c.closes, answer.Close)
		}
	}
}
