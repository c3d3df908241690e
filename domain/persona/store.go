package persona

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

func (s *Service) byID(ctx context.Context, workspaceID, id string, columns []string) (*model.Persona, error) {
	q := s.db.NewSelect().Model((*model.Persona)(nil)).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id)
	persona, err := dbx.ReadOne[model.Persona](ctx, s.db, q)
	return persona, missing(err, "persona", id)
}

func (s *Service) byIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	err := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ? AND id IN (?)", workspaceID, bun.In(ids)).Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) forUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Persona, error) {
	persona := new(model.Persona)
	q := tx.NewSelect().Model(persona).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return persona, missing(s.db.Locked(q).Scan(ctx), "persona", id)
}

// missing names what was looked for when there is no such row.
func missing(err error, what, id string) error {
	if err = dbx.Err(err); errs.Is(err, errs.NotFound) {
		return errs.New(errs.NotFound, "there is no %s %s in this workspace", what, id)
	}
	return err
}

// save writes everything of a persona but what never changes.
func save(ctx context.Context, tx dbx.Tx, p *model.Persona) error {
	_, err := tx.NewUpdate().Model(p).ExcludeColumn("id", "workspace_id", "created_at", "created_by").
		Where("workspace_id = ? AND id = ?", p.WorkspaceID, p.ID).Exec(ctx)
	return dbx.Err(err)
}

// remove takes a persona out, and its id out of the personas that it was the source of.
func (s *Service) remove(ctx context.Context, workspaceID, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		result, err := tx.NewDelete().Model((*model.Persona)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).Exec(ctx)
		if err := gone(result, err, "persona", id); err != nil {
			return err
		}
		_, err = tx.NewUpdate().Model((*model.Persona)(nil)).Set("source_persona_id = NULL").
			Where("workspace_id = ? AND source_persona_id = ?", workspaceID, id).Exec(ctx)
		return dbx.Err(err)
	})
}

func (s *Service) removeRefinement(ctx context.Context, workspaceID, personaID, id string) error {
	result, err := s.db.NewDelete().Model((*model.PersonaRefinement)(nil)).
		Where("workspace_id = ? AND persona_id = ? AND id = ?", workspaceID, personaID, id).Exec(ctx)
	return gone(result, err, "refinement", id)
}

// gone fails with not_found when a delete met no row.
func gone(result sql.Result, err error, what, id string) error {
	if err != nil {
		return dbx.Err(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errs.New(errs.NotFound, "there is no %s %s in this workspace", what, id)
	}
	return nil
}

func (s *Service) page(
	ctx context.Context, workspaceID string, w dbx.Window, f *model.PersonaFilter, columns []string,
) ([]*model.Persona, error) {
	q := s.db.NewSelect().Model((*model.Persona)(nil)).Column(columns...).Where("workspace_id = ?", workspaceID)
	return dbx.Read[model.Persona](ctx, s.db, w.Apply(s.narrow(q, f)))
}

func (s *Service) count(ctx context.Context, workspaceID string, f *model.PersonaFilter) (int, error) {
	q := s.db.NewSelect().Model((*model.Persona)(nil)).Where("workspace_id = ?", workspaceID)
	n, err := s.narrow(q, f).Count(ctx)
	return int(n), dbx.Err(err)
}

func (s *Service) categories(ctx context.Context, workspaceID string) ([]string, error) {
	names := []string{}
	err := s.db.NewSelect().Model((*model.Persona)(nil)).ColumnExpr("DISTINCT category").
		Where("workspace_id = ?", workspaceID).Order("category").Scan(ctx, &names)
	return names, dbx.Err(err)
}

func (s *Service) refinements(ctx context.Context, workspaceID string, personaIDs ...string) ([]*model.PersonaRefinement, error) {
	if len(personaIDs) == 0 {
		return []*model.PersonaRefinement{}, nil
	}
	q := s.db.NewSelect().Model((*model.PersonaRefinement)(nil)).
		Where("workspace_id = ? AND persona_id IN ?", workspaceID, bun.Tuple(personaIDs)).Order("created_at", "id")
	return dbx.Read[model.PersonaRefinement](ctx, s.db, q)
}

func (s *Service) interactionExists(ctx context.Context, workspaceID, personaID, id string) error {
	var found string
	err := s.db.NewSelect().Table("persona_interaction").Column("id").
		Where("workspace_id = ? AND persona_id = ? AND id = ?", workspaceID, personaID, id).Scan(ctx, &found)
	return dbx.Err(err)
}
