package blob_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/platform/blob"
)

func open(t *testing.T) *blob.Store {
	t.Helper()
	s, err := blob.Open(t.Context(), "", t.TempDir()+"/blobs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t *testing.T, s *blob.Store, key, text string) {
	t.Helper()
	if err := s.Put(t.Context(), key, "text/plain", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := open(t)
	put(t, s, "original/ws_1/doc_1.a", "the tide")
	body, err := s.Read(t.Context(), "original/ws_1/doc_1.a")
	if err != nil || string(body) != "the tide" {
		t.Fatalf("%q, %v", body, err)
	}
	r, err := s.Open(t.Context(), "original/ws_1/doc_1.a")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(r); err != nil || string(rest) != "tide" || r.Size() != 8 {
		t.Errorf("%q of %d bytes, %v", rest, r.Size(), err)
	}
	if _, err := s.Open(t.Context(), "original/ws_1/none"); !errs.Is(err, errs.NotFound) {
		t.Errorf("a missing blob: %v", err)
	}
	for range 2 {
		if err := s.Delete(t.Context(), "original/ws_1/doc_1.a"); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
}

func TestStore_address(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"mem://", "http://s3.example", "://"} {
		if _, err := blob.Open(t.Context(), address, ""); err == nil {
			t.Errorf("%s was opened", address)
		}
	}
	s, err := blob.Open(t.Context(), "file://"+t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "a/b", "x")
	if s, err = blob.Open(t.Context(), "s3://bucket?region=eu-central-1", ""); err != nil || s.Close() != nil {
		t.Errorf("a bucket: %v", err)
	}
}

func TestStore_sweep(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, key := range []string{"original/ws_1/a", "original/ws_1/b", "original/ws_2/c", "export/d"} {
		put(t, s, key, key)
	}
	var seen []string
	unused := func(_ context.Context, keys []string) ([]string, error) {
		seen = append(seen, keys...)
		return []string{"original/ws_1/b"}, nil
	}
	n, err := s.Sweep(t.Context(), "original/", time.Now().Add(-time.Hour), unused)
	if n != 0 || err != nil || len(seen) != 0 {
		t.Errorf("young blobs: deleted %d of %v, %v", n, seen, err)
	}
	n, err = s.Sweep(t.Context(), "original/", time.Now().Add(time.Hour), unused)
	slices.Sort(seen)
	if n != 1 || err != nil || !slices.Equal(seen, []string{"original/ws_1/a", "original/ws_1/b", "original/ws_2/c"}) {
		t.Errorf("deleted %d of %v, %v", n, seen, err)
	}
	if err := s.DeleteAll(t.Context(), "original/ws_1/"); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"original/ws_1/a": false, "original/ws_2/c": true, "export/d": true} {
		if _, err := s.Read(t.Context(), key); (err == nil) != want {
			t.Errorf("%s: %v", key, err)
		}
	}
}
