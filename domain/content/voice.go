package content

import (
	"context"
	"slices"
	"strings"

	"rostrum/errs"
	"rostrum/model"
)

// Personas looks up personas and their voices.
type Personas interface {
	// VoiceAccess returns the known persona ids of the caller's workspace, with true if the caller
	// may write in the persona's voice.
	VoiceAccess(ctx context.Context, ids []string) (map[string]bool, error)
	// ReadVoice returns a persona of the caller's workspace and the beginnings of its writing
	// samples.
	ReadVoice(ctx context.Context, id string) (*model.Persona, []string, error)
}

// personaChoice holds the personas of a request: for the tone, the voice and the audience.
type personaChoice struct {
	tone, voice *string
	audience    []string
}

// checkPersonas adds an error for each field with an unknown persona, or with a voice that the
// caller may not use.
func (c personaChoice) checkPersonas(ctx context.Context, personas Personas, invalid *errs.FieldErrors) error {
	ids := slices.Clone(c.audience)
	for _, id := range []*string{c.tone, c.voice} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	known, err := personas.VoiceAccess(ctx, ids)
	if err != nil {
		return err
	}
	add := func(path ...any) {
		invalid.Body("not_found", "names no persona of this workspace", path...)
	}
	for i, id := range c.audience {
		if _, ok := known[id]; !ok && strings.TrimSpace(id) != "" {
			add("audiencePersonaIds", i)
		}
	}
	if c.tone != nil {
		if _, ok := known[*c.tone]; !ok {
			add("tonePersonaId")
		}
	}
	if c.voice != nil && !known[*c.voice] {
		invalid.Body("not_found", "names no voice of this workspace", "voiceProfileId")
	}
	return nil
}

// applyVoice fills missing style fields of a brief from its personas. Samples come from the voice,
// or else from the persona of the tone.
func (s *Service) applyVoice(ctx context.Context, b *brief, c personaChoice) error {
	for _, id := range []*string{c.tone, c.voice} {
		if id == nil {
			continue
		}
		p, samples, err := s.personas.ReadVoice(ctx, *id)
		if err != nil {
			return err
		}
		if b.Tone == "" {
			b.Tone = p.Name
		}
		if b.ToneHelp == "" {
			b.ToneHelp = strings.TrimSpace(p.CommunicationStyle + "\n" + p.Tone)
		}
		if len(samples) > 0 {
			b.Samples = samples
		}
	}
	return nil
}
