package persona

import (
	"context"
	"slices"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// byName returns up to two personas with an exact name. Two mean that the name is ambiguous.
func (s *Service) byName(ctx context.Context, workspaceID, name string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND name = ?", workspaceID, name).Limit(2).Scan(ctx)
	return rows, dbx.Err(err)
}

// insertInteraction stores an interaction once for all attempts of its job; nil is ignored. It
// returns not_found if the persona was deleted.
func (s *Service) insertInteraction(ctx context.Context, tx dbx.Tx, row *model.PersonaInteraction) error {
	if row == nil {
		return nil
	}
	var found string
	err := dbx.Err(tx.NewSelect().Model((*model.Persona)(nil)).Column("id").
		Where("workspace_id = ? AND id = ?", row.WorkspaceID, row.PersonaID).Scan(ctx, &found))
	if errs.Is(err, errs.NotFound) {
		return errs.New(errs.NotFound, "the persona was deleted before it replied")
	}
	if err != nil {
		return err
	}
	_, err = tx.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	s.record(tx, row.WorkspaceID, model.EventObjectChanged, row.PersonaID)
	return dbx.Err(err)
}

// maxHistory is the number of earlier interactions in a prompt.
const maxHistory = 10

// listHistory returns the latest interactions of a session with a persona, oldest first.
func (s *Service) listHistory(ctx context.Context, workspaceID, personaID,
	sessionID string) ([]*model.PersonaInteraction, error) {
	rows := []*model.PersonaInteraction{}
	err := s.db.NewSelect().Model(&rows).
		Where("workspace_id = ? AND session_id = ? AND persona_id = ?", workspaceID, sessionID, personaID).
		Order("created_at DESC", "id DESC").Limit(maxHistory).Scan(ctx)
	slices.Reverse(rows)
	return rows, dbx.Err(err)
}
