package content

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

var (
	//go:embed rewrite.tmpl
	rewriteText   string
	rewritePrompt = llm.MustPrompt("content.rewrite", rewriteText)

	rewriteSchema = json.RawMessage(`{"type":"object","properties":{"parts":{"type":"array","items":{"type":"object",` +
		`"properties":{"part":{"type":"integer"},"text":{"type":"string"}},"required":["part","text"],"additionalProperties":false}}},` +
		`"required":["parts"],"additionalProperties":false}`)
)

// maxContextLength is the maximum length of a draft in the rewrite prompt, in code points.
const maxContextLength = 20_000

// RewriteSegments rewrites parts of a draft. It returns a field error for each part that is not in
// the draft or overlaps another. It fails with too_large, budget_exhausted, model_failed and
// model_timeout.
func (s *Service) RewriteSegments(ctx context.Context, in api.RewriteTextInput) (*api.RewriteSegmentsPayload, error) {
	text, err := s.rewriteParts(ctx, "rewriteSegments", in)
	return &api.RewriteSegmentsPayload{Text: text}, err
}

// RewritePhrases is RewriteSegments for parts within sentences.
func (s *Service) RewritePhrases(ctx context.Context, in api.RewriteTextInput) (*api.RewritePhrasesPayload, error) {
	text, err := s.rewriteParts(ctx, rewritePhrases, in)
	return &api.RewritePhrasesPayload{Text: text}, err
}

// EstimateRewrite returns the cost of RewriteSegments and RewritePhrases: none without parts.
func (s *Service) EstimateRewrite(ctx context.Context, in api.RewriteTextInput) (*model.Estimate, error) {
	parts, err := findParts(in)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, min(len(parts), runCost))
}

// rewritePhrases is the operation of RewritePhrases in the run ledger.
const rewritePhrases = "rewritePhrases"

// findParts returns the parts of the draft. It returns errs.TooLarge or errs.ValidationFailed.
func findParts(in api.RewriteTextInput) ([]*draftSegment, error) {
	if err := checkLength("full_draft", in.FullDraft); err != nil {
		return nil, err
	}
	if len(in.Segments.Value()) > maxPoints {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", maxPoints),
			"segments"))
	}
	return locateSegments(in.FullDraft, in.Segments.Value())
}

func (s *Service) rewriteParts(ctx context.Context, operation string, in api.RewriteTextInput) (*api.GeneratedText,
	error) {
	parts, err := findParts(in)
	if err != nil {
		return nil, err
	}
	out := &api.GeneratedText{Content: in.FullDraft}
	if len(parts) == 0 {
		return out, nil
	}
	err = s.spendRun(ctx, operation, func(ctx context.Context) (err error) {
		out, err = s.askNewWordings(ctx, rewriteTask{RewriteTextInput: in, Phrases: operation == rewritePhrases}, parts)
		return err
	})
	return out, err
}

// rewriteTask is the data of the rewrite prompt.
type rewriteTask struct {
	api.RewriteTextInput
	Phrases bool
	Parts   []pendingPart
}

// pendingPart is a part to rewrite and the problem with its previous wording.
type pendingPart struct {
	*draftSegment
	Problem string
}

// askNewWordings asks the model for new wordings, and once more for wordings that lose facts. Parts
// that fail again stay unchanged with a warning; so do all parts if the answer cannot be parsed. It
// returns other errors of the model.
func (s *Service) askNewWordings(ctx context.Context, r rewriteTask, parts []*draftSegment) (*api.GeneratedText,
	error) {
	for _, p := range parts {
		r.Parts = append(r.Parts, pendingPart{draftSegment: p})
	}
	out := &api.GeneratedText{}
	var warnings []string
	for range 2 {
		parsed, answer, err := s.askWordings(ctx, r)
		unread := err != nil && errs.Is(err, errs.ModelFailed) && answer.Text != ""
		if err != nil && !unread {
			return nil, err
		}
		if unread {
			parsed = r.readPlain(answer.Text)
		}
		if out.Model = &answer.Model; answer.Warning != "" {
			warnings = []string{answer.Warning}
		}
		if r.Parts = r.acceptWordings(parsed); len(r.Parts) == 0 || unread {
			break
		}
	}
	out.Content = joinSegments(r.FullDraft, parts)
	for _, p := range r.Parts {
		warnings = append(warnings, fmt.Sprintf("%s is unchanged: the new wording was rejected because %s",
			quotePart(p.SegmentText), p.Problem))
	}
	for _, p := range parts {
		if p.text == p.SegmentText && !slices.ContainsFunc(r.Parts,
			func(rejected pendingPart) bool { return rejected.draftSegment == p }) {
			warnings = append(warnings, quotePart(p.SegmentText)+" is unchanged: no better wording was found")
		}
	}
	out.Warning = optional.NonEmpty(strings.Join(warnings, "; "))
	return out, nil
}

