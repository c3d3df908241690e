package persona

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text/command"
	"rostrum/model"
	"rostrum/platform/principal"
)

// voiceCategory is the category of personas created as voices. They are not part of the audience.
const voiceCategory = "executive"

// NewVoice returns a new persona that imitates documents, without storing it or asking a text
// model. The first maxSamples documents are its writing samples; without documents it has no voice.
// It returns errs.InvalidState if the name addresses a text model, because the name becomes part of
// prompts and may come from a document.
func (s *Service) NewVoice(ctx context.Context, name, description string, documentIDs []string) (*model.Persona,
	error) {
	if len(command.Find(name)) > 0 {
		return nil, errs.New(errs.InvalidState, "the executive's name contains instructions to a text model; rename the executive first")
	}
	p := principal.Must(ctx)
	d, err := s.prepareDraft(ctx, p.WorkspaceID, draftRequest{
		Name: name, Category: voiceCategory, Description: description,
		WritingSampleDocumentIDs: documentIDs[:min(len(documentIDs), maxSamples)],
	})
	if err != nil {
		return nil, err
	}
	fields, _ := d.offlineDraft().Fields()
	d.fillFields(&model.DraftedPersona{Interests: fields.Interests, Description: fields.Description,
		CommunicationStyle: fields.CommunicationStyle})
	in, person := createInput(d.Persona), model.EntityKindPerson
	in.IncludeInAudience, in.IncludeInVoiceList = graphql.OmittableOf(new(false)), graphql.OmittableOf(new(true))
	in.EntityKind = graphql.OmittableOf(&person)
	return s.newPersona(ctx, p, model.NewID(model.PersonaPrefix), in)
}

// Insert stores a new persona in the caller's transaction.
func (s *Service) Insert(ctx context.Context, tx dbx.Tx, made *model.Persona) error {
	if _, err := tx.NewInsert().Model(made).Exec(ctx); err != nil {
		return fmt.Errorf("store persona: %w", dbx.Err(err))
	}
	s.record(tx, made.WorkspaceID, model.EventPersonaCreated, made.ID)
	return nil
}

// SetVoiceListing adds a persona to the list of voices or removes it, in the caller's transaction.
// A persona without writing samples copies tuned's, and also its style and tone if it has none;
// tuned may be nil. It fails with not_found.
func (s *Service) SetVoiceListing(ctx context.Context, tx dbx.Tx, workspaceID, id string, offered bool,
	tuned *model.Persona) (*model.Persona, error) {
	return s.updatePersona(ctx, tx, workspaceID, id, func(persona *model.Persona) {
		persona.IncludeInVoiceList = offered
		if tuned == nil || len(persona.WritingSampleDocumentIDs) > 0 {
			return
		}
		persona.WritingSampleDocumentIDs = tuned.WritingSampleDocumentIDs
		persona.CommunicationStyle = firstOf(persona.CommunicationStyle, tuned.CommunicationStyle)
		persona.Tone = firstOf(persona.Tone, tuned.Tone)
		deriveFields(persona, graphql.Omittable[*string]{})
	})
}
