package content

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// brief holds the validated input of a piece with defaults. It is also a content job's public
// parameters.
type brief struct {
	Draft             string       `json:"current_draft,omitempty"` // draft to enhance; empty for a new piece
	Audiences         []string     `json:"audiences,omitempty"`
	Themes            []string     `json:"themes,omitempty"`
	ContentType       string       `json:"content_type"`
	ContentTypeLabel  string       `json:"content_type_label,omitempty"`
	Prompt            string       `json:"prompt,omitempty"`
	Source            string       `json:"source,omitempty"`
	SourceTitle       string       `json:"source_title,omitempty"`
	MoreSources       []briefText  `json:"more_sources,omitempty"`
	TargetWords       int          `json:"target_words,omitempty"`
	Template          string       `json:"template_instructions,omitempty"`
	TemplateReference string       `json:"template_reference_excerpt,omitempty"`
	Tone              string       `json:"tone_persona_label,omitempty"`
	ToneHelp          string       `json:"tone_persona_helper,omitempty"`
	Samples           []string     `json:"samples,omitempty"` // writing samples of the voice
	TitleLength       int          `json:"preferred_title_length,omitempty"`
	Points            []briefPoint `json:"points,omitempty"`
	Model             string       `json:"model,omitempty"`

	sourceID string // the document that Source was read from, which the job's row names
}

// briefText is a further text to write from.
type briefText struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// briefPoint is a point that a piece should make.
type briefPoint struct {
	Text  string `json:"text"`
	Level string `json:"level"`
}

const (
	// maxSourceLength is the maximum length of all sources in code points. Each may have as many; the
	// rest is cut.
	maxSourceLength = 50_000
	// maxMoreSources is the number of sources beside the first.
	maxMoreSources = 9
)

// newGenerateBrief validates a request for a new piece. It returns a field error per unknown
// document or persona.
func (s *Service) newGenerateBrief(ctx context.Context, in api.GenerateContentInput) (brief, error) {
	b := brief{
		Audiences: optional.Distinct(in.Audiences.Value()), Themes: optional.Distinct(in.Themes.Value()),
		ContentType:       strings.ToLower(optional.ValueOr(in.ContentType.Value(), "")),
		ContentTypeLabel:  optional.ValueOr(in.ContentTypeLabel.Value(), ""),
		Prompt:            strings.TrimSpace(optional.ValueOr(in.Prompt.Value(), "")),
		Source:            optional.ValueOr(in.SourceDocumentExcerpt.Value(), ""),
		SourceTitle:       strings.TrimSpace(optional.ValueOr(in.SourceDocumentTitle.Value(), "")),
		Template:          optional.ValueOr(in.TemplateInstructions.Value(), ""),
		TemplateReference: optional.ValueOr(in.TemplateReferenceExcerpt.Value(), ""),
		Tone:              optional.ValueOr(in.TonePersonaLabel.Value(), ""),
		ToneHelp:          optional.ValueOr(in.TonePersonaHelper.Value(), ""),
		TitleLength:       optional.ValueOr(in.PreferredTitleLength.Value(), 0),
		TargetWords:       optional.ValueOr(in.TargetWords.Value(), 0),
		Model:             optional.ValueOr(in.Model.Value(), ""),
	}
	cast := personaChoice{tone: nonBlank(in.TonePersonaID.Value()), voice: nonBlank(in.VoiceProfileID.Value())}
	var invalid errs.FieldErrors
	if err := cast.checkPersonas(ctx, s.personas, &invalid); err != nil {
		return b, err
	}
	if err := s.readSource(ctx, &b, nonBlank(in.SourceDocumentID.Value()), &invalid); err != nil {
		return b, err
	}
	if err := s.readMoreSources(ctx, &b, in.MoreSourceDocumentIds.Value(), &invalid); err != nil {
		return b, err
	}
	if err := invalid.Err(); err != nil {
		return b, err
	}
	if err := s.applyVoice(ctx, &b, cast); err != nil {
		return b, err
	}
	var err error
	b.Points, err = newPoints("pullThroughPriorities", in.PullThroughPriorities.Value())
	return b, err
}

// readSource sets missing source text and title from a document, or adds a field error if there is
// none.
func (s *Service) readSource(ctx context.Context, b *brief, id *string, invalid *errs.FieldErrors) error {
	if id != nil {
		doc, err := s.documents.Get(ctx, *id, "id", "title", "content")
		if err != nil {
			return err
		}
		if doc == nil {
			invalid.Body("not_found", "names no document of this workspace", "sourceDocumentId")
			return nil
		}
		b.sourceID = doc.ID
		if strings.TrimSpace(b.Source) == "" {
			b.Source = optional.ValueOr(doc.Content, "")
		}
		if b.SourceTitle == "" {
			b.SourceTitle = doc.Title
		}
	}
	b.Source = text.Truncate(b.Source, maxSourceLength)
	return nil
}

// readMoreSources adds the texts of further documents, and cuts all sources to their shares. It adds a
// field error for too many, and for each that is none.
func (s *Service) readMoreSources(ctx context.Context, b *brief, ids []string, invalid *errs.FieldErrors) error {
	ids = optional.Distinct(ids)
	docs, err := s.moreSources(ctx, ids, invalid, "id", "title", "content")
	if err != nil || len(docs) == 0 {
		return err
	}
	share := maxSourceLength / (len(docs) + 1)
	b.Source = text.Truncate(b.Source, share)
	for _, doc := range docs {
		b.MoreSources = append(b.MoreSources, briefText{doc.Title, text.Truncate(optional.ValueOr(doc.Content, ""), share)})
	}
	return nil
}

