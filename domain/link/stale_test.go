package link_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/model"
	"rostrum/testkit/dbtest"
)

// TestOpen_without_the_database opens a link that was opened before, whose cached target has expired, and one that was not.
func TestOpen_without_the_database(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		visitors, err := visitor.New(visitor.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { visitors.Close() })
		s, err := link.New(t.Context(), link.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t), PublicURL: "http://test", Folder: t.TempDir(), Visitors: visitors})
		if err != nil {
			t.Fatal(err)
		}
		b := setup(t, db)
		const destination = "https://example.com/"
		for _, slug := range []string{"known", "unknown"} {
			row := &model.Link{ID: model.NewID(model.LinkPrefix), WorkspaceID: b.of.WorkspaceID, Slug: slug, Kind: model.LinkKindRedirect, IsActive: true, CreatedAt: model.Now(), UpdatedAt: model.Now()}
			row.DestinationURL = new(destination)
			if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		open := func(slug string) int {
			r := httptest.NewRequest(http.MethodGet, "/l/"+slug, nil)
			r.Header.Set("User-Agent", "curl/8") // a program, which starts no session
			answer := httptest.NewRecorder()
			s.ServeHTTP(answer, r)
			return answer.Code
		}
		if got := open("known"); got != http.StatusFound {
			t.Fatalf("with the database: %d", got)
		}
		s.ExpireTargets()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := open("known"); got != http.StatusFound {
			t.Errorf("without the database: %d", got)
		}
		if got := open("unknown"); got < http.StatusInternalServerError {
			t.Errorf("a link that was never read: %d", got)
		}
	})
}
