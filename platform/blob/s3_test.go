package blob_test

import (
	"io"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"rostrum/errs"
	"rostrum/platform/blob"
)

// TestStore_s3 stores a blob in a server that speaks S3, as an operator configures it.
func TestStore_s3(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	if err := backend.CreateBucket("originals"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	s, err := blob.Open(t.Context(), "s3://originals?region=us-east-1&use_path_style=true&response_checksum_validation=when_required&endpoint="+
		url.QueryEscape(server.URL), "")
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "original/ws_1/doc_1.a", "the tide")
	r, err := s.Open(t.Context(), "original/ws_1/doc_1.a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(r); err != nil || string(rest) != "tide" || r.Size() != 8 || time.Since(r.ModTime()) > time.Hour {
		t.Errorf("%q of %d bytes at %s, %v", rest, r.Size(), r.ModTime(), err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := s.DeleteAll(t.Context(), "original/ws_1/"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(t.Context(), "original/ws_1/doc_1.a"); !errs.Is(err, errs.NotFound) {
		t.Errorf("a deleted blob: %v", err)
	}
	server.Close()
	if _, err := s.Read(t.Context(), "original/ws_1/doc_1.a"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a server that is gone: %v", err)
	}
}
