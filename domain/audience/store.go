package audience

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// reactionsTo reads all reactions to one version of a text.
func (s *Service) reactionsTo(ctx context.Context, of *subject) ([]*model.Reaction, error) {
	rows := []*model.Reaction{}
	err := s.DB.NewSelect().Model(&rows).Where("subject_id = ? AND version = ?", of.ID, of.Version).Scan(ctx)
	return rows, dbx.Err(err)
}

// standing finds the reaction of a persona, as it is now, to a text; nil when there is none.
func (s *Service) standing(ctx context.Context, db bun.IDB, r reading) (*model.Reaction, error) {
	row := new(model.Reaction)
	err := db.NewSelect().Model(row).Where("persona_id = ? AND subject_id = ? AND version = ?", r.Reader.ID, r.ID, r.subject.Version).
		Where("persona_version = ? AND status = ?", r.Reader.Version, model.ReactionStatusCompleted).Scan(ctx)
	return dbx.OrNone(row, err)
}

// keep stores a reaction as the one of its persona and version. One that is there gives way to a later one of a persona that has changed since,
// never to a failure; a failure gives way to everything.
func keep(ctx context.Context, tx dbx.Tx, r *model.Reaction) error {
	_, err := tx.NewInsert().Model(r).On("CONFLICT (persona_id, subject_id, version) DO UPDATE").
		Set("id = EXCLUDED.id").Set("persona_version = EXCLUDED.persona_version").Set("status = EXCLUDED.status").
		Set("rating = EXCLUDED.rating").Set("sentiment = EXCLUDED.sentiment").Set("text = EXCLUDED.text").
		Set("themes = EXCLUDED.themes").Set("risks = EXCLUDED.risks").Set("actions = EXCLUDED.actions").Set("quotes = EXCLUDED.quotes").
		Set("error_code = EXCLUDED.error_code").Set("error_message = EXCLUDED.error_message").Set("model = EXCLUDED.model").
		Set("owed_by = EXCLUDED.owed_by").Set("created_at = EXCLUDED.created_at").
		Where("reaction.status = ? OR EXCLUDED.status = ? AND reaction.persona_version <> EXCLUDED.persona_version",
			model.ReactionStatusFailed, model.ReactionStatusCompleted).Exec(ctx)
	return dbx.Err(err)
}

// settled reads the reactions that a job's reservation pays for, oldest first, and takes them off it, so that none is paid twice.
func settled(ctx context.Context, tx dbx.Tx, of *model.Job) ([]*model.Reaction, error) {
	rows := []*model.Reaction{}
	if err := tx.NewSelect().Model(&rows).Where("owed_by = ?", of.ID).Order("created_at", "id").Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	_, err := tx.NewUpdate().Model((*model.Reaction)(nil)).Set("owed_by = NULL").Where("owed_by = ?", of.ID).Exec(ctx)
	return rows, dbx.Err(err)
}

// countKept counts the personas of a plan of whom there is a reaction to the present text of a document, or to a draft.
func countKept(ctx context.Context, tx dbx.Tx, workspaceID string, in plan) (int, error) {
	if len(in.PersonaIDs) == 0 {
		return 0, nil
	}
	var n int
	q := tx.NewSelect().Model((*model.Reaction)(nil)).ColumnExpr("count(DISTINCT reaction.persona_id)").
		Where("reaction.workspace_id = ? AND reaction.status = ?", workspaceID, model.ReactionStatusCompleted).
		Where("reaction.persona_id IN ?", bun.Tuple(in.PersonaIDs))
	if in.DraftID != "" {
		q = q.Where("reaction.draft_id = ?", in.DraftID)
	} else {
		q = q.Join("JOIN document AS d ON d.id = reaction.document_id AND d.version = reaction.version").Where("d.id = ?", in.DocumentID)
	}
	return n, dbx.Err(q.Scan(ctx, &n))
}

func (s *Service) page(ctx context.Context, workspaceID, documentID string, w dbx.Window) ([]*model.Reaction, error) {
	rows := []*model.Reaction{}
	q := s.DB.NewSelect().Model(&rows).Where("workspace_id = ? AND document_id = ?", workspaceID, documentID)
	return rows, dbx.Err(w.Apply(q).Scan(ctx))
}

func (s *Service) count(ctx context.Context, workspaceID, documentID string) (int, error) {
	n, err := s.DB.NewSelect().Model((*model.Reaction)(nil)).Where("workspace_id = ? AND document_id = ?", workspaceID, documentID).Count(ctx)
	return int(n), dbx.Err(err)
}

func (s *Service) ofDocuments(ctx context.Context, workspaceID string, ids []string) ([]*model.Reaction, error) {
	rows := []*model.Reaction{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := s.DB.NewSelect().Model(&rows).Where("workspace_id = ? AND document_id IN ?", workspaceID, bun.Tuple(ids)).
		Order("created_at DESC", "id DESC").Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) reaction(ctx context.Context, workspaceID, id string) (*model.Reaction, error) {
	row := new(model.Reaction)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return row, dbx.Err(err)
}
