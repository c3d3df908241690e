package persona

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/llm"
)

// FinishFunc stores the result of a model call in the transaction that commits its run.
type FinishFunc = func(ctx context.Context, tx dbx.Tx) error

// The operations that reserve runs, as the run ledger names them.
const (
	fieldInteract = "interact"
	fieldDraft    = "draftPersona"
	fieldBuild    = "buildPersona"
	fieldContent  = "personaGenerateContent"
	fieldHealth   = "measurePersonaHealth"

	runCost = 1
)

// Time limits of a model call. While a caller waits they are shorter than a mutation's timeout.
var (
	callLimit   = llm.Limit{Time: 25 * time.Second, Alternative: "the /async path gives it longer"}
	streamLimit = llm.Limit{Time: 2 * time.Minute, Alternative: "the /async path gives it longer"}
	probeLimit  = llm.Limit{Time: 25 * time.Second}
	jobLimit    = llm.Limit{Time: 3 * time.Minute}
)

// askFunc asks a model one task and returns its answer or error.
type askFunc func(ctx context.Context, task llm.Task) (llm.Answer, error)

// askWithin returns a function that asks the engine. After the limit it returns model_timeout.
func (s *Service) askWithin(limit llm.Limit) askFunc {
	return func(ctx context.Context, task llm.Task) (llm.Answer, error) {
		return llm.Within(ctx, limit, func(ctx context.Context) (llm.Answer, error) { return s.engine.Run(ctx, task) })
	}
}
