package audience

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// reactionsTo returns all reactions to one version of a text.
func (s *Service) reactionsTo(ctx context.Context, of *subject) ([]*model.Reaction, error) {
	rows := []*model.Reaction{}
	err := s.DB.NewSelect().Model(&rows).Where("subject_id = ? AND version = ?", of.ID, of.Version).Scan(ctx)
	return rows, dbx.Err(err)
}

// findReaction returns the completed reaction of a persona's current version to a text, or nil.
func (s *Service) findReaction(ctx context.Context, db dbx.Reader, r personaReading) (*model.Reaction, error) {
	row := new(model.Reaction)
	err := db.NewSelect().Model(row).Where("persona_id = ? AND subject_id = ? AND version = ?", r.Reader.ID, r.ID,
		r.subject.Version).
		Where("persona_version = ? AND status = ?", r.Reader.Version, model.ReactionStatusCompleted).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// saveReaction stores a persona's reaction to a version of a text. It always replaces a stored
// failure. It replaces any other only by a completed reaction of a changed persona.
func (s *Service) saveReaction(ctx context.Context, tx dbx.Tx, r *model.Reaction) error {
	_, err := tx.NewInsert().Model(r).On("CONFLICT (persona_id, subject_id, version) DO UPDATE").
		Set("id = EXCLUDED.id").Set("persona_version = EXCLUDED.persona_version").Set("status = EXCLUDED.status").
		Set("rating = EXCLUDED.rating").Set("sentiment = EXCLUDED.sentiment").Set("text = EXCLUDED.text").
		Set("basis = EXCLUDED.basis").Set("confidence = EXCLUDED.confidence").
		Set("rating_distribution = EXCLUDED.rating_distribution").
		Set("warning = EXCLUDED.warning").
		Set("themes = EXCLUDED.themes").Set("risks = EXCLUDED.risks").Set("actions = EXCLUDED.actions").
		Set("quotes = EXCLUDED.quotes").
		Set("error_code = EXCLUDED.error_code").Set("error_message = EXCLUDED.error_message").
		Set("model = EXCLUDED.model").
		Set("source_document_ids = EXCLUDED.source_document_ids").Set("job_id = EXCLUDED.job_id").
		Set("owed_by = EXCLUDED.owed_by").
		Set("created_at = EXCLUDED.created_at").
		Where("reaction.status = ? OR EXCLUDED.status = ? AND reaction.persona_version <> EXCLUDED.persona_version",
			model.ReactionStatusFailed, model.ReactionStatusCompleted).Exec(ctx)
	s.RecordChange(tx, r.WorkspaceID, model.EventObjectChanged, r.SubjectID)
	return dbx.Err(err)
}

// takeOwedReactions returns the reactions paid from a job's reservation, oldest first. It clears
// the link, so that none is paid twice.
func takeOwedReactions(ctx context.Context, tx dbx.Tx, of *model.Job) ([]*model.Reaction, error) {
	rows := []*model.Reaction{}
	if err := tx.NewSelect().Model(&rows).Where("owed_by = ?", of.ID).Order("created_at", "id").Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	_, err := tx.NewUpdate().Model((*model.Reaction)(nil)).Set("owed_by = NULL").Where("owed_by = ?", of.ID).Exec(ctx)
	return rows, dbx.Err(err)
}

// countKept returns how many of the plan's personas have reacted to a document's current text, or
// to a draft.
func (s *Service) countKept(ctx context.Context, tx dbx.Tx, workspaceID string, in readingPlan) (int, error) {
	if len(in.PersonaIDs) == 0 {
		return 0, nil
	}
	var n int
	var q *bun.SelectQuery
	if in.DraftID != "" {
		q = tx.NewSelect().TableExpr("reaction AS r").Where("r.draft_id = ?", in.DraftID)
	} else {
		q = s.Documents.SelectIn(tx, workspaceID).Where("d.id = ?", in.DocumentID).
			Join("JOIN reaction AS r ON r.document_id = d.id AND r.version = d.version")
	}
	err := q.ColumnExpr("count(DISTINCT r.persona_id)").
		Where("r.workspace_id = ? AND r.status = ?", workspaceID, model.ReactionStatusCompleted).
		Where("r.persona_id IN ?", bun.Tuple(in.PersonaIDs)).Scan(ctx, &n)
	return n, dbx.Err(err)
}

func (s *Service) reactionByID(ctx context.Context, workspaceID, id string) (*model.Reaction, error) {
	row := new(model.Reaction)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return row, dbx.Err(err)
}

// DocumentTables are the tables whose rows are kept with a deleted document.
var DocumentTables = []dbx.KeptTable{
	{Name: "reaction", Where: "document_id = ?", Parents: map[string]string{"persona_id": "persona"}},
	{Name: "audience_summary_reaction",
		Where:   "reaction_id IN (SELECT id FROM reaction WHERE document_id = ?)",
		Parents: map[string]string{"summary_id": "audience_summary", "reaction_id": "reaction"}},
}
