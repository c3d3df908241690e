package app

import (
	"strings"
	"testing"

	"rostrum/api"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/principal"
	"rostrum/testkit/dbtest"
)

// eachDatabase runs the test with a config for each database, which has the whole schema.
func eachDatabase(t *testing.T, test func(*testing.T, Config)) {
	t.Helper()
	t.Parallel()
	for _, b := range dbtest.Backends(t) {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			config := testConfig(t)
			if b.Name != "sqlite" {
				config.Database = b.Address(t)
			}
			test(t, config)
		})
	}
}

// newApp returns an app with a workspace that has a document, until the end of the test.
func newApp(t *testing.T, config Config) (a *App, workspaceID string) {
	t.Helper()
	a, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	workspaceID, _, err = a.Provision(t.Context(), account.NewWorkspace{Name: "Test"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: workspaceID})
	if _, err := a.documents.Create(ctx, api.CreateDocumentInput{Title: "T", Content: "c"}); err != nil {
		t.Fatal(err)
	}
	return a, workspaceID
}

// TestVerify changes stored figures behind the program's back, finds them, repairs them, and finds none.
func TestVerify(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		if n, err := recountAll(t.Context(), config, false); n != 0 || err != nil {
			t.Fatalf("a fresh workspace has %d wrong figures, %v", n, err)
		}
		link := &model.Link{ID: "lnk_1", WorkspaceID: id, Slug: "s", Kind: model.LinkKindRedirect, OpenCount: 0, CreatedAt: model.Now(), UpdatedAt: model.Now()}
		session := &model.LinkSession{ID: "vis_1", WorkspaceID: id, LinkID: link.ID, OpenedAt: model.Now()}
		for _, row := range []any{link, session} {
			if _, err := a.db.NewInsert().Model(row).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, statement := range []string{
			"UPDATE workspace SET document_count = 7, hidden_count = 3, runs_used = 5",
			"INSERT INTO document_status (workspace_id, status, documents) VALUES ('" + id + "', 'failed', 2)",
		} {
			if _, err := a.db.Writer().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []int{5, 5} {
			if n, err := recountAll(t.Context(), config, false); n != want || err != nil {
				t.Errorf("verify finds %d wrong figures, want %d (%v)", n, want, err)
			}
		}
		if err := (verifyCommand{}).Run(t.Context(), config); err == nil {
			t.Error("verify ends without an error")
		}
		if err := (repairCommand{}).Run(t.Context(), config); err != nil {
			t.Error(err)
		}
		if n, err := recountAll(t.Context(), config, false); n != 0 || err != nil {
			t.Errorf("after the repair %d figures are wrong, %v", n, err)
		}
	})
}

// TestNew_with_a_locked_folder starts a second app on the data directory of a SQLite file, and again after the first one has ended.
func TestNew_with_a_locked_folder(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	first, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), config); err == nil || !strings.Contains(err.Error(), "another rostrum process") {
		t.Errorf("the second start ends with %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	third, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Close(); err != nil {
		t.Error(err)
	}
}

// TestOutdated lets a newer version migrate the database of a running app.
func TestOutdated(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a.stopIfOutdated(t.Context()) {
			t.Fatal("the app is outdated at its start")
		}
		if _, err := a.db.Writer().ExecContext(t.Context(), "INSERT INTO bun_migrations (name, group_id) VALUES ('29990101000000', 99)"); err != nil {
			t.Fatal(err)
		}
		if !a.stopIfOutdated(t.Context()) || a.outdated.Load() == nil {
			t.Error("the app writes on")
		}
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: id})
		if _, err := a.documents.Create(ctx, api.CreateDocumentInput{Title: "T", Content: "c"}); err == nil {
			t.Error("a document is created")
		}
	})
}
