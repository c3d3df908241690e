package content

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"rostrum/domain/content/style"
	"rostrum/llm"
	"rostrum/model"
)

var (
	//go:embed machine.tmpl
	machineWords  string
	machinePrompt = llm.MustPrompt("content.de_machine_style", machineWords)
)

// DeMachineStyle writes a text without what makes it sound as if a machine had written it. A new text that loses a fact, or sounds no
// better, is asked for once more; after that the text stays as it was, with a warning.
func (s *Service) DeMachineStyle(ctx context.Context, in model.DeMachineStyleInput, estimate bool) (*model.DeMachinedText, error) {
	if err := checkLength("text", in.Text); err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimate(ctx, runs)
		return &model.DeMachinedText{Estimate: costs}, err
	}
	var out *model.DeMachinedText
	err := s.spend(ctx, "deMachineStyle", func(ctx context.Context) (err error) {
		out, err = s.humanise(ctx, in)
		return err
	})
	return out, err
}

func (s *Service) humanise(ctx context.Context, in model.DeMachineStyleInput) (*model.DeMachinedText, error) {
	before := style.Judge(in.Text)
	out := &model.DeMachinedText{Content: in.Text, ScoreBefore: before.Score, Tells: []*model.StyleTell{}}
	for _, t := range before.Tells {
		out.Tells = append(out.Tells, &model.StyleTell{Words: t.Words, Count: t.Count, Weight: t.Weight})
	}
	problem := ""
	for range 2 {
		task, err := machineTask(in, before, problem)
		if err != nil {
			return nil, err
		}
		answer, err := s.models.Run(ctx, s.choose(task, in.Model.Value()))
		if err != nil {
			return nil, err
		}
		out.Model, out.Truncated = &answer.Model, answer.Truncated
		text, err := better(in, before.Score, bare(answer.Text))
		if err == nil {
			out.Content, problem = text, ""
			break
		}
		problem = err.Error()
	}
	if problem != "" {
		warning := "the text stays as it was: a new one was given up because " + problem
		out.Warning = &warning
	}
	out.ScoreAfter = style.Judge(out.Content).Score
	return out, nil
}

// better holds a new text to the old one.
func better(in model.DeMachineStyleInput, before float64, text string) (string, error) {
	text, err := proven(in.Text, text)
	switch {
	case err != nil:
		return "", err
	case model.ValueOr(in.SelectionOnly.Value(), false) && strings.Count(text, "\n") != strings.Count(in.Text, "\n"):
		return "", fmt.Errorf("it has other paragraphs")
	case style.Judge(text).Score > before:
		return "", fmt.Errorf("it sounds more like a machine than before")
	}
	return text, nil
}

func machineTask(in model.DeMachineStyleInput, found style.Report, problem string) (llm.Task, error) {
	task, err := machinePrompt.Task(map[string]any{
		"Text": in.Text, "Tells": found.Tells, "Selection": model.ValueOr(in.SelectionOnly.Value(), false), "Problem": problem,
		"Kind": model.ValueOr(in.ContentTypeLabel.Value(), ""), "Tone": model.ValueOr(in.TonePersonaLabel.Value(), ""), "ToneHelp": model.ValueOr(in.TonePersonaHelper.Value(), ""),
	})
	task.Builtin = func(context.Context) (string, error) { return style.Rewrite(in.Text), nil }
	return task, err
}

var (
	wrapped  = regexp.MustCompile("(?s)^\\s*```[a-z]*\n(.*?)\n?```\\s*$")
	preamble = regexp.MustCompile(`(?i)^\s*(?:sure|certainly|of course|here(?:'s| is| are)|below is)\b[^\n]{0,120}:\s*\n+`)
)

// bare takes off what a model puts around a text that it was asked for.
func bare(said string) string {
	said = preamble.ReplaceAllString(said, "")
	if inner := wrapped.FindStringSubmatch(said); inner != nil {
		return inner[1]
	}
	return said
}
