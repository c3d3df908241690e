package content

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/domain/content/cover"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

// brief is what a piece is written from, checked and with its defaults; as a job's parameters callers see it too.
type brief struct {
	Draft             string   `json:"current_draft,omitempty"` // what is to be better; empty for a new piece
	Audiences         []string `json:"audiences,omitempty"`
	Themes            []string `json:"themes,omitempty"`
	ContentType       string   `json:"content_type"`
	ContentTypeLabel  string   `json:"content_type_label,omitempty"`
	Prompt            string   `json:"prompt,omitempty"`
	Source            string   `json:"source,omitempty"`
	SourceTitle       string   `json:"source_title,omitempty"`
	Template          string   `json:"template_instructions,omitempty"`
	TemplateReference string   `json:"template_reference_excerpt,omitempty"`
	Tone              string   `json:"tone_persona_label,omitempty"`
	ToneHelp          string   `json:"tone_persona_helper,omitempty"`
	Samples           []string `json:"samples,omitempty"` // of the voice
	TitleLength       int      `json:"preferred_title_length,omitempty"`
	Points            []claim  `json:"points,omitempty"`
	Model             string   `json:"model,omitempty"`
}

// claim is a point that a piece is to make.
type claim struct {
	Text  string `json:"text"`
	Level string `json:"level"`
}

// longestSource is how much of a source a piece is written from, in code points.
const longestSource = 50_000

// generating checks a request for a new piece. A source or a persona that the workspace does not have is refused,
// naming the field.
func (s *Service) generating(ctx context.Context, in model.ContentGenerateInput) (brief, error) {
	b := brief{
		Audiences: model.Distinct(in.Audiences.Value()), Themes: model.Distinct(in.Themes.Value()), ContentType: strings.ToLower(model.ValueOr(in.ContentType.Value(), "")),
		ContentTypeLabel: model.ValueOr(in.ContentTypeLabel.Value(), ""), Prompt: strings.TrimSpace(model.ValueOr(in.Prompt.Value(), "")),
		Source: model.ValueOr(in.SourceDocumentExcerpt.Value(), ""), SourceTitle: strings.TrimSpace(model.ValueOr(in.SourceDocumentTitle.Value(), "")),
		Template: model.ValueOr(in.TemplateInstructions.Value(), ""), TemplateReference: model.ValueOr(in.TemplateReferenceExcerpt.Value(), ""),
		Tone: model.ValueOr(in.TonePersonaLabel.Value(), ""), ToneHelp: model.ValueOr(in.TonePersonaHelper.Value(), ""),
		TitleLength: model.ValueOr(in.PreferredTitleLength.Value(), 0), Model: model.ValueOr(in.Model.Value(), ""),
	}
	cast := casting{tone: given(in.TonePersonaID.Value()), voice: given(in.VoiceProfileID.Value())}
	bad, err := cast.check(ctx, s.personas)
	if err != nil {
		return b, err
	}
	found, err := s.fromDocument(ctx, &b, given(in.SourceDocumentID.Value()))
	if err != nil {
		return b, err
	}
	if bad = append(bad, found...); len(bad) > 0 {
		return b, errs.Invalid(bad...)
	}
	if err := s.speak(ctx, &b, cast); err != nil {
		return b, err
	}
	b.Points, err = claims("pullThroughPriorities", in.PullThroughPriorities.Value())
	return b, err
}

// fromDocument takes the source's text and title from a document, where the caller gives none.
func (s *Service) fromDocument(ctx context.Context, b *brief, id *string) (bad []errs.Field, err error) {
	if id != nil {
		doc, err := s.documents.Get(ctx, *id, "id", "title", "content")
		if err != nil {
			return nil, err
		}
		if doc == nil {
			return []errs.Field{errs.BodyField("not_found", "names no document of this workspace", "sourceDocumentId")}, nil
		}
		if strings.TrimSpace(b.Source) == "" {
			b.Source = model.ValueOr(doc.Content, "")
		}
		if b.SourceTitle == "" {
			b.SourceTitle = doc.Title
		}
	}
	b.Source = text.Truncate(b.Source, longestSource)
	return nil, nil
}

// enhancing checks a request for a better draft.
func enhancing(in model.ContentEnhanceInput) (brief, error) {
	b := brief{
		Draft: in.CurrentDraft, Audiences: model.Distinct(in.Audiences.Value()), Themes: model.Distinct(in.Themes.Value()),
		ContentType: strings.ToLower(model.ValueOr(in.ContentType.Value(), "")), ContentTypeLabel: model.ValueOr(in.ContentTypeLabel.Value(), ""),
		Prompt: strings.TrimSpace(model.ValueOr(in.Prompt.Value(), "")), Tone: model.ValueOr(in.TonePersonaLabel.Value(), ""),
		ToneHelp: model.ValueOr(in.TonePersonaHelper.Value(), ""), Model: model.ValueOr(in.Model.Value(), ""),
	}
	err := checkLength("current_draft", b.Draft)
	if err == nil {
		b.Points, err = claims("unmetPriorities", in.UnmetPriorities.Value())
	}
	return b, err
}

func claims(field string, in []*model.PullThroughPriorityInput) ([]claim, error) {
	if len(in) > mostPoints {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", mostPoints), field))
	}
	all := make([]claim, len(in))
	for i, p := range in {
		all[i] = claim{strings.Join(strings.Fields(p.Text), " "), levelOf(p.Level.Value())}
	}
	return all, nil
}

// needed are the points that the piece cannot do without: those that a draft is said to lack, and of a new piece the musts.
func (b brief) needed() []claim {
	return slices.DeleteFunc(slices.Clone(b.Points), func(c claim) bool { return b.Draft == "" && c.Level != levelMust })
}

// unmade lists the needed points that a text does not make.
func (b brief) unmade(piece string) []string {
	read := cover.Read(piece)
	var missing []string
	for _, c := range b.needed() {
		if !read.Find(c.Text).Covered {
			missing = append(missing, c.Text)
		}
	}
	return missing
}

// sources are the texts that a piece may take facts from.
func (b brief) sources() []string {
	all := []string{b.Draft, b.Source, b.SourceTitle, b.Prompt, b.Template, b.TemplateReference, b.ToneHelp, strings.Join(b.Themes, "\n"), strings.Join(b.Audiences, "\n")}
	for _, c := range b.Points {
		all = append(all, c.Text)
	}
	return all
}
