package rest_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// form sends a multipart form with one file of the size in the named part.
func (s *server) form(t testing.TB, part string, content io.Reader) answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	file, err := w.CreateFormFile(part, "täxt.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(file, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/v1/documents/extract-text", &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-Key", goodKey)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return s.send(t, r)
}

func TestUpload(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Run("the file reaches the graph with its name", func(t *testing.T) {
		t.Parallel()
		got := s.form(t, "file", bytes.NewReader([]byte("tide")))
		wantStatus(t, got, 200)
		wantBody(t, got, `{"content":"tide","filename":"täxt.txt","word_count":1,"character_count":4}`)
	})
	t.Run("a form without the file", func(t *testing.T) {
		t.Parallel()
		p := wantProblem(t, s.form(t, "data", bytes.NewReader([]byte("tide"))), 422, "validation_failed")
		if p.fields() != `#/file ["body","file"] missing` {
			t.Errorf("the field errors are %s", p.fields())
		}
	})
	t.Run("a name with a control character names the part", func(t *testing.T) {
		t.Parallel()
		const form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\x01b\"\r\n\r\ntide\r\n--x--\r\n"
		got := s.do(t, "POST", "/api/v1/documents/extract-text", form, "Content-Type: multipart/form-data; boundary=x")
		wantProblem(t, got, 400, "bad_request")
		if !strings.Contains(got.body, "the part file of the form") {
			t.Errorf("the answer is %s", got.body)
		}
	})
	t.Run("a file over 50 MB", func(t *testing.T) {
		t.Parallel()
		wantProblem(t, s.form(t, "file", io.LimitReader(zeros{}, 50<<20+1)), 413, "too_large")
	})
	t.Run("an incomplete form", func(t *testing.T) {
		t.Parallel()
		const half = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhal"
		got := s.do(t, "POST", "/api/v1/documents/extract-text", half, "Content-Type: multipart/form-data; boundary=x")
		wantProblem(t, got, 400, "bad_request")
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
