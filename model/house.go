package model

import (
	"time"

	"github.com/uptrace/bun"
)

// HouseRule is a rule that the workspace's texts keep to.
type HouseRule struct {
	bun.BaseModel `bun:"table:house_rule"`

	ID          string         `bun:"id,pk"`
	WorkspaceID string         `bun:"workspace_id"`
	Name        string         `bun:"name"`
	Kind        HouseRuleKind  `bun:"kind"`
	Level       HouseRuleLevel `bun:"level"`
	Message     string         `bun:"message"`
	Language    *string        `bun:"language"` // of the texts that it is for; nil for all
	Link        *string        `bun:"link"`
	Source      string         `bun:"source"` // the whole rule; the fields above repeat parts of it
	CreatedByID *string        `bun:"created_by_id"`
	CreatedAt   time.Time      `bun:"created_at"`
	UpdatedAt   time.Time      `bun:"updated_at"`
}

// IsNode marks the type as a Node.
func (*HouseRule) IsNode() {}

// HouseRuleKind is what a house rule looks at, by its extension point in Vale.
type HouseRuleKind string

// The values of HouseRuleKind.
const (
	HouseRuleKindExistence      HouseRuleKind = "existence"
	HouseRuleKindSubstitution   HouseRuleKind = "substitution"
	HouseRuleKindOccurrence     HouseRuleKind = "occurrence"
	HouseRuleKindCapitalization HouseRuleKind = "capitalization"
	HouseRuleKindRepetition     HouseRuleKind = "repetition"
	HouseRuleKindConditional    HouseRuleKind = "conditional"
	HouseRuleKindReadability    HouseRuleKind = "readability"
)

// HouseRuleLevel is how much a finding of a house rule weighs.
type HouseRuleLevel string

// The values of HouseRuleLevel.
const (
	HouseRuleLevelSuggestion HouseRuleLevel = "suggestion"
	HouseRuleLevelWarning    HouseRuleLevel = "warning"
	HouseRuleLevelError      HouseRuleLevel = "error"
)

// ReadabilityMeasure is a formula for how easy a text is to read.
type ReadabilityMeasure string

// The values of ReadabilityMeasure.
const (
	ReadabilityMeasureFlesch ReadabilityMeasure = "flesch"
	ReadabilityMeasureAmstad ReadabilityMeasure = "amstad"
)

// HouseRuleConnection is one page of house rules.
type HouseRuleConnection = Connection[HouseRule]

// HouseRuleEdge is a house rule and its cursor.
type HouseRuleEdge = Edge[HouseRule]
