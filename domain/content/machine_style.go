package content

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"strings"

	"rostrum/api"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text/style"
	"rostrum/model"
	"rostrum/model/optional"
)

var (
	//go:embed machine_style.tmpl
	machineText   string
	machinePrompt = llm.MustPrompt("content.de_machine_style", machineText)
)

// RemoveMachineStyle rewrites a text without its markers of machine style. If the new text loses a
// fact or scores higher, it asks the model once more. After that it returns the text unchanged with
// a warning. A text in another language than English gets no scores. It fails with too_large, budget_exhausted, model_failed and model_timeout.
func (s *Service) RemoveMachineStyle(ctx context.Context,
	in api.RemoveMachineStyleInput) (*api.RemoveMachineStylePayload, error) {
	if err := checkLength("text", in.Text); err != nil {
		return nil, err
	}
	var out *api.RestyledText
	err := s.spendRun(ctx, "deMachineStyle", func(ctx context.Context) (err error) {
		out, err = s.removeMarkers(ctx, in)
		return err
	})
	return &api.RemoveMachineStylePayload{Text: out}, err
}

// EstimateRestyling returns the cost of RemoveMachineStyle, or errs.TooLarge.
func (s *Service) EstimateRestyling(ctx context.Context, in api.RemoveMachineStyleInput) (*model.Estimate, error) {
	if err := checkLength("text", in.Text); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

func (s *Service) removeMarkers(ctx context.Context, in api.RemoveMachineStyleInput) (*api.RestyledText, error) {
	before := style.Analyze(in.Text)
	out := &api.RestyledText{Content: in.Text, ScoreBefore: before.Score, Tells: []*api.StyleTell{}}
	for _, t := range before.Markers {
		out.Tells = append(out.Tells, &api.StyleTell{Words: t.Words, Count: t.Count, Weight: t.Weight})
	}
	problem := ""
	for range 2 {
		task, err := machineTask(in, before, problem)
		if err != nil {
			return nil, err
		}
		answer, err := s.models.Run(ctx, s.setModel(task, in.Model.Value()))
		if err != nil {
			return nil, err
		}
		out.Model, out.Truncated, out.Warning = &answer.Model, answer.Truncated, optional.NonEmpty(answer.Warning)
		text, err := checkImproved(in, optional.ValueOr(before.Score, math.MaxFloat64), stripWrapping(answer.Text))
		if err == nil {
			out.Content, problem = text, ""
			break
		}
		problem = err.Error()
	}
	if problem != "" {
		out.Warning = optional.NonEmpty("the text is unchanged: the new text was rejected because " + problem)
	}
	if out.ScoreAfter = style.Analyze(out.Content).Score; before.Score == nil {
		out.ScoreAfter = nil
		out.Warning = new(strings.TrimPrefix(optional.ValueOr(out.Warning, "")+"; "+unmeasuredStyle, "; "))
	}
	return out, nil
}

// unmeasuredStyle is the warning about a text without scores.
const unmeasuredStyle = "machine style is not measured: only markers of English are known"

// checkImproved returns the cleaned text. It returns an error if the text lost facts, scores
// higher, or changed the paragraphs of a selection.
func checkImproved(in api.RemoveMachineStyleInput, before float64, text string) (string, error) {
	text, err := checkWording(in.Text, text)
	switch {
	case err != nil:
		return "", err
	case optional.ValueOr(in.SelectionOnly.Value(), false) && strings.Count(text, "\n") != strings.Count(in.Text, "\n"):
		return "", fmt.Errorf("it has other paragraphs")
	case optional.ValueOr(style.Analyze(text).Score, 0) > before:
		return "", fmt.Errorf("it has more markers of machine style than before")
	}
	return text, nil
}

func machineTask(in api.RemoveMachineStyleInput, found style.MarkerReport, problem string) (llm.Task, error) {
	task, err := machinePrompt.Task(map[string]any{
		"Text": in.Text, "Markers": found.Markers, "Selection": optional.ValueOr(in.SelectionOnly.Value(), false),
		"Problem":  problem,
		"Kind":     optional.ValueOr(in.ContentTypeLabel.Value(), ""),
		"Tone":     optional.ValueOr(in.TonePersonaLabel.Value(), ""),
		"ToneHelp": optional.ValueOr(in.TonePersonaHelper.Value(), ""),
	})
	task.Input = offline.Restyling{Text: in.Text, Options: offline.GivenOptions(
		"content_type_label", optional.ValueOr(in.ContentTypeLabel.Value(), ""), "tone_persona_label",
		optional.ValueOr(in.TonePersonaLabel.Value(), ""),
		"tone_persona_helper", optional.ValueOr(in.TonePersonaHelper.Value(), ""), "model",
		strings.TrimPrefix(optional.ValueOr(in.Model.Value(), ""), offline.Model),
	)}
	return task, err
}

var (
	codeFence = regexp.MustCompile("(?s)^\\s*```[a-z]*\n(.*?)\n?```\\s*$")
	preamble  = regexp.MustCompile(`(?i)^\s*(?:sure|certainly|of course|here(?:'s| is| are)|below is)\b[^\n]{0,120}:\s*\n+`)
)

// stripWrapping returns the answer of a model without its preamble and code fence.
func stripWrapping(answer string) string {
	answer = preamble.ReplaceAllString(answer, "")
	if inner := codeFence.FindStringSubmatch(answer); inner != nil {
		return inner[1]
	}
	return answer
}
