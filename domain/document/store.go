package document

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

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
	if err := countIn(ctx, tx, doc); err != nil {
		return dbx.Err(err)
	}
	if err := countStatus(ctx, tx, doc.WorkspaceID, nil, doc.ProcessingStatus); err != nil {
		return err
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

// Stamp gives a document its version that was stored before documents had one, so that what is derived from its text stays its own when something
// else of it is saved. Nothing else of it changes, and nobody is told.
func (s *Service) Stamp(ctx context.Context, doc *model.Document) error {
	if doc.Version != "" {
		return nil
	}
	doc.Version = versionOf(doc)
	_, err := s.db.NewUpdate().Model((*model.Document)(nil)).Set("version = ?", doc.Version).
		Where("workspace_id = ? AND id = ? AND version = ''", doc.WorkspaceID, doc.ID).Exec(ctx)
	return dbx.Err(err)
}

// countOne keeps the workspace's counter in step with its rows, so that no list has to count them.
func countOne(ctx context.Context, tx dbx.Tx, workspaceID string, by int) error {
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).
		Set("document_count = document_count + ?", by).Where("id = ?", workspaceID).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) byID(ctx context.Context, workspaceID, id string, columns []string) (*model.Document, error) {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return dbx.ReadOne[model.Document](ctx, s.db, q)
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
	doc, hidden := &model.Document{WorkspaceID: workspaceID, ID: id}, false
	err := tx.NewDelete().Model((*model.Document)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).
		Returning("hidden, created_at, processing_status").Scan(ctx, &hidden, &doc.CreatedAt, &doc.ProcessingStatus)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errs.New(errs.NotFound, "there is no document %s in this workspace", id)
	case err != nil:
		return dbx.Err(err)
	}
	if err := countOut(ctx, tx, doc, hidden); err != nil {
		return dbx.Err(err)
	}
	if err := countStatus(ctx, tx, workspaceID, doc.ProcessingStatus, nil); err != nil || !hidden {
		return err
	}
	return countHidden(ctx, tx, workspaceID, -1)
}

// statusCount is how many of a workspace's documents have a status.
type statusCount struct {
	bun.BaseModel `bun:"table:document_status"`

	WorkspaceID string                 `bun:"workspace_id,pk"`
	Status      model.ProcessingStatus `bun:"status,pk"`
	Documents   int                    `bun:"documents"`
}

// countStatus keeps the counts of both statuses in step, in the order of their names, so that two transactions do not wait for each
// other. It comes behind the document's own lock.
func countStatus(ctx context.Context, tx dbx.Tx, workspaceID string, before, after *model.ProcessingStatus) error {
	if before == after || before != nil && after != nil && *before == *after {
		return nil
	}
	var rows []*statusCount
	if before != nil {
		rows = append(rows, &statusCount{WorkspaceID: workspaceID, Status: *before, Documents: -1})
	}
	if after != nil {
		rows = append(rows, &statusCount{WorkspaceID: workspaceID, Status: *after, Documents: 1})
	}
	slices.SortFunc(rows, func(a, b *statusCount) int { return strings.Compare(string(a.Status), string(b.Status)) })
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT (workspace_id, status) DO UPDATE").
		Set("documents = status_count.documents + EXCLUDED.documents").Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) page(
	ctx context.Context, p part, f *model.DocumentFilter, columns []string,
) ([]*model.Document, *model.Workspace, error) {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column(columns...).Where("workspace_id = ?", p.workspaceID)
	if unfiltered(f) {
		return s.cut(ctx, q, p)
	}
	rows := []*model.Document{}
	err := p.Apply(s.narrow(q, f)).Scan(ctx, &rows)
	return rows, nil, dbx.Err(err)
}

// count reads the workspace's own counters where one is the answer, and counts the rows of other filters.
func (s *Service) count(ctx context.Context, workspaceID string, f *model.DocumentFilter) (int, error) {
	if unfiltered(f) {
		w, err := s.counters(ctx, workspaceID)
		return w.DocumentCount, err
	}
	if status := f.ProcessingStatus.Value(); status != nil && unfiltered(&model.DocumentFilter{
		Q: f.Q, Tag: f.Tag, ContentType: f.ContentType, Company: f.Company, Executive: f.Executive, MediaProvenance: f.MediaProvenance,
	}) {
		return s.countOf(ctx, workspaceID, *status)
	}
	q := s.db.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ?", workspaceID)
	n, err := s.narrow(q, f).Count(ctx)
	return int(n), dbx.Err(err)
}

// counters reads the counters that the workspace keeps of its documents.
func (s *Service) counters(ctx context.Context, workspaceID string) (*model.Workspace, error) {
	q := s.db.NewSelect().Model((*model.Workspace)(nil)).Column("document_count", "hidden_count").Where("id = ?", workspaceID)
	w, err := dbx.ReadOne[model.Workspace](ctx, s.db, q)
	if err != nil {
		return &model.Workspace{}, err
	}
	return w, nil
}

func (s *Service) countOf(ctx context.Context, workspaceID string, status model.ProcessingStatus) (int, error) {
	q := s.db.NewSelect().Model((*statusCount)(nil)).Column("documents").Where("workspace_id = ? AND status = ?", workspaceID, status)
	c, err := dbx.ReadOne[statusCount](ctx, s.db, q)
	if errs.Is(err, errs.NotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return c.Documents, nil
}

// autoTags reads what is shown of the values, and which document each is of.
func (s *Service) autoTags(ctx context.Context, workspaceID string, ids []string) ([]*model.DocumentAutoTag, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := s.db.NewSelect().Model((*model.DocumentAutoTag)(nil)).
		Column("document_id", "name", "tag_type", "extracted_value", "confidence_score", "applied_at").
		Where("workspace_id = ? AND document_id IN ?", workspaceID, bun.Tuple(ids)).Order("applied_at", "id")
	return dbx.Read[model.DocumentAutoTag](ctx, s.db, q)
}
