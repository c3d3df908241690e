package persona

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

const (
	maxSamples  = 5    // documents that define a voice
	sampleRunes = 1500 // code points of each document
)

// voice is the writing style of a persona.
type voice struct {
	Persona *model.Persona
	Samples []string // beginnings of its writing samples
	profile *model.VoiceProfile
}

// resolveVoice sets the requested voice, or else the persona's own.
func (s *Service) resolveVoice(ctx context.Context, invalid *errs.FieldErrors, x *replyTask) error {
	if x.Persona == nil {
		return nil
	}
	found, err := s.voiceFor(ctx, invalid, x.Persona, x.VoiceProfileID)
	x.Voice = found
	return err
}

// voiceFor returns the voice of the named persona, or p's own without a name; nil if there is none.
// It adds a field error if the caller may not use the named voice.
func (s *Service) voiceFor(ctx context.Context, invalid *errs.FieldErrors, p *model.Persona, named *string) (*voice,
	error) {
	if named == nil && p.DefaultVoiceProfileID == nil {
		return nil, nil
	}
	if named == nil || *named == p.ID {
		return s.readVoice(ctx, p, p.MayReadInternal)
	}
	other, err := s.byID(ctx, p.WorkspaceID, *named, nil)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return nil, err
	}
	if err != nil || !mayUseVoice(other, principal.Must(ctx)) {
		invalid.Body("unknown_id", "names no voice of this workspace", "voiceProfileId")
		return nil, nil //nolint:nilerr // the caller returns the field's error
	}
	return s.readVoice(ctx, other, p.MayReadInternal)
}

// VoiceAccess returns the known persona ids of the caller's workspace, with true if the caller may
// write in the persona's voice.
func (s *Service) VoiceAccess(ctx context.Context, ids []string) (map[string]bool, error) {
	caller := principal.Must(ctx)
	rows, err := s.byIDs(ctx, caller.WorkspaceID, ids, "id", "voice_visibility", "created_by")
	if err != nil {
		return nil, fmt.Errorf("look up personas: %w", err)
	}
	known := make(map[string]bool, len(rows))
	for _, p := range rows {
		known[p.ID] = mayUseVoice(p, caller)
	}
	return known, nil
}

// ReadVoice returns a persona of the caller's workspace and the beginnings of its writing samples.
func (s *Service) ReadVoice(ctx context.Context, id string) (*model.Persona, []string, error) {
	caller := principal.Must(ctx)
	p, err := s.byID(ctx, caller.WorkspaceID, id, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("read voice: %w", err)
	}
	v, err := s.readVoice(ctx, p, p.MayReadInternal)
	if err != nil {
		return nil, nil, fmt.Errorf("read voice: %w", err)
	}
	return p, v.Samples, nil
}

// mayUseVoice reports whether the principal may write in a persona's voice. Only the creator may
// use a private one.
func mayUseVoice(p *model.Persona, caller principal.Principal) bool {
	return p.VoiceVisibility != model.VoiceVisibilityPrivate || p.CreatedBy == caller.Actor()
}

// readVoice returns a persona's voice for the prompt of a persona. mayReadInternal is about that
// one.
func (s *Service) readVoice(ctx context.Context, p *model.Persona, mayReadInternal bool) (*voice, error) {
	ids := p.WritingSampleDocumentIDs
	docs, err := s.documents.ReadableByIDs(ctx, p.WorkspaceID, ids[:min(len(ids), maxSamples)], mayReadInternal,
		readColumns...)
	if err != nil {
		return nil, err
	}
	return newVoice(p, docs), nil
}

// newVoice returns the voice of a persona; documents that are no writing samples of it are ignored.
func newVoice(p *model.Persona, docs []*model.Document) *voice {
	v := &voice{Persona: p, profile: &model.VoiceProfile{ID: p.ID, Name: p.Name, SampleDocumentIDs: []string{}}}
	for _, id := range p.WritingSampleDocumentIDs[:min(len(p.WritingSampleDocumentIDs), maxSamples)] {
		if at := slices.IndexFunc(docs, func(doc *model.Document) bool { return doc.ID == id }); at >= 0 {
			doc := docs[at]
			v.Samples = append(v.Samples, text.Truncate(optional.ValueOr(doc.Content, ""), sampleRunes))
			v.profile.SampleDocumentIDs = append(v.profile.SampleDocumentIDs, doc.ID)
		}
	}
	v.profile.WordsPerSentence, v.profile.Sentiment = measureStyle(v.Samples)
	return v
}

// measureStyle returns the texts' average words per sentence and sentiment; nil without sentences.
func measureStyle(samples []string) (wordsPerSentence, sentiment *float64) {
	words, sentences, feeling := 0, 0, 0.0
	for _, sample := range samples {
		words += len(text.Words(sample))
		sentences += len(text.Sentences(sample))
		feeling += text.Sentiment(sample)
	}
	if sentences == 0 {
		return nil, nil
	}
	return new(roundHundredth(float64(words) / float64(sentences))),
		new(roundHundredth(feeling / float64(len(samples))))
}

func roundHundredth(f float64) float64 { return math.Round(f*100) / 100 }

// VoiceProfiles returns the voices of the personas with the ids, in no order and in at most three
// statements. It leaves out unknown ids and private voices of others.
func (s *Service) VoiceProfiles(ctx context.Context, workspaceID string, ids []string,
	_ ...string) ([]*model.VoiceProfile, error) {
	personas, err := s.byIDs(ctx, workspaceID, ids, "id", "workspace_id", "name", "voice_visibility", "created_by",
		"writing_sample_document_ids", "may_read_internal")
	if err != nil {
		return nil, err
	}
	samples, docs := map[bool][]string{}, map[bool][]*model.Document{}
	for _, p := range personas {
		own := p.WritingSampleDocumentIDs[:min(len(p.WritingSampleDocumentIDs), maxSamples)]
		samples[p.MayReadInternal] = append(samples[p.MayReadInternal], own...)
	}
	for internal, named := range samples {
		if docs[internal], err = s.documents.ReadableByIDs(ctx, workspaceID, distinctIDs(named), internal,
			readColumns...); err != nil {
			return nil, err
		}
	}
	var profiles []*model.VoiceProfile
	for _, p := range personas {
		if mayUseVoice(p, principal.Must(ctx)) {
			profiles = append(profiles, newVoice(p, docs[p.MayReadInternal]).profile)
		}
	}
	return profiles, nil
}
