package web_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rostrum/errs"
	"rostrum/platform/principal"
	"rostrum/platform/web"
)

// countedReader counts how many bytes were read.
type countedReader struct {
	io.Reader
	read int
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.read += n
	return n, err
}

// TestBodyBudget_limit keeps one body of a workspace unanswered while others arrive.
func TestBodyBudget_limit(t *testing.T) {
	t.Parallel()
	const size = 1000 // counts four times
	budget := web.NewBodyBudget(12 * size)
	send := func(workspace string, length int64, during func()) (read int, err error) {
		body := &countedReader{Reader: strings.NewReader(strings.Repeat("x", size))}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body)
		r.ContentLength = length
		handler := budget.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := principal.With(r.Context(), principal.Principal{WorkspaceID: workspace})
			if _, err = web.ReadBody(w, r.WithContext(ctx), 10*size); err == nil {
				during()
			}
		}))
		handler.ServeHTTP(httptest.NewRecorder(), r)
		return body.read, err
	}
	accepts := func(workspace string, length int64, during func()) {
		t.Helper()
		if read, err := send(workspace, length, during); err != nil || read != size {
			t.Errorf("%d bytes of %s: %d were read, %v", length, workspace, read, err)
		}
	}
	refuses := func(workspace string, length int64, most int) {
		t.Helper()
		read, err := send(workspace, length, func() { t.Error("the body is accepted") })
		failure, _ := errors.AsType[*errs.Error](err)
		if failure == nil || failure.Code != errs.Unavailable || failure.Extra["retry_after"] != 1 || read > most {
			t.Errorf("%d bytes of %s: %d were read, %v", length, workspace, read, err)
		}
	}
	nothing := func() {}
	accepts("a", size, func() {
		refuses("a", size, 0)       // more than half
		refuses("a", -1, size)      // found out while it is read
		accepts("b", size, func() { // the process has 4,000 bytes left
			refuses("c", size+1, 0)
			accepts("c", size, nothing)
		})
		accepts("b", -1, nothing)
	})
	accepts("a", size, nothing)
	accepts("a", 3*size, nothing) // more than its half, but alone
}
