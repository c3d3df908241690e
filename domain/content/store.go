package content

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
)

func (s *Service) insertDraft(ctx context.Context, draft *model.Draft) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := tx.NewInsert().Model(draft).Exec(ctx)
		s.record(tx, draft.WorkspaceID, model.EventDraftCreated, draft.ID)
		return dbx.Err(err)
	})
}

func (s *Service) readDraft(ctx context.Context, workspaceID, id string, columns []string) (*model.Draft, error) {
	q := s.db.NewSelect().Model((*model.Draft)(nil)).Column(columns...).
		Where("workspace_id = ? AND id = ?", workspaceID, id)
	return dbx.ReadOne[model.Draft](ctx, s.db, q)
}

func (s *Service) draftForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Draft, error) {
	draft := new(model.Draft)
	q := tx.NewSelect().Model(draft).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return draft, dbx.Err(s.db.ForUpdate(q).Scan(ctx))
}

// saveDraft updates all mutable columns of a draft.
func (s *Service) saveDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	_, err := tx.NewUpdate().Model(draft).ExcludeColumn("id", "workspace_id", "created_at").
		Where("workspace_id = ? AND id = ?", draft.WorkspaceID, draft.ID).Exec(ctx)
	s.record(tx, draft.WorkspaceID, model.EventDraftUpdated, draft.ID)
	return dbx.Err(err)
}

func (s *Service) deleteDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	_, err := tx.NewDelete().Model(draft).Where("workspace_id = ? AND id = ?", draft.WorkspaceID, draft.ID).Exec(ctx)
	s.record(tx, draft.WorkspaceID, model.EventDraftDeleted, draft.ID)
	return dbx.Err(err)
}

// draftFilter returns the conditions of the filter of drafts; blank ids match every draft.
func (s *Service) draftFilter() dbx.Filter[api.DraftFilter] {
	return dbx.Filter[api.DraftFilter]{
		dbx.MatchValue("knowledgebase", func(f *api.DraftFilter) *string {
			return nonBlank(f.KnowledgebaseID.Value())
		}),
		dbx.MatchValue("project_id", func(f *api.DraftFilter) *string { return nonBlank(f.ProjectID.Value()) }),
		dbx.MatchAnyText("contentTypes", "content_type",
			func(f *api.DraftFilter) []string { return f.ContentTypes.Value() }),
		dbx.MatchBy(func(f *api.DraftFilter) *string { return f.PersonaID.Value() },
			func(q *bun.SelectQuery, id string) *bun.SelectQuery {
				return s.db.MemberContaining(q, "metadata", "audience_persona_ids", id)
			}),
		dbx.MatchParts(func(f *api.DraftFilter) *string { return f.Q.Value() }, "title", "content"),
		visibility.Match(s.db, "draft", func(f *api.DraftFilter) *model.Visibility { return f.Visibility.Value() }),
		dbx.MatchTime("saved", "updated_at", func(f *api.DraftFilter) *model.TimeRange { return f.Saved.Value() }),
	}
}
