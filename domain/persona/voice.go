package persona

import (
	"context"
	"fmt"
	"math"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

const (
	voiceSamples = 5    // documents that a voice is read from
	sampleRunes  = 1500 // of each
)

// voice is how a persona writes.
type voice struct {
	Persona *model.Persona
	Samples []string // the beginnings of what it wrote
	profile *model.VoiceProfile
}

// findVoice reads the voice that is asked for, else the persona's own. A private one is for who made it.
func (s *Service) findVoice(ctx context.Context, bad *faults, x *exchange) error {
	if x.Persona == nil {
		return nil
	}
	found, err := s.voiceOf(ctx, bad, x.Persona, x.VoiceProfileID)
	x.Voice = found
	return err
}

// voiceOf is the voice of the named persona; without a name it is the persona's own, nil when nothing is known of that.
func (s *Service) voiceOf(ctx context.Context, bad *faults, p *model.Persona, named *string) (*voice, error) {
	who, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if named == nil && p.DefaultVoiceProfileID == nil {
		return nil, nil
	}
	if named != nil && *named != p.ID {
		if p, err = s.byID(ctx, p.WorkspaceID, *named, nil); errs.Is(err, errs.NotFound) {
			bad.add("unknown_id", "names no voice of this workspace", "voiceProfileId")
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		if !speaksFor(p, who) {
			bad.add("unknown_id", "names no voice of this workspace", "voiceProfileId")
			return nil, nil
		}
	}
	return s.readVoice(ctx, p)
}

// Known has the ids that name personas of the caller's workspace, each with whether the caller may write in its voice.
func (s *Service) Known(ctx context.Context, ids []string) (map[string]bool, error) {
	who, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.byIDs(ctx, who.WorkspaceID, ids, "id", "voice_visibility", "created_by")
	if err != nil {
		return nil, fmt.Errorf("look up personas: %w", err)
	}
	known := make(map[string]bool, len(rows))
	for _, p := range rows {
		known[p.ID] = speaksFor(p, who)
	}
	return known, nil
}

// Voice reads how a persona of the caller's workspace writes, and the beginnings of what it wrote.
func (s *Service) Voice(ctx context.Context, id string) (*model.Persona, []string, error) {
	who, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, nil, err
	}
	p, err := s.byID(ctx, who.WorkspaceID, id, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("read a voice: %w", err)
	}
	v, err := s.readVoice(ctx, p)
	if err != nil {
		return nil, nil, fmt.Errorf("read a voice: %w", err)
	}
	return p, v.Samples, nil
}

// speaksFor reports that somebody may write in a persona's voice: a private one is for who made it.
func speaksFor(p *model.Persona, who model.Principal) bool {
	return p.VoiceVisibility != model.VoiceVisibilityPrivate || p.CreatedBy == who.Actor()
}

func (s *Service) readVoice(ctx context.Context, p *model.Persona) (*voice, error) {
	ids := p.WritingSampleDocumentIDs
	docs, err := s.documents.ByIDs(ctx, p.WorkspaceID, ids[:min(len(ids), voiceSamples)], readColumns...)
	if err != nil {
		return nil, err
	}
	v := &voice{Persona: p, profile: &model.VoiceProfile{ID: p.ID, Name: p.Name, SampleDocumentIDs: []string{}}}
	for _, doc := range docs {
		v.Samples = append(v.Samples, text.Truncate(model.ValueOr(doc.Content, ""), sampleRunes))
		v.profile.SampleDocumentIDs = append(v.profile.SampleDocumentIDs, doc.ID)
	}
	v.profile.WordsPerSentence, v.profile.Sentiment = manner(v.Samples)
	return v, nil
}

// manner measures how texts are written; nil where there is none.
func manner(samples []string) (wordsPerSentence, sentiment *float64) {
	words, sentences, feeling := 0, 0, 0.0
	for _, sample := range samples {
		words += len(text.Words(sample))
		sentences += len(text.Sentences(sample))
		feeling += text.Sentiment(sample)
	}
	if sentences == 0 {
		return nil, nil
	}
	return new(rounded(float64(words) / float64(sentences))), new(rounded(feeling / float64(len(samples))))
}

func rounded(f float64) float64 { return math.Round(f*100) / 100 }
