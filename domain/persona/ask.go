package persona

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/model"
)

// Finish stores what came of a model's answer, in the transaction that keeps its run.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// The graph's fields that runs are reserved for, and what each costs.
const (
	opInteract = "interact"
	opDraft    = "draftPersona"
	opBuild    = "buildPersona"
	opContent  = "personaGenerateContent"
	opHealth   = "measurePersonaHealth"
	opJob      = "retryJob"

	oneRun = 1
)

// How long a model has for one task: less than a mutation where somebody waits, and more where nobody does.
var (
	callTime   = llm.Limit{Time: 25 * time.Second, Otherwise: "the /async path gives it longer"}
	streamTime = llm.Limit{Time: 2 * time.Minute, Otherwise: "the /async path gives it longer"}
	probeTime  = llm.Limit{Time: 25 * time.Second}
	jobTime    = llm.Limit{Time: 3 * time.Minute}
)

// asker asks a model one task.
type asker func(ctx context.Context, task llm.Task) (llm.Answer, error)

// asking asks the room's engine within a time.
func (s *Service) asking(most llm.Limit) asker {
	return func(ctx context.Context, task llm.Task) (llm.Answer, error) {
		return llm.Within(ctx, most, func(ctx context.Context) (llm.Answer, error) { return s.engine.Run(ctx, task) })
	}
}

// estimate is what each of the room's model-backed fields costs.
func (s *Service) estimate(ctx context.Context, p model.Principal) (*model.Estimate, error) {
	if err := s.accounts.TellBudget(ctx, p.WorkspaceID); err != nil {
		return nil, err
	}
	return &model.Estimate{Runs: oneRun}, nil
}