// readPlain returns an unstructured answer as the wording of a single part. Several parts get an
// empty list.
func (r rewriteTask) readPlain(answer string) offline.Wordings {
	if text := strings.TrimSpace(stripWrapping(answer)); len(r.Parts) == 1 && text != "" &&
		!strings.ContainsAny(text[:1], "{[") {
		return offline.Wordings{Parts: []offline.PartWording{{Part: 1, Text: text}}}
	}
	return offline.Wordings{}
}

func (s *Service) askWordings(ctx context.Context, r rewriteTask) (offline.Wordings, llm.Answer, error) {
	task, err := r.buildTask()
	if err != nil {
		return offline.Wordings{}, llm.Answer{}, err
	}
	return llm.Ask[offline.Wordings](ctx, s.models, s.setModel(task, r.Model.Value()))
}

func (r rewriteTask) buildTask() (llm.Task, error) {
	task, err := rewritePrompt.Task(map[string]any{
		"Phrases": r.Phrases, "Parts": r.Parts, "Draft": text.Truncate(r.FullDraft, maxContextLength),
		"Kind":     optional.ValueOr(r.ContentTypeLabel.Value(), ""),
		"Tone":     optional.ValueOr(r.TonePersonaLabel.Value(), ""),
		"ToneHelp": optional.ValueOr(r.TonePersonaHelper.Value(), ""),
	})
	task.Schema = rewriteSchema
	input := offline.Rewriting{Options: offline.GivenOptions(
		"tone_persona_label", optional.ValueOr(r.TonePersonaLabel.Value(), ""), "tone_persona_helper",
		optional.ValueOr(r.TonePersonaHelper.Value(), ""),
		"content_type_label", optional.ValueOr(r.ContentTypeLabel.Value(), ""), "model",
		strings.TrimPrefix(optional.ValueOr(r.Model.Value(), ""), offline.Model),
	)}
	for _, p := range r.Parts {
		input.Parts = append(input.Parts, offline.RewritePart{Text: p.SegmentText, Actions: p.Actions.Value()})
		for _, name := range offline.GivenOptions("summary", optional.ValueOr(p.Summary.Value(), ""), "risks",
			strings.Join(p.Risks.Value(), "")) {
			if !slices.Contains(input.Options, name) {
				input.Options = append(input.Options, name)
			}
		}
	}
	task.Input = input
	return task, err
}

// acceptWordings stores the wordings that lose no facts and returns the parts still to rewrite.
func (r rewriteTask) acceptWordings(parsed offline.Wordings) []pendingPart {
	byPart := map[int]string{}
	for _, w := range parsed.Parts {
		byPart[w.Part] = w.Text
	}
	var pending []pendingPart
	for i, p := range r.Parts {
		text, ok := byPart[i+1]
		text = stripWrapping(text)
		if !ok {
			pending = append(pending, pendingPart{p.draftSegment, "the model returned no usable wording"})
			continue
		}
		if r.Phrases {
			text = fitPhrase(p.SegmentText, text)
		}
		proof, err := checkWording(p.SegmentText, text, r.factSources(p.draftSegment)...)
		if err != nil {
			pending = append(pending, pendingPart{p.draftSegment, err.Error()})
			continue
		}
		p.text = proof
	}
	return pending
}

// factSources returns the texts that a new wording may take facts from.
func (r rewriteTask) factSources(p *draftSegment) []string {
	return append([]string{r.FullDraft, optional.ValueOr(p.Summary.Value(), "")}, p.Actions.Value()...)
}

// fitPhrase returns the wording in one line, without a full stop that the old phrase did not have.
func fitPhrase(old, wording string) string {
	wording = strings.Join(strings.Fields(wording), " ")
	if !strings.HasSuffix(strings.TrimSpace(old), ".") {
		wording = strings.TrimSuffix(wording, ".")
	}
	return wording
}
