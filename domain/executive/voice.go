package executive

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Voices lists the voices of the caller's workspace, by the executives' names, and what became of the automatic one.
func (s *Service) Voices(ctx context.Context) (*model.ExecutiveVoices, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	voices, err := s.voices(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	attempt, err := s.attempt(ctx, s.DB, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	return &model.ExecutiveVoices{Voices: voices, AutoCeo: stateOf(attempt, voices)}, nil
}

// SetEnabled includes a voice in content creation or leaves it out, and tunes one that was not. It fails with not_found for a persona that is no
// executive's voice.
func (s *Service) SetEnabled(ctx context.Context, personaID string, enabled bool) (*model.SetVoiceEnabledPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	link, err := s.linkOf(ctx, s.DB, p.WorkspaceID, "persona_id", personaID)
	if err != nil {
		return nil, err
	}
	if link == nil {
		return nil, errs.New(errs.NotFound, "there is no executive's voice %s in this workspace", personaID)
	}
	out, err := s.toggle(ctx, p.WorkspaceID, link.Executive, enabled)
	if err != nil {
		return nil, err
	}
	return &model.SetVoiceEnabledPayload{Voice: &model.ExecutiveVoice{
		Executive: out.Executive, PersonaID: model.ValueOr(out.PersonaID, ""), Enabled: out.Enabled, Tuned: out.Tuned,
	}}, nil
}

// Toggle includes an executive's voice in content creation, making and tuning it when there is none, or leaves it out. However many callers
// include a voice at once, one of them makes it. To include the voice of a name on no document fails with not_found.
func (s *Service) Toggle(ctx context.Context, in model.ToggleVoiceInput) (*model.ToggleVoicePayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.toggle(ctx, p.WorkspaceID, in.Executive, in.Enabled)
}

func (s *Service) toggle(ctx context.Context, workspaceID, name string, enabled bool) (*model.ToggleVoicePayload, error) {
	made, err := s.tuned(ctx, workspaceID, name, enabled)
	if err != nil {
		return nil, err
	}
	out := &model.ToggleVoicePayload{Executive: name}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		persona, created, err := s.settle(ctx, tx, workspaceID, name, enabled, made)
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

// tuned writes the voice that including an executive may need: none when it is left out, or there is a tuned one. It comes before the
// transaction, which then reads nothing but what it locks.
func (s *Service) tuned(ctx context.Context, workspaceID, name string, enabled bool) (*model.Persona, error) {
	if !enabled {
		return nil, nil
	}
	voice, err := s.voiceOf(ctx, workspaceID, name)
	if err != nil || voice != nil && voice.Tuned {
		return nil, err
	}
	known, err := s.exists(ctx, workspaceID, name)
	switch {
	case err != nil:
		return nil, err
	case !known && voice == nil:
		return nil, errs.New(errs.NotFound, "no document of this workspace is attributed to %s", name)
	}
	samples, company, err := s.samples(ctx, workspaceID, name)
	if err != nil {
		return nil, err
	}
	description := name + " speaks in this workspace's documents."
	if company != "" {
		description = name + " speaks for " + company + "."
	}
	return s.Personas.NewVoice(ctx, name, description, samples)
}

// settle sets a voice under the workspace's lock; it makes the voice when there is none and made is given.
func (s *Service) settle(
	ctx context.Context, tx dbx.Tx, workspaceID, name string, enabled bool, made *model.Persona,
) (persona *model.Persona, created bool, err error) {
	if err := s.lockWorkspace(ctx, tx, workspaceID); err != nil {
		return nil, false, err
	}
	link, err := s.linkOf(ctx, tx, workspaceID, "executive", name)
	switch {
	case err != nil:
		return nil, false, err
	case link != nil:
		persona, err = s.Personas.Offer(ctx, tx, workspaceID, link.PersonaID, enabled, made)
		return persona, false, err
	case made == nil && enabled:
		return nil, false, errs.New(errs.Conflict, "the voice of %s was removed just now; try again", name)
	case made == nil:
		return nil, false, nil
	}
	if err := s.Personas.Keep(ctx, tx, made); err != nil {
		return nil, false, err
	}
	row := &model.VoiceLink{PersonaID: made.ID, WorkspaceID: workspaceID, Executive: name, CreatedAt: model.Now()}
	return made, true, insertLink(ctx, tx, row)
}
