package persona

import (
	"context"
	"fmt"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// maxRefinements is the number of refinements that a persona has; a new one replaces the oldest.
const maxRefinements = 100

// AddFeedback stores feedback on a reply. Negative feedback also creates a refinement in the same
// transaction. It fails with not_found and validation_failed.
func (s *Service) AddFeedback(ctx context.Context, in api.AddPersonaFeedbackInput) (*api.AddPersonaFeedbackPayload,
	error) {
	p := principal.Must(ctx)
	persona, err := s.byID(ctx, p.WorkspaceID, in.PersonaID, nil)
	if err != nil {
		return nil, err
	}
	if err := s.checkFeedback(ctx, p.WorkspaceID, in); err != nil {
		return nil, err
	}
	note := newFeedback(p, in)
	learned := newRefinement(note)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := tx.NewInsert().Model(note).Exec(ctx); err != nil || learned == nil {
			return err
		}
		if _, err := tx.NewInsert().Model(learned).Exec(ctx); err != nil {
			return err
		}
		err := s.dropOldRefinements(ctx, tx, p.WorkspaceID, persona.ID)
		s.record(tx, p.WorkspaceID, model.EventPersonaUpdated, persona.ID)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("add feedback: %w", err)
	}
	return &api.AddPersonaFeedbackPayload{FeedbackID: note.ID, Persona: persona, Refinement: learned}, nil
}

func (s *Service) checkFeedback(ctx context.Context, workspaceID string, in api.AddPersonaFeedbackInput) error {
	var invalid errs.FieldErrors
	if len(in.Metadata.Value()) > maxSourceBytes {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d KB", maxSourceBytes/1000), "metadata")
	}
	if id := in.InteractionID.Value(); id != nil {
		if err := s.interactionExists(ctx, workspaceID, in.PersonaID, *id); errs.Is(err, errs.NotFound) {
			invalid.Body("unknown_id", "names no interaction of this persona", "interactionId")
		} else if err != nil {
			return err
		}
	}
	return invalid.Err()
}

func newFeedback(p principal.Principal, in api.AddPersonaFeedbackInput) *model.PersonaFeedback {
	note := &model.PersonaFeedback{
		ID: model.NewID(model.FeedbackPrefix), WorkspaceID: p.WorkspaceID, PersonaID: in.PersonaID,
		FeedbackType: in.FeedbackType,
		Description:  strings.TrimSpace(in.Description), InteractionID: in.InteractionID.Value(),
		MessageContent: in.MessageContent.Value(),
		MessageID:      in.MessageID.Value(), PersonaMode: in.PersonaMode.Value(), PersonaName: in.PersonaName.Value(),
		SessionID: in.SessionID.Value(), Metadata: in.Metadata.Value(), CreatedBy: p.Actor(), CreatedAt: model.Now(),
	}
	return note
}

// newRefinement returns the refinement learned from feedback, or nil if the feedback is positive.
func newRefinement(note *model.PersonaFeedback) *model.PersonaRefinement {
	if note.FeedbackType == model.FeedbackTypePositive {
		return nil
	}
	return &model.PersonaRefinement{
		ID: model.NewID(model.RefinementPrefix), WorkspaceID: note.WorkspaceID, PersonaID: note.PersonaID,
		FeedbackID:  note.ID,
		Instruction: note.Description, CreatedAt: note.CreatedAt,
	}
}

// Refinements returns each persona's newest maxRefinements, oldest first, in the order of the
// personas and with one query.
func (s *Service) Refinements(ctx context.Context, personas []*model.Persona) ([][]*model.PersonaRefinement, error) {
	p := principal.Must(ctx)
	ids := make([]string, len(personas))
	for i, persona := range personas {
		ids[i] = persona.ID
	}
	rows, err := s.listRefinements(ctx, p.WorkspaceID, ids...)
	if err != nil {
		return nil, err
	}
	byPersona := make(map[string][]*model.PersonaRefinement, len(personas))
	for _, row := range rows {
		byPersona[row.PersonaID] = append(byPersona[row.PersonaID], row)
	}
	out := make([][]*model.PersonaRefinement, len(personas))
	for i, persona := range personas {
		learned := byPersona[persona.ID]
		out[i] = optional.OrEmpty(learned[max(len(learned)-maxRefinements, 0):])
	}
	return out, nil
}

// DeleteRefinement deletes a refinement. It fails with not_found.
func (s *Service) DeleteRefinement(ctx context.Context, personaID, id string) (*api.DeletePersonaRefinementPayload,
	error) {
	p := principal.Must(ctx)
	if err := s.removeRefinement(ctx, p.WorkspaceID, personaID, id); err != nil {
		return nil, fmt.Errorf("delete refinement: %w", err)
	}
	return &api.DeletePersonaRefinementPayload{DeletedID: id, PersonaID: personaID}, nil
}
