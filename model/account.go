package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Workspace owns all other rows. A key belongs to exactly one workspace.
type Workspace struct {
	bun.BaseModel `bun:"table:workspace"`

	ID             string `bun:"id,pk"`
	Name           string `bun:"name"`
	Plan           Plan   `bun:"plan"`
	IsDemo         bool   `bun:"is_demo"`
	MarketLanguage string `bun:"market_language"` // BCP-47
	// who may know a new document of which neither the request nor its text says it: public or internal
	DefaultVisibility Visibility `bun:"default_visibility,nullzero,default:'public'"`
	// the score by house rules that a draft's text needs to be approved; nil if it needs none
	RequiredHouseScore *int `bun:"required_house_score"`
	// for gateways of earlier revisions; account.Service.DefaultModel is in use
	DefaultModel string     `bun:"default_model"`
	RunLimit     int        `bun:"run_limit"`     // runs per budget period
	RunsUsed     int        `bun:"runs_used"`     // committed and reserved runs
	RunsResetAt  *time.Time `bun:"runs_reset_at"` // nil: the budget is fixed
	// start of the budget period; nil if it began before periods were stored
	RunsSince     *time.Time `bun:"runs_since"`
	BudgetTold    int        `bun:"budget_told"` // the percentage that the period's last budget.reached told, or 0
	DocumentCount int        `bun:"document_count"`
	HiddenCount   int        `bun:"hidden_count"` // documents that comms filters hide
	CreatedAt     time.Time  `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*Workspace) IsNode() {}

// StorageLimit returns how many bytes of texts and files a workspace of the plan may store.
func (p Plan) StorageLimit() int64 {
	switch p {
	case PlanFree:
		return 1 << 30
	case PlanPro:
		return 10 << 30
	case PlanTeam:
		return 50 << 30
	}
	return 1 << 30
}

// Storage is how many bytes of texts and files a workspace may store and has stored.
type Storage struct{ Limit, Used int64 }

// LimitMegabytes returns the limit in megabytes.
func (s *Storage) LimitMegabytes() int { return int(s.Limit >> 20) }

// UsedMegabytes returns what is stored in megabytes.
func (s *Storage) UsedMegabytes() float64 { return float64(s.Used) / (1 << 20) }

// RunBudget returns the workspace's budget: its limit, the used and the remaining runs.
func (w *Workspace) RunBudget() *RunBudget {
	return &RunBudget{
		Limit: w.RunLimit, Used: w.RunsUsed, Remaining: max(w.RunLimit-w.RunsUsed, 0), ResetsAt: w.RunsResetAt,
	}
}

// RunBudget is the number of a workspace's runs with a model per period: limit, used and remaining.
type RunBudget struct {
	Limit     int
	Used      int
	Remaining int
	ResetsAt  *time.Time // nil: it does not reset by itself
}

// PercentReached returns which of 50, 80 and 100 percent of the budget are used up, as the highest of
// them; 0 for none and without a budget.
func (b *RunBudget) PercentReached() int {
	for _, percent := range []int{100, 80, 50} {
		if b.Limit > 0 && b.Used*100 >= b.Limit*percent {
			return percent
		}
	}
	return 0
}

// APIKey is a key of a workspace. Only the SHA-256 of its secret is stored.
type APIKey struct {
	bun.BaseModel `bun:"table:api_key"`

	ID          string     `bun:"id,pk"`
	WorkspaceID string     `bun:"workspace_id"`
	Name        string     `bun:"name"`
	Prefix      string     `bun:"prefix"` // the secret's first characters, to recognise it by
	Hash        []byte     `bun:"hash"`   // SHA-256 of the secret
	Scopes      []Scope    `bun:"scopes,type:jsonb"`
	CreatedBy   string     `bun:"created_by"`
	CreatedAt   time.Time  `bun:"created_at"`
	ExpiresAt   *time.Time `bun:"expires_at"`
	LastUsedAt  *time.Time `bun:"last_used_at"` // exact to a minute
	RevokedAt   *time.Time `bun:"revoked_at"`
	RotatedTo   *string    `bun:"rotated_to"` // id of the key that replaces it
}

// IsNode marks the type as a Node.
func (*APIKey) IsNode() {}

// IsActor marks the type as an Actor.
func (*APIKey) IsActor() {}

// RunState is the state of a run reservation.
type RunState string

// The values of RunState. An open reservation is settled exactly once.
const (
	RunReserved  RunState = "reserved"
	RunCommitted RunState = "committed"
	RunReturned  RunState = "returned"
)

// RunReservation is an entry of the ledger of runs. Runs are taken from the budget before the work
// and settled at its end.
type RunReservation struct {
	bun.BaseModel `bun:"table:run_reservation"`

	ID          string     `bun:"id,pk"`
	WorkspaceID string     `bun:"workspace_id"`
	Operation   string     `bun:"operation"` // the GraphQL field that reserved the runs
	JobID       *string    `bun:"job_id"`
	Runs        int        `bun:"runs"`
	State       RunState   `bun:"state"`
	CreatedAt   time.Time  `bun:"created_at"`
	SettledAt   *time.Time `bun:"settled_at"`
}

// IsNode marks the type as a Node.
func (*RunReservation) IsNode() {}

// RunReservationConnection is one page of a budget's ledger.
type RunReservationConnection = Connection[RunReservation]

// RunReservationEdge is an entry of the ledger and its cursor.
type RunReservationEdge = Edge[RunReservation]

// ApiKeyConnection is one page of a workspace's keys.
type ApiKeyConnection = Connection[APIKey]

// ApiKeyEdge is a key and its cursor.
type ApiKeyEdge = Edge[APIKey]
