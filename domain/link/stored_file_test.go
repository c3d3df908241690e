package link_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/principal"
	"rostrum/test/kit/buckettest"
	"rostrum/test/kit/dbtest"
)

const fileText = "Nine members were present."

// eachStore runs a test with both databases, with a folder and with a bucket.
func eachStore(t *testing.T, test func(t *testing.T, db *dbx.DB, files *blob.Store)) {
	bucket, _ := buckettest.Start(t)
	for name, address := range map[string]func(t *testing.T) string{
		"folder": func(t *testing.T) string { return "file://" + filepath.ToSlash(t.TempDir()) },
		"bucket": func(*testing.T) string { return bucket + "&prefix=" + model.NewID("test") + "/" },
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
				files, err := blob.Open(t.Context(), address(t), "")
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = files.Close() })
				test(t, db, files)
			})
		})
	}
}

// fileGateway is the link service of one machine.
type fileGateway struct {
	*link.Service
	folder string
}

func newFileGateway(t *testing.T, db *dbx.DB, files *blob.Store) *fileGateway {
	t.Helper()
	visitors, err := visitor.New(visitor.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { visitors.Close() })
	folder := t.TempDir()
	s, err := link.New(t.Context(), link.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t), PublicURL: "http://test",
		Files: files, Folder: folder, Visitors: visitors, RecordChange: func(dbx.Tx, string, string, string) {},
		TakeStorage: func(context.Context, string, int) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return &fileGateway{s, folder}
}

// get returns the response of a link for a program, which starts no session.
func (g *fileGateway) get(method, slug string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/l/"+slug, nil)
	r.Header.Set("User-Agent", "curl/8")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	g.ServeHTTP(answer, r)
	return answer
}

func (g *fileGateway) checkServed(t *testing.T, slug string) {
	t.Helper()
	if got := g.get("GET", slug); got.Code != http.StatusOK || got.Body.String() != fileText {
		t.Errorf("%s: %d %s", slug, got.Code, got.Body)
	}
}

// oldFile stores a link with a file as a former release did, in the folder of the gateway.
func (g *fileGateway) oldFile(t *testing.T, db *dbx.DB, workspaceID string) *model.Link {
	t.Helper()
	l := &model.Link{ID: model.NewID(model.LinkPrefix), WorkspaceID: workspaceID, Slug: link.NewSlug(), IsActive: true,
		Kind: model.LinkKindFile, CreatedAt: model.Now(), UpdatedAt: model.Now(),
		File: &model.LinkFile{Name: "a.txt", Stored: model.NewID("file"), MediaType: "text/plain", Size: len(fileText)}}
	if _, err := db.NewInsert().Model(l).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(g.oldPath(l), []byte(fileText), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

func (g *fileGateway) oldPath(l *model.Link) string { return filepath.Join(g.folder, l.File.Stored) }

func (g *fileGateway) hasOld(t *testing.T, l *model.Link) bool {
	t.Helper()
	_, err := os.Stat(g.oldPath(l))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// TestFile uploads at one gateway and downloads at another one with another folder.
func TestFile(t *testing.T) {
	eachStore(t, func(t *testing.T, db *dbx.DB, files *blob.Store) {
		one, two, b := newFileGateway(t, db, files), newFileGateway(t, db, files), setup(t, db)
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: b.of.WorkspaceID})
		made, err := one.Create(ctx, api.CreateLinkInput{}, &graphql.Upload{File: strings.NewReader(fileText),
			Filename: "minutes.txt", Size: int64(len(fileText)), ContentType: "text/html"})
		if err != nil {
			t.Fatal(err)
		}
		slug := made.Link.Slug
		two.checkServed(t, slug)
		got := two.get("GET", slug, "Range", "bytes=5-11")
		if got.Code != http.StatusPartialContent || got.Body.String() != "members" ||
			got.Header().Get("Content-Range") != fmt.Sprintf("bytes 5-11/%d", len(fileText)) {
			t.Errorf("a range: %d %v %s", got.Code, got.Header(), got.Body)
		}
		for name, want := range map[string]string{"Content-Type": "text/plain; charset=utf-8",
			"Content-Disposition": "inline; filename=minutes.txt", "X-Content-Type-Options": "nosniff"} {
			if got.Header().Get(name) != want {
				t.Errorf("%s is %q", name, got.Header().Get(name))
			}
		}
		if !strings.HasSuffix(got.Header().Get("Content-Security-Policy"), "; sandbox") {
			t.Errorf("the policy is %q", got.Header().Get("Content-Security-Policy"))
		}
		if head := two.get("HEAD", slug); head.Code != http.StatusOK || head.Body.Len() != 0 ||
			head.Header().Get("Content-Length") != fmt.Sprint(len(fileText)) {
			t.Errorf("HEAD: %d %v", head.Code, head.Header())
		}
		if same := two.get("GET", slug, "If-None-Match", got.Header().Get("ETag")); same.Code != http.StatusNotModified {
			t.Errorf("an unchanged file: %d", same.Code)
		}
		if n, err := one.SweepFiles(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
			t.Errorf("%d files in use were swept, %v", n, err)
		}
		if bytes, err := one.StoredBytes(ctx, b.of.WorkspaceID); bytes != int64(len(fileText)) || err != nil {
			t.Errorf("%d bytes are counted, %v", bytes, err)
		}
		if _, err := two.Delete(ctx, made.Link.ID); err != nil {
			t.Fatal(err)
		}
		checkNoFiles(t, files, b.of.WorkspaceID)
	})
}

func checkNoFiles(t *testing.T, files *blob.Store, workspaceID string) {
	t.Helper()
	if _, err := files.Sweep(t.Context(), "link/"+workspaceID+"/", time.Now().Add(time.Hour),
		func(_ context.Context, keys []string) ([]string, error) {
			t.Errorf("these files are left: %s", keys)
			return nil, nil
		}); err != nil {
		t.Error(err)
	}
}

// TestFile_large refuses a file over the limit, and leaves nothing of it.
func TestFile_large(t *testing.T) {
	eachStore(t, func(t *testing.T, db *dbx.DB, files *blob.Store) {
		g, b := newFileGateway(t, db, files), setup(t, db)
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: b.of.WorkspaceID})
		_, err := g.Create(ctx, api.CreateLinkInput{}, &graphql.Upload{
			File: strings.NewReader(strings.Repeat("x", 50_000_001)), Filename: "a.txt"})
		if err == nil || !strings.Contains(err.Error(), "over 50 MB") {
			t.Errorf("a file over 50 MB: %v", err)
		}
		checkNoFiles(t, files, b.of.WorkspaceID)
	})
}

