package persona

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/model"
)

// voiceCategory is the category of personas that are made as voices; they are no members of the audience.
const voiceCategory = "executive"

// NewVoice writes a persona that speaks as documents are written, by the built-in engine's means alone, and stores nothing. Of the documents the
// first few are its writing samples; without any it has no voice of its own.
func (s *Service) NewVoice(ctx context.Context, name, description string, documentIDs []string) (*model.Persona, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	d, err := s.prepare(ctx, p.WorkspaceID, outline{
		Name: name, Category: voiceCategory, Description: description, WritingSampleDocumentIDs: documentIDs[:min(len(documentIDs), voiceSamples)],
	})
	if err != nil {
		return nil, err
	}
	d.take(d.invent())
	in, person := creation(d.Persona), model.EntityKindPerson
	in.IncludeInAudience, in.IncludeInVoiceList = graphql.OmittableOf(new(false)), graphql.OmittableOf(new(true))
	in.EntityKind = graphql.OmittableOf(&person)
	return s.compose(ctx, p, model.NewID(model.PersonaPrefix), in)
}

// Keep stores a new persona, in the caller's transaction.
func (s *Service) Keep(ctx context.Context, tx dbx.Tx, made *model.Persona) error {
	if _, err := tx.NewInsert().Model(made).Exec(ctx); err != nil {
		return fmt.Errorf("keep a persona: %w", dbx.Err(err))
	}
	return nil
}

// Offer includes a persona in the list of voices or leaves it out, in the caller's transaction. One without writing samples takes those of tuned,
// and its way of speaking where it has none; tuned may be nil. It fails with not_found.
func (s *Service) Offer(ctx context.Context, tx dbx.Tx, workspaceID, id string, offered bool, tuned *model.Persona) (*model.Persona, error) {
	return s.amend(ctx, tx, workspaceID, id, func(persona *model.Persona) {
		persona.IncludeInVoiceList = offered
		if tuned == nil || len(persona.WritingSampleDocumentIDs) > 0 {
			return
		}
		persona.WritingSampleDocumentIDs = tuned.WritingSampleDocumentIDs
		persona.CommunicationStyle = firstOf(persona.CommunicationStyle, tuned.CommunicationStyle)
		persona.Tone = firstOf(persona.Tone, tuned.Tone)
		follow(persona, graphql.Omittable[*string]{})
	})
}
