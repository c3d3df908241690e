package document

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Insert stores a document and counts it, in the caller's transaction, and tells the watchers when that has committed. It counts first:
// the row would hold its workspace by the foreign key, and so keep another that locks the workspace from ending.
func (s *Service) Insert(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	tx.AfterCommit(func() { s.announce(ctx, model.DocumentEventKindCreated, doc.WorkspaceID, doc.ID) })
	if err := countOne(ctx, tx, doc.WorkspaceID, 1); err != nil {
		return err
	}
	doc.Version = versionOf(doc)
	if _, err := tx.NewInsert().Model(doc).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return s.tell(ctx, tx, nil, doc)
}

// versionOf is how what was derived from a document knows that its text has changed.
func versionOf(doc *model.Document) string {
	content := ""
	if doc.Content != nil {
		content = *doc.Content
	}
	return model.TextVersion(doc.Title, content)
}

// countOne keeps the workspace's counter in step with its rows, so that no list has to count them.
func countOne(ctx context.Context, tx dbx.Tx, workspaceID string, by int) error {
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).
		Set("document_count = document_count + ?", by).Where("id = ?", workspaceID).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) byID(ctx context.Context, workspaceID, id string, columns []string) (*model.Document, error) {
	doc := new(model.Document)
	err := s.db.NewSelect().Model(doc).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return doc, dbx.Err(err)
}

func (s *Service) forUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Document, error) {
	doc := new(model.Document)
	q := tx.NewSelect().Model(doc).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return doc, dbx.Err(s.db.Locked(q).Scan(ctx))
}

// save writes everything of a document but what never changes.
func save(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	doc.Version = versionOf(doc)
	_, err := tx.NewUpdate().Model(doc).ExcludeColumn("id", "workspace_id", "created_at").
		Where("workspace_id = ? AND id = ?", doc.WorkspaceID, doc.ID).Exec(ctx)
	return dbx.Err(err)
}

// remove counts before it deletes: whatever changes both a workspace and a document locks the workspace first.
func remove(ctx context.Context, tx dbx.Tx, workspaceID, id string) error {
	if err := countOne(ctx, tx, workspaceID, -1); err != nil {
		return err
	}
	var hidden []bool
	err := tx.NewDelete().Model((*model.Document)(nil)).
		Where("workspace_id = ? AND id = ?", workspaceID, id).Returning("hidden").Scan(ctx, &hidden)
	switch {
	case err != nil:
		return dbx.Err(err)
	case len(hidden) == 0:
		return errs.New(errs.NotFound, "there is no document %s in this workspace", id)
	case hidden[0]:
		return countHidden(ctx, tx, workspaceID, -1)
	}
	return nil
}

func (s *Service) page(
	ctx context.Context, workspaceID string, w dbx.Window, f *model.DocumentFilter, columns []string,
) ([]*model.Document, error) {
	rows := []*model.Document{}
	q := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ?", workspaceID)
	err := w.Apply(s.narrow(q, f)).Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) count(ctx context.Context, workspaceID string, f *model.DocumentFilter) (int, error) {
	if unfiltered(f) {
		var n int
		err := s.db.NewSelect().Model((*model.Workspace)(nil)).Column("document_count").Where("id = ?", workspaceID).Scan(ctx, &n)
		return n, dbx.Err(err)
	}
	q := s.db.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ?", workspaceID)
	n, err := s.narrow(q, f).Count(ctx)
	return int(n), dbx.Err(err)
}

func (s *Service) autoTags(ctx context.Context, workspaceID string, ids []string) ([]*model.DocumentAutoTag, error) {
	rows := []*model.DocumentAutoTag{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND document_id IN ?", workspaceID, bun.Tuple(ids)).
		Order("applied_at", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

// changedSince lists what changed after an instant, oldest change first, at most 500 rows.
func (s *Service) changedSince(ctx context.Context, workspaceID string, since time.Time) ([]*model.Document, error) {
	rows := []*model.Document{}
	err := s.db.NewSelect().Model(&rows).ExcludeColumn("content").
		Where("workspace_id = ? AND updated_at > ?", workspaceID, since).Order("updated_at", "id").Limit(500).Scan(ctx)
	return rows, dbx.Err(err)
}
