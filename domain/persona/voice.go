package persona

import (
	"context"
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
		if p.VoiceVisibility == model.VoiceVisibilityPrivate && p.CreatedBy != who.Actor() {
			bad.add("unknown_id", "names no voice of this workspace", "voiceProfileId")
			return nil, nil
		}
	}
	return s.readVoice(ctx, p)
}

func (s *Service) readVoice(ctx context.Context, p *model.Persona) (*voice, error) {
	ids := p.WritingSampleDocumentIDs
	docs, err := s.documents.ByIDs(ctx, p.WorkspaceID, ids[:min(len(ids), voiceSamples)], readColumns...)
	if err != nil {
		return nil, err
	}
	v := &voice{Persona: p, profile: &model.VoiceProfile{ID: p.ID, Name: p.Name, SampleDocumentIDs: []string{}}}
	for _, doc := range docs {
		v.Samples = append(v.Samples, text.Truncate(valueOr(doc.Content, ""), sampleRunes))
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
