package executive

import (
	"context"
	"fmt"
	"slices"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text/command"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Voices returns the state of the automatic voice; VoicePage returns the voices.
func (s *Service) Voices(ctx context.Context) (*api.ExecutiveVoices, error) {
	p := principal.Must(ctx)
	attempt, err := s.findAttempt(ctx, s.DB, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	var voices []*model.ExecutiveVoice
	if attempt != nil && attempt.PersonaID != nil {
		voices, err = s.VoicesByID(ctx, p.WorkspaceID, []string{model.VoiceID(*attempt.PersonaID)})
	}
	return &api.ExecutiveVoices{AutoCeo: autoVoiceState(attempt, voices)}, err
}

// SetEnabled enables or disables a voice, and tunes an untuned one. It returns errs.NotFound if the
// persona is no executive's voice.
func (s *Service) SetEnabled(ctx context.Context, personaID string, enabled bool) (*api.SetVoiceEnabledPayload, error) {
	p := principal.Must(ctx)
	link, err := s.linkOf(ctx, s.DB, p.WorkspaceID, "persona_id", personaID)
	if err != nil {
		return nil, err
	}
	if link == nil {
		return nil, errs.New(errs.NotFound, "there is no executive's voice %s in this workspace", personaID)
	}
	out, err := s.toggleVoice(ctx, p.WorkspaceID, link.Executive, enabled)
	if err != nil {
		return nil, err
	}
	return &api.SetVoiceEnabledPayload{Voice: &model.ExecutiveVoice{
		ID: model.VoiceID(personaID), WorkspaceID: p.WorkspaceID, Executive: out.Executive,
		PersonaID: optional.ValueOr(out.PersonaID, ""), Enabled: out.Enabled, Tuned: out.Tuned, Language: link.Language,
	}}, nil
}

// Toggle disables an executive's voice, or enables it, creating and tuning it if needed. Of
// concurrent callers one creates the voice. It returns errs.NotFound for a name without documents,
// and errs.InvalidState for a name that addresses a text model.
func (s *Service) Toggle(ctx context.Context, in api.ToggleVoiceInput) (*api.ToggleVoicePayload, error) {
	p := principal.Must(ctx)
	names, err := s.Parties.CanonicalNames(ctx, p.WorkspaceID, model.PartyKindExecutive, in.Executive)
	if err != nil {
		return nil, err
	}
	return s.toggleVoice(ctx, p.WorkspaceID, names[0], in.Enabled)
}

func (s *Service) toggleVoice(ctx context.Context, workspaceID, name string, enabled bool) (*api.ToggleVoicePayload,
	error) {
	made, err := s.newTunedVoice(ctx, workspaceID, name, enabled)
	if err != nil {
		return nil, err
	}
	out := &api.ToggleVoicePayload{Executive: name}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		persona, created, err := s.applyVoice(ctx, tx, workspaceID, name, enabled, made)
		if persona != nil {
			out.PersonaID, out.Enabled, out.Tuned = &persona.ID, persona.IncludeInVoiceList, isTuned(persona)
		}
		out.Created = created
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("toggle voice: %w", err)
	}
	return out, nil
}

func isTuned(p *model.Persona) bool { return p.DefaultVoiceProfileID != nil }

// newTunedVoice returns the voice that enabling an executive may need, or nil. It runs before the
// transaction, which then reads only locked rows.
func (s *Service) newTunedVoice(ctx context.Context, workspaceID, name string, enabled bool) (*tunedVoice, error) {
	if !enabled {
		return nil, nil
	}
	voice, err := s.voiceOf(ctx, workspaceID, name)
	if err != nil || voice != nil && voice.Tuned {
		return nil, err
	}
	known, err := s.executiveExists(ctx, workspaceID, name)
	switch {
	case err != nil:
		return nil, err
	case !known && voice == nil:
		return nil, errs.New(errs.NotFound, "no document of this workspace is attributed to %s", name)
	}
	samples, err := s.writingSamples(ctx, workspaceID, name)
	if err != nil {
		return nil, err
	}
	made, err := s.Personas.NewVoice(ctx, name, describeVoice(name, samples.company), samples.ids)
	if err != nil {
		return nil, err
	}
	return &tunedVoice{made, optional.NonEmpty(samples.language)}, nil
}

// describeVoice describes an executive's voice, for example "Ines Okafor speaks for Kestrel Foods."
// It leaves out a company that addresses a text model, because the description becomes part of
// prompts.
func describeVoice(name, company string) string {
	if company == "" || len(command.Find(company)) > 0 {
		return name + " speaks in this workspace's documents."
	}
	return name + " speaks for " + company + "."
}

// applyVoice enables or disables a voice under the workspace's lock. It stores made if there is
// none.
func (s *Service) applyVoice(
	ctx context.Context, tx dbx.Tx, workspaceID, name string, enabled bool, made *tunedVoice,
) (persona *model.Persona, created bool, err error) {
	if _, err := s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return nil, false, err
	}
	link, err := s.linkOf(ctx, tx, workspaceID, "executive", name)
	switch {
	case err != nil:
		return nil, false, err
	case link != nil:
		persona, err = s.retuneVoice(ctx, tx, link, enabled, made)
		return persona, false, err
	case made == nil && enabled:
		return nil, false, errs.New(errs.Conflict, "the voice of %s was removed just now; try again", name)
	case made == nil:
		return nil, false, nil
	}
	if err := s.Personas.Insert(ctx, tx, made.Persona); err != nil {
		return nil, false, err
	}
	row := &model.VoiceLink{PersonaID: made.ID, WorkspaceID: workspaceID, Executive: name, Language: made.language,
		CreatedAt: model.Now()}
	return made.Persona, true, insertLink(ctx, tx, row)
}

// retuneVoice enables or disables a voice. A voice without writing samples takes made's and their
// language.
func (s *Service) retuneVoice(ctx context.Context, tx dbx.Tx, link *model.VoiceLink, enabled bool,
	made *tunedVoice) (*model.Persona, error) {
	if made == nil {
		return s.Personas.SetVoiceListing(ctx, tx, link.WorkspaceID, link.PersonaID, enabled, nil)
	}
	persona, err := s.Personas.SetVoiceListing(ctx, tx, link.WorkspaceID, link.PersonaID, enabled, made.Persona)
	if err != nil || !slices.Equal(persona.WritingSampleDocumentIDs, made.WritingSampleDocumentIDs) {
		return persona, err
	}
	return persona, setLanguage(ctx, tx, link.PersonaID, made.language)
}