// moreSources returns the columns of documents in the order of their ids. It adds a field error for
// too many, and for each that is none.
func (s *Service) moreSources(ctx context.Context, ids []string, invalid *errs.FieldErrors, columns ...string) (docs []*model.Document,
	err error) {
	if len(ids) > maxMoreSources {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", maxMoreSources), "moreSourceDocumentIds")
		return nil, nil
	}
	for i, id := range ids {
		doc, err := s.documents.Get(ctx, id, columns...)
		if err != nil {
			return nil, err
		}
		if doc == nil {
			invalid.Body("not_found", "names no document of this workspace", "moreSourceDocumentIds", i)
			continue
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// newEnhanceBrief validates a request to enhance a draft. It returns an error if the draft or its
// points exceed their limits.
func newEnhanceBrief(in api.EnhanceContentInput) (brief, error) {
	b := brief{
		Draft: in.CurrentDraft, Audiences: optional.Distinct(in.Audiences.Value()),
		Themes:           optional.Distinct(in.Themes.Value()),
		ContentType:      strings.ToLower(optional.ValueOr(in.ContentType.Value(), "")),
		ContentTypeLabel: optional.ValueOr(in.ContentTypeLabel.Value(), ""),
		Prompt:           strings.TrimSpace(optional.ValueOr(in.Prompt.Value(), "")),
		Tone:             optional.ValueOr(in.TonePersonaLabel.Value(), ""),
		ToneHelp:         optional.ValueOr(in.TonePersonaHelper.Value(), ""),
		Model:            optional.ValueOr(in.Model.Value(), ""),
	}
	err := checkLength("current_draft", b.Draft)
	if err == nil {
		b.Points, err = newPoints("unmetPriorities", in.UnmetPriorities.Value())
	}
	return b, err
}

func newPoints(field string, in []*api.PullThroughPriorityInput) ([]briefPoint, error) {
	if len(in) > maxPoints {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", maxPoints),
			field))
	}
	all := make([]briefPoint, len(in))
	for i, p := range in {
		all[i] = briefPoint{strings.Join(strings.Fields(p.Text), " "), levelOf(p.Level.Value())}
	}
	return all, nil
}

// requiredPoints returns the points that the piece must make: all when enhancing a draft, the
// must-points of a new piece.
func (b brief) requiredPoints() []briefPoint {
	return slices.DeleteFunc(slices.Clone(b.Points),
		func(c briefPoint) bool { return b.Draft == "" && c.Level != levelMust })
}

// missingPoints returns the required points that a text does not make.
func (b brief) missingPoints(piece string) []string {
	read := offline.ReadText(piece)
	var missing []string
	for _, c := range b.requiredPoints() {
		if read.Find(c.Text).Verdict != model.CoverageVerdictCovered {
			missing = append(missing, c.Text)
		}
	}
	return missing
}

// offlineInput returns the brief for the offline engine: the draft without markers of machine
// style, or an outline.
func (b brief) offlineInput() offline.Input {
	words := ""
	if b.TargetWords > 0 {
		words = strconv.Itoa(b.TargetWords)
	}
	options := offline.GivenOptions("target_words", words,
		"tone_persona_label", b.Tone, "tone_persona_helper", b.ToneHelp, "template_instructions", b.Template,
		"template_reference_excerpt", b.TemplateReference, "voice_profile_id", strings.Join(b.Samples, ""), "model",
		strings.TrimPrefix(b.Model, offline.Model),
	)
	if b.Draft != "" {
		options = append(options, offline.GivenOptions("prompt", b.Prompt, "audiences", strings.Join(b.Audiences, ""),
			"themes", strings.Join(b.Themes, ""))...)
		return offline.Restyling{Text: b.Draft, Options: options}
	}
	out := offline.Outline{
		Kind: []string{b.ContentType, b.ContentTypeLabel, b.Prompt}, Title: b.SourceTitle, TitleLength: b.TitleLength,
		Prompt:    b.Prompt,
		Audiences: b.Audiences, Themes: b.Themes, Options: options,
	}
	for _, p := range b.Points {
		out.Points = append(out.Points, asSentence(p.Text))
	}
	if b.Source != "" {
		out.Sources = []offline.Source{{Title: b.SourceTitle, Text: plainProse(b.Source)}}
	}
	for _, source := range b.MoreSources {
		out.Title = cmp.Or(out.Title, source.Title)
		out.Sources = append(out.Sources, offline.Source{Title: source.Title, Text: plainProse(source.Text)})
	}
	return out
}

// factSources returns the texts that a piece may take facts from.
func (b brief) factSources() []string {
	all := []string{b.Draft, b.Source, b.SourceTitle, b.Prompt, b.Template, b.TemplateReference, b.ToneHelp,
		strings.Join(b.Themes, "\n"), strings.Join(b.Audiences, "\n")}
	for _, source := range b.MoreSources {
		all = append(all, source.Title, source.Text)
	}
	for _, c := range b.Points {
		all = append(all, c.Text)
	}
	return all
}