// TestFile_orphan deletes a file that a process which died has left, and no younger one.
func TestFile_orphan(t *testing.T) {
	eachStore(t, func(t *testing.T, db *dbx.DB, files *blob.Store) {
		g, b := newFileGateway(t, db, files), setup(t, db)
		key := "link/" + b.of.WorkspaceID + "/" + b.of.ID + "." + model.NewID("file")
		if err := files.Put(t.Context(), key, "text/plain", strings.NewReader(fileText)); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			before time.Duration
			stays  bool
		}{{-time.Hour, true}, {time.Hour, false}} {
			if _, err := g.SweepFiles(t.Context(), time.Now().Add(c.before)); err != nil {
				t.Fatal(err)
			}
			if _, err := files.Read(t.Context(), key); (err == nil) != c.stays {
				t.Errorf("swept up to %s from now: %v", c.before, err)
			}
		}
	})
}

// TestMoveFiles moves the file of a former release while it is served, by several processes at once,
// after one that was interrupted.
func TestMoveFiles(t *testing.T) {
	eachStore(t, func(t *testing.T, db *dbx.DB, files *blob.Store) {
		one, two, b := newFileGateway(t, db, files), newFileGateway(t, db, files), setup(t, db)
		l, deleted := one.oldFile(t, db, b.of.WorkspaceID), one.oldFile(t, db, b.of.WorkspaceID)
		one.checkServed(t, l.Slug)
		interrupted, stop := context.WithCancel(t.Context())
		stop()
		if err := one.MoveFiles(interrupted, time.Now()); err == nil {
			t.Error("an interrupted move has no error")
		}
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: b.of.WorkspaceID})
		if _, err := one.Delete(ctx, deleted.ID); err != nil || one.hasOld(t, deleted) {
			t.Errorf("a deleted link has its file: %t, %v", one.hasOld(t, deleted), err)
		}
		if err := os.WriteFile(filepath.Join(one.folder, "file_unknown"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		moveTogether(t, one, time.Now().Add(-time.Hour))
		if !one.hasOld(t, l) {
			t.Error("a file that was copied just now was removed from its old place")
		}
		two.checkServed(t, l.Slug)
		moveTogether(t, one, time.Now().Add(time.Hour))
		if one.hasOld(t, l) {
			t.Error("a file that was copied long ago is still in its old place")
		}
		two.checkServed(t, l.Slug)
		one.checkServed(t, l.Slug)
		if _, err := os.Stat(filepath.Join(one.folder, "file_unknown")); err != nil {
			t.Errorf("a file without a link: %v", err)
		}
	})
}

// moveTogether moves the files as four processes with the same folder do that start together.
func moveTogether(t *testing.T, g *fileGateway, before time.Time) {
	t.Helper()
	var moving sync.WaitGroup
	for range 4 {
		moving.Go(func() {
			if err := g.MoveFiles(t.Context(), before); err != nil {
				t.Error(err)
			}
		})
	}
	moving.Wait()
}
