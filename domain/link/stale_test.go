package link_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// newLinks returns a service with links of the slugs.
func newLinks(t *testing.T, db *dbx.DB, slugs ...string) *link.Service {
	t.Helper()
	visitors, err := visitor.New(visitor.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { visitors.Close() })
	s, err := link.New(t.Context(), link.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t), PublicURL: "http://test",
		Folder: t.TempDir(), Visitors: visitors})
	if err != nil {
		t.Fatal(err)
	}
	b := setup(t, db)
	for _, slug := range slugs {
		row := &model.Link{ID: model.NewID(model.LinkPrefix), WorkspaceID: b.of.WorkspaceID, Slug: slug,
			Kind: model.LinkKindRedirect, IsActive: true, CreatedAt: model.Now(), UpdatedAt: model.Now()}
		row.DestinationURL = new("https://example.com/")
		if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// openLink returns the status of a link for a program, which starts no session.
func openLink(s *link.Service, slug string) int {
	r := httptest.NewRequest(http.MethodGet, "/l/"+slug, nil)
	r.Header.Set("User-Agent", "curl/8")
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, r)
	return answer.Code
}

// TestOpen_without_the_database opens links that were read a few minutes ago, longer ago, and
// never.
func TestOpen_without_the_database(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newLinks(t, db, "known", "old", "unknown")
		for slug, age := range map[string]time.Duration{"known": link.StaleTTL - time.Minute, "old": link.StaleTTL +
			time.Second} {
			if got := openLink(s, slug); got != http.StatusFound {
				t.Fatalf("with the database: %d", got)
			}
			s.ExpireTarget(slug, age)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := openLink(s, "known"); got != http.StatusFound {
			t.Errorf("a link that was read less than %s ago: %d", link.StaleTTL, got)
		}
		for _, slug := range []string{"old", "unknown"} {
			if got := openLink(s, slug); got < http.StatusInternalServerError {
				t.Errorf("the %s link: %d", slug, got)
			}
		}
		if link.StaleTTL < 5*time.Minute {
			t.Errorf("known links are served for %s, want minutes", link.StaleTTL)
		}
	})
}

// TestOpen_with_a_blocked_database opens a known link while its query waits for a lock, for longer
// than the test.
func TestOpen_with_a_blocked_database(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		s := newLinks(t, db, "known")
		s.SetLoadTimeout(time.Hour)
		if got := openLink(s, "known"); got != http.StatusFound {
			t.Fatalf("with the database: %d", got)
		}
		s.ExpireTarget("known", time.Minute)
		release := lockLinks(t, db)
		defer release()
		opened := make(chan int, 1)
		go func() { opened <- openLink(s, "known") }()
		select {
		case got := <-opened:
			if got != http.StatusFound {
				t.Errorf("with a blocked database: %d", got)
			}
		case <-time.After(poll.Patience):
			t.Error("the link waits for the database")
		}
	})
}

// lockLinks locks the table of links until release is called.
func lockLinks(t *testing.T, db *dbx.DB) (release func()) {
	t.Helper()
	locked, done, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
			for _, statement := range []string{"SET LOCAL idle_in_transaction_session_timeout = 0",
				"LOCK TABLE link IN ACCESS EXCLUSIVE MODE"} {
				if _, err := tx.NewRaw(statement).Exec(ctx); err != nil {
					return err
				}
			}
			close(locked)
			<-done
			return nil
		})
	}()
	select {
	case <-locked:
	case err := <-ended:
		t.Fatal(err)
	}
	return func() {
		close(done)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
