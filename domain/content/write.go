package content

import (
	"context"
	_ "embed"
	"strings"

	"rostrum/domain/content/fact"
	"rostrum/llm"
	"rostrum/model"
)

var (
	//go:embed generate.tmpl
	generateWords  string
	generatePrompt = llm.MustPrompt("content.generate", generateWords)
	//go:embed enhance.tmpl
	enhanceWords  string
	enhancePrompt = llm.MustPrompt("content.enhance", enhanceWords)
)

// Generate writes a piece from a brief. A source that the workspace does not have is refused.
func (s *Service) Generate(ctx context.Context, in model.ContentGenerateInput, estimate bool) (*model.GeneratedText, error) {
	b, err := s.generating(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.written(ctx, opGenerate, b, estimate)
}

// Enhance makes a draft better: it keeps its facts, and makes the points that it is said to lack.
func (s *Service) Enhance(ctx context.Context, in model.ContentEnhanceInput, estimate bool) (*model.GeneratedText, error) {
	b, err := enhancing(in)
	if err != nil {
		return nil, err
	}
	return s.written(ctx, opEnhance, b, estimate)
}

func (s *Service) written(ctx context.Context, operation string, b brief, estimate bool) (*model.GeneratedText, error) {
	if estimate {
		costs, err := s.estimate(ctx, runs)
		return &model.GeneratedText{Estimate: costs}, err
	}
	var out *model.GeneratedText
	err := s.spend(ctx, operation, func(ctx context.Context) (err error) {
		out, err = s.write(ctx, s.chosen(b), nil)
		return err
	})
	return out, err
}

// write asks for the piece, sending the pieces of the first answer as they come where send is given. What the answer lacks is asked for once
// more; what it then still lacks is put into it as it was given, with a warning, and a draft that would lose facts stays and gets its points.
func (s *Service) write(ctx context.Context, b brief, send func(delta string) error) (*model.GeneratedText, error) {
	out := &model.GeneratedText{}
	problem := ""
	for range 2 {
		task, err := b.task(problem)
		if err != nil {
			return nil, err
		}
		answer, err := s.say(ctx, task, send)
		if err != nil {
			return nil, err
		}
		send = nil
		out.Content, out.Model, out.Truncated = fact.Clean(bare(answer.Text), b.sources()...), &answer.Model, answer.Truncated
		if problem = b.lacks(out.Content); problem == "" || answer.Truncated {
			break
		}
	}
	if problem != "" {
		b.mend(out)
	}
	return out, nil
}

func (s *Service) say(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	if send == nil {
		return s.models.Run(ctx, task)
	}
	return s.models.Stream(ctx, task, send)
}

// lacks says what a piece does not have that it must have; empty for nothing.
func (b brief) lacks(piece string) string {
	var lacking []string
	if strings.TrimSpace(piece) == "" {
		lacking = append(lacking, "it is empty")
	}
	if unmade := b.unmade(piece); len(unmade) > 0 {
		lacking = append(lacking, "it does not say: "+strings.Join(unmade, "; "))
	}
	if lost := fact.Missing(b.Draft, piece); len(lost) > 0 {
		lacking = append(lacking, "it leaves out "+strings.Join(lost, ", "))
	}
	return strings.Join(lacking, "; ")
}

// mend puts into a piece what it lacks.
func (b brief) mend(out *model.GeneratedText) {
	warning := "what the model left out was added as it was given"
	if lost := fact.Missing(b.Draft, out.Content); len(lost) > 0 {
		warning = "the draft stays as it was, with its points added: the model left out " + strings.Join(lost, ", ")
		out.Content = b.Draft
	}
	out.Content = weave(out.Content, b.unmade(out.Content))
	out.Warning = &warning
}

func (b brief) task(problem string) (llm.Task, error) {
	prompt := generatePrompt
	if b.Draft != "" {
		prompt = enhancePrompt
	}
	task, err := prompt.Task(map[string]any{"Brief": b, "Problem": problem})
	task.Model = b.Model
	task.Builtin = func(context.Context) (string, error) { return b.compose(), nil }
	return task, err
}
