package content

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

func (s *Service) insertDraft(ctx context.Context, draft *model.Draft) error {
	_, err := s.db.NewInsert().Model(draft).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) draft(ctx context.Context, workspaceID, id string, columns []string) (*model.Draft, error) {
	q := s.db.NewSelect().Model((*model.Draft)(nil)).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return dbx.ReadOne[model.Draft](ctx, s.db, q)
}

func (s *Service) draftForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Draft, error) {
	draft := new(model.Draft)
	q := tx.NewSelect().Model(draft).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return draft, dbx.Err(s.db.Locked(q).Scan(ctx))
}

// writeDraft writes everything of a draft but what never changes.
func writeDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	_, err := tx.NewUpdate().Model(draft).ExcludeColumn("id", "workspace_id", "created_at").
		Where("workspace_id = ? AND id = ?", draft.WorkspaceID, draft.ID).Exec(ctx)
	return dbx.Err(err)
}

func removeDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	_, err := tx.NewDelete().Model(draft).Where("workspace_id = ? AND id = ?", draft.WorkspaceID, draft.ID).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) drafts(
	ctx context.Context, workspaceID string, w dbx.Window, f *model.DraftFilter, columns []string,
) ([]*model.Draft, error) {
	q := s.db.NewSelect().Model((*model.Draft)(nil)).Column(columns...).Where("workspace_id = ?", workspaceID)
	return dbx.Read[model.Draft](ctx, s.db, w.Apply(narrow(q, f)))
}

func (s *Service) countDrafts(ctx context.Context, workspaceID string, f *model.DraftFilter) (int, error) {
	q := s.db.NewSelect().Model((*model.Draft)(nil)).Where("workspace_id = ?", workspaceID)
	n, err := narrow(q, f).Count(ctx)
	return int(n), dbx.Err(err)
}

// narrow keeps the drafts that match every given field of the filter.
func narrow(q *bun.SelectQuery, f *model.DraftFilter) *bun.SelectQuery {
	if f == nil {
		return q
	}
	if name := given(f.KnowledgebaseID.Value()); name != nil {
		q = q.Where("knowledgebase = ?", *name)
	}
	if id := given(f.ProjectID.Value()); id != nil {
		q = q.Where("project_id = ?", *id)
	}
	return q
}
