package document

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Insert stores and counts a document in the caller's transaction, and calls the hooks. It updates
// the count first: the row's foreign key locks the workspace, so two transactions that update it
// afterwards would deadlock.
func (s *Service) Insert(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	byDefault, err := addToTotal(ctx, tx, doc.WorkspaceID, 1)
	if err != nil {
		return err
	}
	setDefaultVisibility(doc, byDefault)
	if err := s.attachParties(ctx, tx, nil, doc); err != nil {
		return err
	}
	doc.Version = versionOf(doc)
	if _, err := tx.NewInsert().Model(doc).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	if err := countStatus(ctx, tx, doc.WorkspaceID, nil, doc.ProcessingStatus); err != nil {
		return err
	}
	s.index(tx, doc)
	return s.notifyHooks(ctx, tx, nil, doc)
}

// versionOf returns the version of a text, by which derived data detects a change.
func versionOf(doc *model.Document) string {
	content := ""
	if doc.Content != nil {
		content = *doc.Content
	}
	return model.TextVersion(doc.Title, content)
}

// SetMissingVersion sets the version of a document from before documents had versions. Data derived
// from its text then stays valid when another field changes. It changes nothing else and calls no
// hook.
func (s *Service) SetMissingVersion(ctx context.Context, doc *model.Document) error {
	if doc.Version != "" {
		return nil
	}
	return setVersion(ctx, s.db, doc)
}

// setVersion stores the version of a document's text where it is missing or wrong.
func setVersion(ctx context.Context, db dbx.ReadWriter, doc *model.Document) error {
	stored := doc.Version
	if doc.Version = versionOf(doc); doc.Version == stored {
		return nil
	}
	_, err := db.NewUpdate().Model((*model.Document)(nil)).Set("version = ?", doc.Version).
		Where("workspace_id = ? AND id = ? AND version = ?", doc.WorkspaceID, doc.ID, stored).Exec(ctx)
	return dbx.Err(err)
}

// addToTotal updates the workspace's total, so that lists need not count rows. It returns who may
// know its documents by default.
func addToTotal(ctx context.Context, tx dbx.Tx, workspaceID string, by int) (byDefault model.Visibility, err error) {
	err = tx.NewUpdate().Model((*model.Workspace)(nil)).Set("document_count = document_count + ?", by).
		Where("id = ?", workspaceID).Returning("default_visibility").Scan(ctx, &byDefault)
	return byDefault, dbx.Err(err)
}

func (s *Service) byID(ctx context.Context, workspaceID, id string, columns []string) (*model.Document, error) {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column(columns...).
		Where("workspace_id = ? AND id = ?", workspaceID, id)
	return dbx.ReadOne[model.Document](ctx, s.db, q)
}

// saveDocument updates all columns that can change.
func saveDocument(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	doc.Version = versionOf(doc)
	_, err := tx.NewUpdate().Model(doc).ExcludeColumn("id", "workspace_id", "created_at").
		Where("workspace_id = ? AND id = ?", doc.WorkspaceID, doc.ID).Exec(ctx)
	return dbx.Err(err)
}

// unknownDocument returns the error for an id that no document of the workspace has.
func unknownDocument(id string) error {
	return errs.New(errs.NotFound, "there is no document %s in this workspace", id)
}

// removeDocument deletes a document's row and returns its original, which it leaves. The caller has
// updated the total, because transactions that change both lock the workspace first.
func removeDocument(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.DocumentOriginal, error) {
	var hidden bool
	var status *model.ProcessingStatus
	var original storedOriginal
	err := tx.NewDelete().Model((*model.Document)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).
		Returning("hidden, processing_status, original").Scan(ctx, &hidden, &status, &original)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, unknownDocument(id)
	case err != nil:
		return nil, dbx.Err(err)
	}
	if err := countStatus(ctx, tx, workspaceID, status, nil); err != nil || !hidden {
		return original.DocumentOriginal, err
	}
	return original.DocumentOriginal, addToHidden(ctx, tx, workspaceID, -1)
}

// statusCount is the number of a workspace's documents with a status.
type statusCount struct {
	bun.BaseModel `bun:"table:document_status"`

	WorkspaceID string                 `bun:"workspace_id,pk"`
	Status      model.ProcessingStatus `bun:"status,pk"`
	Documents   int                    `bun:"documents"`
}

// countStatus updates the counts of both statuses in the order of their names, to avoid deadlocks.
// The document must be locked.
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

// countMatching returns a stored total if there is one for the filter, and else counts the rows.
func (s *Service) countMatching(ctx context.Context, workspaceID string, f *api.DocumentFilter,
	asked *askedQuery) (int, error) {
	conditions := s.conditions(workspaceID, asked)
	if conditions.IsEmpty(f) {
		w, err := s.readTotals(ctx, workspaceID)
		return w.DocumentCount, err
	}
	others := *f
	others.ProcessingStatus = graphql.Omittable[*model.ProcessingStatus]{}
	if conditions.IsEmpty(&others) {
		return s.countByStatus(ctx, workspaceID, *f.ProcessingStatus.Value())
	}
	return s.countRows(ctx, workspaceID, f, asked)
}

// countRows counts the documents that match the filter and the further conditions.
func (s *Service) countRows(ctx context.Context, workspaceID string, f *api.DocumentFilter, asked *askedQuery,
	further ...schema.QueryWithArgs) (int, error) {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ?", workspaceID)
	for _, condition := range further {
		q = q.Where("?", condition)
	}
	n, err := s.conditions(workspaceID, asked).Apply(q, f).Count(ctx)
	return int(n), dbx.Err(err)
}

// readTotals returns the totals that the workspace stores.
func (s *Service) readTotals(ctx context.Context, workspaceID string) (*model.Workspace, error) {
	q := s.db.NewSelect().Model((*model.Workspace)(nil)).Column("document_count", "hidden_count").
		Where("id = ?", workspaceID)
	w, err := dbx.ReadOne[model.Workspace](ctx, s.db, q)
	if err != nil {
		return &model.Workspace{}, err
	}
	return w, nil
}

func (s *Service) countByStatus(ctx context.Context, workspaceID string, status model.ProcessingStatus) (int, error) {
	q := s.db.NewSelect().Model((*statusCount)(nil)).Column("documents").
		Where("workspace_id = ? AND status = ?", workspaceID, status)
	c, err := dbx.ReadOne[statusCount](ctx, s.db, q)
	if errs.Is(err, errs.NotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return c.Documents, nil
}
