package persona

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// byName reads up to two personas of an exact name: a second one makes the name ambiguous.
func (s *Service) byName(ctx context.Context, workspaceID, name string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND name = ?", workspaceID, name).Limit(2).Scan(ctx)
	return rows, dbx.Err(err)
}

// keep stores an interaction, once for all tries of its job; one of a persona that is not stored is nil and left out.
func keep(ctx context.Context, tx dbx.Tx, row *model.PersonaInteraction) error {
	if row == nil {
		return nil
	}
	var there string
	err := dbx.Err(tx.NewSelect().Model((*model.Persona)(nil)).Column("id").
		Where("workspace_id = ? AND id = ?", row.WorkspaceID, row.PersonaID).Scan(ctx, &there))
	if errs.Is(err, errs.NotFound) {
		return errs.New(errs.NotFound, "the persona was deleted before it had answered")
	}
	if err != nil {
		return err
	}
	_, err = tx.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	return dbx.Err(err)
}

// historyLength is how many turns of a conversation a reply looks back on.
const historyLength = 10

// history reads the last turns of a conversation with a persona, oldest first.
func (s *Service) history(ctx context.Context, workspaceID, personaID, sessionID string) ([]*model.PersonaInteraction, error) {
	rows := []*model.PersonaInteraction{}
	err := s.db.NewSelect().Model(&rows).
		Where("workspace_id = ? AND session_id = ? AND persona_id = ?", workspaceID, sessionID, personaID).
		Order("created_at DESC", "id DESC").Limit(historyLength).Scan(ctx)
	slices.Reverse(rows)
	return rows, dbx.Err(err)
}

func (s *Service) ofPersona(model any, workspaceID, personaID string, sessionID *string) *bun.SelectQuery {
	q := s.db.NewSelect().Model(model).Where("workspace_id = ? AND persona_id = ?", workspaceID, personaID)
	return dbx.Equal(q, "session_id", sessionID)
}

func (s *Service) interactions(
	ctx context.Context, workspaceID, personaID string, sessionID *string, w dbx.Window,
) ([]*model.PersonaInteraction, error) {
	rows := []*model.PersonaInteraction{}
	err := w.Apply(s.ofPersona(&rows, workspaceID, personaID, sessionID)).Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) countInteractions(ctx context.Context, workspaceID, personaID string, sessionID *string) (int, error) {
	n, err := s.ofPersona((*model.PersonaInteraction)(nil), workspaceID, personaID, sessionID).Count(ctx)
	return int(n), dbx.Err(err)
}
