package blob_test

import (
	"io"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/platform/blob"
	"rostrum/test/kit/buckettest"
)

// TestStore_s3 stores a blob in a server that speaks S3, as an operator configures it.
func TestStore_s3(t *testing.T) {
	address, stop := buckettest.Start(t)
	s, err := blob.Open(t.Context(), address, "")
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
	size, storedAt, err := s.Stat(t.Context(), "original/ws_1/doc_1.a")
	if err != nil || size != 8 || time.Since(storedAt) > time.Hour {
		t.Errorf("a blob of %d bytes at %s, %v", size, storedAt, err)
	}
	if err := s.DeleteAll(t.Context(), "original/ws_1/"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(t.Context(), "original/ws_1/doc_1.a"); !errs.Is(err, errs.NotFound) {
		t.Errorf("a deleted blob: %v", err)
	}
	if _, _, err := s.Stat(t.Context(), "original/ws_1/doc_1.a"); !errs.Is(err, errs.NotFound) {
		t.Errorf("the size of a deleted blob: %v", err)
	}
	stop()
	if _, err := s.Read(t.Context(), "original/ws_1/doc_1.a"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a server that is gone: %v", err)
	}
}
