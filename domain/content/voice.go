package content

import (
	"context"
	"slices"
	"strings"

	"rostrum/errs"
	"rostrum/model"
)

// Personas is what the room needs of the personas' room.
type Personas interface {
	// Known has the ids that name personas of the caller's workspace, each with whether the caller may write in its voice.
	Known(ctx context.Context, ids []string) (map[string]bool, error)
	// Voice reads how a known persona writes, and the beginnings of what it wrote.
	Voice(ctx context.Context, id string) (*model.Persona, []string, error)
}

// casting is which personas a request names: whose tone a text has, whose voice, and who it is for.
type casting struct {
	tone, voice *string
	audience    []string
}

// check names every field that names no persona of the workspace.
func (c casting) check(ctx context.Context, personas Personas) ([]errs.Field, error) {
	ids := slices.Clone(c.audience)
	for _, id := range []*string{c.tone, c.voice} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	known, err := personas.Known(ctx, ids)
	if err != nil {
		return nil, err
	}
	var bad []errs.Field
	add := func(path ...any) {
		bad = append(bad, errs.BodyField("not_found", "names no persona of this workspace", path...))
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
		bad = append(bad, errs.BodyField("not_found", "names no voice of this workspace", "voiceProfileId"))
	}
	return bad, nil
}

// speak fills in how a piece is to sound from the personas that it names: what the caller says itself wins, and samples are those of the
// voice, else of the tone's persona.
func (s *Service) speak(ctx context.Context, b *brief, c casting) error {
	for _, id := range []*string{c.tone, c.voice} {
		if id == nil {
			continue
		}
		p, samples, err := s.personas.Voice(ctx, *id)
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
