package app

import (
	"strings"
	"testing"

	"rostrum/api"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
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

// wrongFigures changes stored figures and marks behind the program's back, and returns how many.
func wrongFigures(t *testing.T, a *App, workspaceID string) (wrong int) {
	t.Helper()
	now := model.Now()
	var documents []string
	if err := a.db.NewSelect().Model((*model.Document)(nil)).Column("id").Scan(t.Context(), &documents); err != nil ||
		len(documents) != 1 {
		t.Fatal(documents, err)
	}
	variant := "var_1"
	filter := func(id string) []any {
		return []any{
			&model.AutoTag{ID: id, WorkspaceID: workspaceID, Name: id, NameKey: id, TagType: "topic",
				AllowedValues: []string{}, CreatedAt: now, UpdatedAt: now},
			&model.CommsFilter{AutoTagID: id, WorkspaceID: workspaceID, Enabled: true, Values: []string{},
				CreatedAt: now},
		}
	}
	rows := []any{
		&model.Link{ID: "lnk_1", WorkspaceID: workspaceID, Slug: "s", Kind: model.LinkKindRedirect, ConversionCount: 5,
			SubmissionCount: 2, CreatedAt: now, UpdatedAt: now},
		&model.LinkVariant{ID: variant, WorkspaceID: workspaceID, LinkID: "lnk_1", ConversionCount: 3},
		&model.LinkSession{ID: "vis_1", WorkspaceID: workspaceID, LinkID: "lnk_1", VariantID: &variant, OpenedAt: now,
			Country: "CH", UTMSource: "letter", ConvertedAt: &now},
		&model.LinkConversion{ID: "cnv_1", WorkspaceID: workspaceID, LinkID: "lnk_1", SessionID: "vis_1",
			VariantID: &variant, Type: model.ConversionTypes[0], CreatedAt: now},
	}
	// the opens of the link and of its variant are too few, the conversions of both and the submissions too many,
	// and the activity has neither the open nor the conversion; the variant does not count the converted session, nor
	// does the breakdown, which lacks it by country and campaign too
	wrong += 12
	rows = append(append(rows, filter("tag_value")...), filter("tag_none")...)
	rows = append(rows,
		&model.AppliedAutoTag{ID: "val_1", WorkspaceID: workspaceID, DocumentID: documents[0], AutoTagID: "tag_value",
			Name: "tag_value", CreatedAt: &now},
		&model.HiddenDocument{WorkspaceID: workspaceID, DocumentID: documents[0], AutoTagID: "tag_none"})
	// one filter does not hide the document with its value, one hides it without a value, and the document has no mark
	wrong += 3
	for _, row := range rows {
		if _, err := a.db.NewInsert().Model(row).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{
		"UPDATE workspace SET document_count = 7, hidden_count = 3, runs_used = 5",
		"INSERT INTO document_status (workspace_id, status, documents) VALUES ('" + workspaceID + "', 'failed', 2)",
		"UPDATE document_facet SET change = 3 WHERE facet = 'states'",
	} {
		if _, err := a.db.Writer().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return wrong + 5
}

// TestVerify makes stored figures too low and too high, finds them twice, repairs them, and finds
// none. Old sessions may be deleted.
func TestVerify(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		check := func(want int) {
			t.Helper()
			if n, err := recountAll(t.Context(), config, false); n != want || err != nil {
				t.Errorf("verify finds %d wrong figures, want %d (%v)", n, want, err)
			}
		}
		check(0)
		wrong := wrongFigures(t, a, id)
		check(wrong)
		check(wrong)
		if err := (verifyCommand{}).Run(t.Context(), config); err == nil {
			t.Error("verify ends without an error")
		}
		if err := (repairCommand{}).Run(t.Context(), config); err != nil {
			t.Error(err)
		}
		check(0)
		var hidden, count int
		if err := a.db.SelectRaw("SELECT (SELECT count(*) FROM document WHERE hidden), hidden_count FROM workspace WHERE id = ?", id).Scan(t.Context(), &hidden, &count); err != nil || hidden != 1 || count != 1 {
			t.Errorf("%d documents are hidden, and %d are counted (%v)", hidden, count, err)
		}
		if _, err := a.db.NewDelete().Model((*model.LinkSession)(nil)).Where("id = 'vis_1'").
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(0)
	})
}

// TestNew_with_a_locked_folder starts a second app on a SQLite file's data directory, and again
// after the first one has ended.
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
		if _, err := a.db.Writer().ExecContext(t.Context(),
			"INSERT INTO bun_migrations (name, group_id) VALUES ('29990101000000', 99)"); err != nil {
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
