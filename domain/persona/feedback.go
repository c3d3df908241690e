package persona

import (
	"context"
	"fmt"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Feedback keeps a note on how a persona answered; a negative one becomes a refinement in the same transaction. It fails with not_found
// when there is no such persona.
func (s *Service) Feedback(ctx context.Context, personaID string, in model.PersonaFeedbackInput) (*model.PersonaFeedbackPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.byID(ctx, p.WorkspaceID, personaID, []string{"id"}); err != nil {
		return nil, err
	}
	if err := s.checkNote(ctx, p.WorkspaceID, personaID, in); err != nil {
		return nil, err
	}
	note := noteOf(p, personaID, in)
	learned := refinementOf(note)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := tx.NewInsert().Model(note).Exec(ctx); err != nil || learned == nil {
			return err
		}
		_, err := tx.NewInsert().Model(learned).Exec(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("keep a note: %w", err)
	}
	return &model.PersonaFeedbackPayload{FeedbackID: note.ID, Message: "Persona feedback recorded successfully", Refinement: learned}, nil
}

func (s *Service) checkNote(ctx context.Context, workspaceID, personaID string, in model.PersonaFeedbackInput) error {
	var bad faults
	if metadata := in.Metadata.Value(); len(metadata) > 0 && string(metadata) != "null" {
		if !isObject(metadata) {
			bad.add("dict_type", "must be an object", "metadata")
		}
		if len(metadata) > maxSourceBytes {
			bad.add("too_long", fmt.Sprintf("must have at most %d KB", maxSourceBytes/1000), "metadata")
		}
	}
	if id := in.InteractionID.Value(); id != nil {
		if err := s.interactionExists(ctx, workspaceID, personaID, *id); errs.Is(err, errs.NotFound) {
			bad.add("unknown_id", "names no interaction of this persona", "interactionId")
		} else if err != nil {
			return err
		}
	}
	return bad.err()
}

func noteOf(p model.Principal, personaID string, in model.PersonaFeedbackInput) *model.PersonaFeedback {
	note := &model.PersonaFeedback{
		ID: model.NewID(model.FeedbackPrefix), WorkspaceID: p.WorkspaceID, PersonaID: personaID, FeedbackType: in.FeedbackType,
		Description: strings.TrimSpace(in.Description), InteractionID: in.InteractionID.Value(), MessageContent: in.MessageContent.Value(),
		MessageID: in.MessageID.Value(), PersonaMode: in.PersonaMode.Value(), PersonaName: in.PersonaName.Value(),
		SessionID: in.SessionID.Value(), CreatedBy: p.Actor(), CreatedAt: model.Now(),
	}
	if metadata := in.Metadata.Value(); isObject(metadata) {
		note.Metadata = metadata
	}
	return note
}

// refinementOf is what a persona learns from a note; nil from a positive one.
func refinementOf(note *model.PersonaFeedback) *model.PersonaRefinement {
	if note.FeedbackType == model.FeedbackTypePositive {
		return nil
	}
	return &model.PersonaRefinement{
		ID: model.NewID(model.RefinementPrefix), WorkspaceID: note.WorkspaceID, PersonaID: note.PersonaID, FeedbackID: note.ID,
		Instruction: note.Description, CreatedAt: note.CreatedAt,
	}
}

// Refinements reads what the personas learned, all with one statement, in the order of the personas.
func (s *Service) Refinements(ctx context.Context, personas []*model.Persona) ([][]*model.PersonaRefinement, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(personas))
	for i, one := range personas {
		ids[i] = one.ID
	}
	rows, err := s.refinements(ctx, p.WorkspaceID, ids...)
	if err != nil {
		return nil, err
	}
	byPersona := make(map[string][]*model.PersonaRefinement, len(personas))
	for _, row := range rows {
		byPersona[row.PersonaID] = append(byPersona[row.PersonaID], row)
	}
	out := make([][]*model.PersonaRefinement, len(personas))
	for i, one := range personas {
		out[i] = model.OrEmpty(byPersona[one.ID])
	}
	return out, nil
}

// Forget takes a refinement back. It fails with not_found.
func (s *Service) Forget(ctx context.Context, personaID, id string) (*model.DeletePersonaRefinementPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.removeRefinement(ctx, p.WorkspaceID, personaID, id); err != nil {
		return nil, fmt.Errorf("delete refinement: %w", err)
	}
	return &model.DeletePersonaRefinementPayload{ID: id}, nil
}
