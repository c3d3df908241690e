package e2e

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/slot"
)

// A large workspace has so many documents, which are stored in batches.
const (
	largeDocuments = 10_000
	largeBatch     = 500
)

// largeWorkspace creates a workspace with largeDocuments documents on SQLite and returns a key of
// it. The documents are inserted into the database, as requests of the API would take minutes.
func (p installation) largeWorkspace(t *testing.T) (key string) {
	t.Helper()
	workspace := p.command(t, "workspace", "create", "--name", "Large", "--plan", "pro")
	started := time.Now()
	db, err := dbx.Open(t.Context(), filepath.Join(p.folder, "rostrum.db"), slot.New)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return insertDocuments(ctx, tx, workspace)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("inserted %d documents in %s", largeDocuments, time.Since(started).Round(time.Millisecond))
	return p.mintKey(t, workspace, allScopes)
}

// insertDocuments stores the documents, one for each minute before now, and their number.
func insertDocuments(ctx context.Context, tx dbx.Tx, workspaceID string) error {
	now := time.Now().UTC().Truncate(time.Second)
	for first := 0; first < largeDocuments; first += largeBatch {
		batch := make([]*model.Document, largeBatch)
		for i := range batch {
			batch[i] = largeDocument(workspaceID, first+i, now.Add(-time.Duration(first+i)*time.Minute))
		}
		if _, err := tx.NewInsert().Model(&batch).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("document_count = ?", largeDocuments).
		Where("id = ?", workspaceID).Exec(ctx)
	return dbx.Err(err)
}

// largeDocument returns the n-th document of a large workspace.
func largeDocument(workspaceID string, n int, created time.Time) *model.Document {
	content := fmt.Sprintf("The harbour counted %d ferries on the northern route. Emissions fall by a third, said Ada Example.", n)
	kind, words, characters, isTest := "text", 16, len(content), false
	return &model.Document{
		ID: model.NewID(model.DocumentPrefix), WorkspaceID: workspaceID,
		Title: fmt.Sprintf("Report %d of the harbour", n), Content: &content,
		ContentType: &kind, WordCount: &words, CharacterCount: &characters, IsNarrativeTestingUpload: &isTest,
		Visibility: model.VisibilityPublic,
		Tags:       []string{}, CreatedAt: created, UpdatedAt: created,
	}
}
