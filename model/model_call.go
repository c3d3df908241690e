package model

import (
	"time"

	"github.com/uptrace/bun"
)

// ModelCallOutcome is how a request to a text model ended.
type ModelCallOutcome string

// The values of ModelCallOutcome.
const (
	ModelCallOK        ModelCallOutcome = "ok"
	ModelCallRefused   ModelCallOutcome = "refused"
	ModelCallMalformed ModelCallOutcome = "malformed"
	ModelCallFailed    ModelCallOutcome = "failed"
	ModelCallCancelled ModelCallOutcome = "cancelled"
)

// ModelCall is the record of a request to a text model, without its text. Each retry is a request.
type ModelCall struct {
	bun.BaseModel `bun:"table:llm_call"`

	ID            string  `bun:"id,pk"`
	WorkspaceID   string  `bun:"workspace_id"`
	JobID         *string `bun:"job_id"`
	Task          string  `bun:"task"`
	PromptVersion string  `bun:"prompt_version"`
	Provider      string  `bun:"provider"` // host name of the server
	Model         string  `bun:"model"`    // the requested model
	PromptTokens  int     `bun:"prompt_tokens"`
	AnswerTokens  int     `bun:"answer_tokens"`
	// billionths of the prices' currency; nil if no price is configured
	CostNanos *int64           `bun:"cost_nanos"`
	LatencyMs int              `bun:"latency_ms"`
	Outcome   ModelCallOutcome `bun:"outcome"`
	CreatedAt time.Time        `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*ModelCall) IsNode() {}

// Cost returns the cost in the currency of the prices; nil if no price is configured.
func (c *ModelCall) Cost() *float64 { return costOf(c.CostNanos) }

// ModelUsage is the sum of the requests of one job.
type ModelUsage struct {
	JobID        string `bun:"job_id"`
	Calls        int    `bun:"calls"`
	PromptTokens int    `bun:"prompt_tokens"`
	AnswerTokens int    `bun:"answer_tokens"`
	CostNanos    *int64 `bun:"cost_nanos"` // nil if a request has no cost
}

// Cost returns the cost in the currency of the prices; nil if a request has none.
func (u *ModelUsage) Cost() *float64 { return costOf(u.CostNanos) }

// ModelTotal is the sum of a workspace's requests to one model of one server.
type ModelTotal struct {
	Provider     string `bun:"provider"` // host name of the server
	Model        string `bun:"model"`
	Calls        int    `bun:"calls"`
	FailedCalls  int    `bun:"failed_calls"` // requests without a usable answer
	PromptTokens int    `bun:"prompt_tokens"`
	AnswerTokens int    `bun:"answer_tokens"`
	CostNanos    *int64 `bun:"cost_nanos"` // nil if a request has no cost
}

// Cost returns the cost in the currency of the prices; nil if a request has none.
func (t *ModelTotal) Cost() *float64 { return costOf(t.CostNanos) }

const nanos = 1e9

func costOf(billionths *int64) *float64 {
	if billionths == nil {
		return nil
	}
	return new(float64(*billionths) / nanos)
}

// ModelCallConnection is one page of the records of requests.
type ModelCallConnection = Connection[ModelCall]

// ModelCallEdge is a record of a request and its cursor.
type ModelCallEdge = Edge[ModelCall]
