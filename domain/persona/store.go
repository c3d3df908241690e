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
	q := s.db.NewSelect().Model((*model.Persona)(nil)).Column(columns...).
		Where("workspace_id = ? AND id = ?", workspaceID, id)
	persona, err := dbx.ReadOne[model.Persona](ctx, s.db, q)
	return persona, notFoundError(err, "persona", id)
}

func (s *Service) byIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Persona,
	error) {
	rows := []*model.Persona{}
	err := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ? AND id IN (?)", workspaceID,
		bun.List(ids)).Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) lockPersona(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Persona, error) {
	persona := new(model.Persona)
	q := tx.NewSelect().Model(persona).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return persona, notFoundError(s.db.ForUpdate(q).Scan(ctx), "persona", id)
}

// notFoundError returns a not_found error with kind and id for a missing row, and others unchanged.
func notFoundError(err error, kind, id string) error {
	if err = dbx.Err(err); errs.Is(err, errs.NotFound) {
		return errs.New(errs.NotFound, "there is no %s %s in this workspace", kind, id)
	}
	return err
}

// savePersona updates all mutable columns of a persona.
func (s *Service) savePersona(ctx context.Context, tx dbx.Tx, p *model.Persona) error {
	_, err := tx.NewUpdate().Model(p).ExcludeColumn("id", "workspace_id", "created_at", "created_by").
		Where("workspace_id = ? AND id = ?", p.WorkspaceID, p.ID).Exec(ctx)
	s.record(tx, p.WorkspaceID, model.EventPersonaUpdated, p.ID)
	return dbx.Err(err)
}

// deletePersona deletes a persona and clears the references to it as a source persona.
func (s *Service) deletePersona(ctx context.Context, workspaceID, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		result, err := tx.NewDelete().Model((*model.Persona)(nil)).Where("workspace_id = ? AND id = ?", workspaceID,
			id).Exec(ctx)
		if err := requireDeleted(result, err, "persona", id); err != nil {
			return err
		}
		s.record(tx, workspaceID, model.EventPersonaDeleted, id)
		var derived []string
		_, err = tx.NewUpdate().Model((*model.Persona)(nil)).Set("source_persona_id = NULL").
			Where("workspace_id = ? AND source_persona_id = ?", workspaceID, id).Returning("id").Exec(ctx, &derived)
		for _, one := range derived {
			s.record(tx, workspaceID, model.EventPersonaUpdated, one)
		}
		return dbx.Err(err)
	})
}

func (s *Service) removeRefinement(ctx context.Context, workspaceID, personaID, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		result, err := tx.NewDelete().Model((*model.PersonaRefinement)(nil)).
			Where("workspace_id = ? AND persona_id = ? AND id = ?", workspaceID, personaID, id).Exec(ctx)
		s.record(tx, workspaceID, model.EventPersonaUpdated, personaID)
		return requireDeleted(result, err, "refinement", id)
	})
}

// requireDeleted returns a not_found error if no row was deleted.
func requireDeleted(result sql.Result, err error, kind, id string) error {
	if err != nil {
		return dbx.Err(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errs.New(errs.NotFound, "there is no %s %s in this workspace", kind, id)
	}
	return nil
}

func (s *Service) listCategories(ctx context.Context, workspaceID string) ([]string, error) {
	names := []string{}
	err := s.db.NewSelect().Model((*model.Persona)(nil)).ColumnExpr("DISTINCT category").
		Where("workspace_id = ?", workspaceID).Order("category").Scan(ctx, &names)
	return names, dbx.Err(err)
}

func (s *Service) listRefinements(ctx context.Context, workspaceID string,
	personaIDs ...string) ([]*model.PersonaRefinement, error) {
	if len(personaIDs) == 0 {
		return []*model.PersonaRefinement{}, nil
	}
	q := s.db.NewSelect().Model((*model.PersonaRefinement)(nil)).
		Where("workspace_id = ? AND persona_id IN ?", workspaceID, bun.Tuple(personaIDs)).Order("created_at", "id")
	return dbx.Read[model.PersonaRefinement](ctx, s.db, q)
}

// dropOldRefinements deletes a persona's refinements beyond the newest maxRefinements.
func (s *Service) dropOldRefinements(ctx context.Context, tx dbx.Tx, workspaceID, personaID string) error {
	newest := tx.NewSelect().Model((*model.PersonaRefinement)(nil)).Column("id").
		Where("workspace_id = ? AND persona_id = ?", workspaceID, personaID).
		Order("created_at DESC", "id DESC").Limit(maxRefinements)
	_, err := tx.NewDelete().Model((*model.PersonaRefinement)(nil)).
		Where("workspace_id = ? AND persona_id = ? AND id NOT IN (?)", workspaceID, personaID, newest).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) interactionExists(ctx context.Context, workspaceID, personaID, id string) error {
	var found string
	err := s.db.NewSelect().Table("persona_interaction").Column("id").
		Where("workspace_id = ? AND persona_id = ? AND id = ?", workspaceID, personaID, id).Scan(ctx, &found)
	return dbx.Err(err)
}
