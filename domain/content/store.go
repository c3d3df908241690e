package content

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
)

// StoredBytes returns how many bytes the texts of a workspace's drafts have, all their versions and
// comments included.
func (s *Service) StoredBytes(ctx context.Context, workspaceID string) (bytes int64, err error) {
	for _, texts := range []struct {
		table any
		size  string
	}{
		{(*model.Draft)(nil), "octet_length(content)"}, {(*model.DraftVersion)(nil), "octet_length(content)"},
		{(*model.DraftComment)(nil), "octet_length(text) + coalesce(octet_length(quote), 0)"},
	} {
		var sum int64
		err := s.db.NewSelect().Model(texts.table).ColumnExpr("coalesce(sum("+texts.size+"), 0)").
			Where("workspace_id = ?", workspaceID).Scan(ctx, &sum)
		if err != nil {
			return 0, dbx.Err(err)
		}
		bytes += sum
	}
	return bytes, nil
}

func (s *Service) insertDraft(ctx context.Context, draft *model.Draft, version *model.DraftVersion) error {
	if err := s.takeStorage(ctx, draft.WorkspaceID, 2*len(version.Content)); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		draft.CurrentVersionID = &version.ID
		if _, err := tx.NewInsert().Model(draft).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		s.record(tx, draft.WorkspaceID, model.EventDraftCreated, draft.ID)
		return s.insertVersion(ctx, tx, draft, version)
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

// saveDraft updates all mutable columns of a draft. event is the name of what happened to it.
func (s *Service) saveDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft, event string) error {
	_, err := tx.NewUpdate().Model(draft).ExcludeColumn("id", "workspace_id", "created_at").
		Where("workspace_id = ? AND id = ?", draft.WorkspaceID, draft.ID).Exec(ctx)
	s.record(tx, draft.WorkspaceID, event, draft.ID)
	return dbx.Err(err)
}

func (s *Service) deleteDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	_, err := tx.NewDelete().Model(draft).Where("workspace_id = ? AND id = ?", draft.WorkspaceID, draft.ID).Exec(ctx)
	s.record(tx, draft.WorkspaceID, model.EventDraftDeleted, draft.ID)
	return dbx.Err(err)
}

// draftFilter returns the conditions of a user's filter of drafts; blank ids match every draft. The user
// is empty for a key.
func (s *Service) draftFilter(userID string) dbx.Filter[api.DraftFilter] {
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
		dbx.MatchAny("states", "state", func(f *api.DraftFilter) []model.DraftState { return f.States.Value() }),
		dbx.MatchValue("assignee_id", func(f *api.DraftFilter) *string { return f.AssigneeID.Value() }),
		dbx.MatchBy(func(f *api.DraftFilter) *bool { return f.AssignedToViewer.Value() },
			func(q *bun.SelectQuery, mine bool) *bun.SelectQuery {
				return q.Where("coalesce(assignee_id = ?, false) = ?", userID, mine)
			}),
		dbx.MatchTime("saved", "updated_at", func(f *api.DraftFilter) *model.TimeRange { return f.Saved.Value() }),
	}
}
