package content

import (
	"context"
	_ "embed"
	"strings"

	"rostrum/api"
	"rostrum/llm"
	"rostrum/llm/text/fact"
	"rostrum/llm/text/proof"
	"rostrum/model"
	"rostrum/model/optional"
)

var (
	//go:embed generate.tmpl
	generateText   string
	generatePrompt = llm.MustPrompt("content.generate", generateText)
	//go:embed enhance.tmpl
	enhanceText   string
	enhancePrompt = llm.MustPrompt("content.enhance", enhanceText)
)

// Generate writes a piece from a brief. It fails with validation_failed, budget_exhausted,
// model_failed and model_timeout.
func (s *Service) Generate(ctx context.Context, in api.GenerateContentInput) (*api.GenerateContentPayload, error) {
	b, err := s.newGenerateBrief(ctx, in)
	if err != nil {
		return nil, err
	}
	text, err := s.writeForCaller(ctx, fieldGenerate, b)
	return &api.GenerateContentPayload{Text: text}, err
}

// EstimateGenerate returns the cost of Generate, and its errors for an invalid brief.
func (s *Service) EstimateGenerate(ctx context.Context, in api.GenerateContentInput) (*model.Estimate, error) {
	if _, err := s.newGenerateBrief(ctx, in); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

// Enhance improves a draft: it keeps the facts and adds missing points. It returns Generate's
// errors.
func (s *Service) Enhance(ctx context.Context, in api.EnhanceContentInput) (*api.EnhanceContentPayload, error) {
	b, err := newEnhanceBrief(in)
	if err != nil {
		return nil, err
	}
	text, err := s.writeForCaller(ctx, fieldEnhance, b)
	return &api.EnhanceContentPayload{Text: text}, err
}

// EstimateEnhance returns the cost of Enhance, and its errors for an invalid draft.
func (s *Service) EstimateEnhance(ctx context.Context, in api.EnhanceContentInput) (*model.Estimate, error) {
	if _, err := newEnhanceBrief(in); err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runCost)
}

// writeForCaller writes a piece for one run of the budget.
func (s *Service) writeForCaller(ctx context.Context, operation string, b brief) (*api.GeneratedText, error) {
	var out *api.GeneratedText
	err := s.spendRun(ctx, operation, func(ctx context.Context) (err error) {
		out, err = s.writePiece(ctx, b, nil)
		return err
	})
	return out, err
}

// writePiece asks the model for a piece and passes the first answer to send in parts; send may be
// nil. If the answer lacks points or facts, it asks once more. After that it adds missing points
// verbatim, restores a draft that lost facts, and sets a warning.
func (s *Service) writePiece(ctx context.Context, b brief, send func(delta string) error) (*api.GeneratedText, error) {
	out := &api.GeneratedText{}
	problem := ""
	for range 2 {
		task, err := b.buildTask(problem)
		if err != nil {
			return nil, err
		}
		answer, err := s.askModel(ctx, task, send)
		if err != nil {
			return nil, err
		}
		send = nil
		out.Warning = optional.NonEmpty(answer.Warning)
		out.Content, out.Model, out.Truncated = fact.Clean(stripWrapping(answer.Text), b.factSources()...),
			&answer.Model, answer.Truncated
		if problem = b.listProblems(out.Content); problem == "" || answer.Truncated {
			break
		}
	}
	if problem != "" {
		b.addMissing(out)
	}
	return out, nil
}

func (s *Service) askModel(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	if send == nil {
		return s.models.Run(ctx, task)
	}
	return s.models.Stream(ctx, task, send)
}

// listProblems describes the required points and facts that a piece lacks; "" if there are none.
func (b brief) listProblems(piece string) string {
	var lacking []string
	if strings.TrimSpace(piece) == "" {
		lacking = append(lacking, "it is empty")
	}
	if unmade := b.missingPoints(piece); len(unmade) > 0 {
		lacking = append(lacking, "it does not say: "+strings.Join(unmade, "; "))
	}
	if lost := fact.Missing(b.Draft, piece); len(lost) > 0 {
		lacking = append(lacking, "it leaves out "+strings.Join(lost, ", "))
	}
	if fault := b.changedDraft(piece); fault != "" {
		lacking = append(lacking, fault)
	}
	return strings.Join(lacking, "; ")
}

// changedDraft returns what an enhanced draft says otherwise than before; see proof.Rewritten. A new
// piece and points to add may have negations of their own.
func (b brief) changedDraft(piece string) string {
	if b.Draft == "" {
		return ""
	}
	return proof.Enhanced(b.Draft, piece, b.factSources()...)
}

// addMissing adds the missing points to a piece and sets a warning.
func (b brief) addMissing(out *api.GeneratedText) {
	warning := "points that the engine left out were added verbatim"
	if fault := b.changedDraft(out.Content); fault != "" {
		warning = "the draft is unchanged except for added points: the new text was rejected because " + fault
		out.Content = b.Draft
	} else if lost := fact.Missing(b.Draft, out.Content); len(lost) > 0 {
		warning = "the draft is unchanged except for added points: the engine left out " + strings.Join(lost, ", ")
		out.Content = b.Draft
	}
	out.Content = insertPoints(out.Content, b.missingPoints(out.Content))
	if out.Warning != nil {
		warning = *out.Warning + "; " + warning
	}
	out.Warning = &warning
}

func (b brief) buildTask(problem string) (llm.Task, error) {
	prompt := generatePrompt
	if b.Draft != "" {
		prompt = enhancePrompt
	}
	task, err := prompt.Task(map[string]any{"Brief": b, "Problem": problem})
	task.Model = b.Model
	task.Input = b.offlineInput()
	return task, err
}
