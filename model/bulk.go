package model

import (
	"time"

	"github.com/uptrace/bun"
)

// BulkUndoTime is how long a bulk update can be undone after its end.
const BulkUndoTime = time.Hour

// BulkAction is what a bulk update does with documents.
type BulkAction string

// The values of BulkAction.
const (
	BulkActionUpdate         BulkAction = "update"
	BulkActionDelete         BulkAction = "delete"
	BulkActionFindStatements BulkAction = "find_statements"
)

// BulkField is a field that a bulk update changes.
type BulkField string

// The values of BulkField.
const (
	BulkFieldVisibility        BulkField = "visibility"
	BulkFieldEmbargoedUntil    BulkField = "embargoed_until"
	BulkFieldCompany           BulkField = "company"
	BulkFieldExecutive         BulkField = "executive"
	BulkFieldCommunicationType BulkField = "communication_type"
	BulkFieldExtractedDate     BulkField = "extracted_date"
	BulkFieldAutoTag           BulkField = "auto_tag"
)

// BulkSkipReason is why a bulk update or its undoing leaves a document alone.
type BulkSkipReason string

// The values of BulkSkipReason.
const (
	BulkSkipReasonNotFound      BulkSkipReason = "not_found"
	BulkSkipReasonBeingIngested BulkSkipReason = "being_ingested"
	BulkSkipReasonEmbargo       BulkSkipReason = "embargo"
	BulkSkipReasonNoText        BulkSkipReason = "no_text"
	BulkSkipReasonNoRuns        BulkSkipReason = "no_runs"
	BulkSkipReasonChangedSince  BulkSkipReason = "changed_since"
	BulkSkipReasonRefused       BulkSkipReason = "refused"
)

// BulkValues are the values that a bulk update sets.
type BulkValues struct {
	Visibility        *Visibility `json:"visibility,omitempty"`
	EmbargoedUntil    *time.Time  `json:"embargoed_until,omitempty"`
	CompanyName       *string     `json:"company,omitempty"`
	ExecutiveName     *string     `json:"executive,omitempty"`
	CommunicationType *string     `json:"communication_type,omitempty"`
	ExtractedDate     *time.Time  `json:"extracted_date,omitempty"`
	ClearedFields     []BulkField `json:"cleared,omitempty"`

	AutoTagValues []BulkAutoTagValue `json:"auto_tag_values,omitempty"`
}

// BulkAutoTagValue is the value of an auto-tag that a bulk update sets, or removes if it is nil.
type BulkAutoTagValue struct {
	AutoTagID string  `json:"auto_tag_id"`
	Value     *string `json:"value"`
}

// AutoTagIDs returns the auto-tags whose values are set or removed.
func (v *BulkValues) AutoTagIDs() []string {
	if v == nil {
		return nil
	}
	ids := make([]string, len(v.AutoTagValues))
	for i, of := range v.AutoTagValues {
		ids[i] = of.AutoTagID
	}
	return ids
}

// BulkUpdateParameters is what a bulk update does.
type BulkUpdateParameters struct {
	Action        BulkAction  `json:"action"`
	DocumentCount int         `json:"document_count"`
	Values        *BulkValues `json:"set,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*BulkUpdateParameters) IsJobParameters() {}

// BulkUndoParameters is the bulk update that is undone.
type BulkUndoParameters struct {
	UpdateJobID string `json:"update_job_id"`
}

// IsJobParameters marks the type as a member of the union.
func (*BulkUndoParameters) IsJobParameters() {}

// BulkUpdateResult is what a bulk update or its undoing has done.
type BulkUpdateResult struct {
	DocumentCount  int        `json:"document_count"`
	ChangedCount   int        `json:"changed_count"`
	UnchangedCount int        `json:"unchanged_count"`
	SkippedCount   int        `json:"skipped_count"`
	UnreachedCount int        `json:"unreached_count"`
	Skips          []BulkSkip `json:"skips"`
	UndoableUntil  *time.Time `json:"undoable_until,omitempty"`
}

// IsJobResult marks the type as a member of the union.
func (*BulkUpdateResult) IsJobResult() {}

// BulkSkip is a document that was left alone.
type BulkSkip struct {
	DocumentID string         `json:"document_id"`
	Reason     BulkSkipReason `json:"reason"`
	Message    *string        `json:"message,omitempty"`
}

// BulkPreview is what a bulk update would change.
type BulkPreview struct {
	ChangedCount, UnchangedCount, SkippedCount int

	Fields []BulkFieldCount
	Sample []BulkChangedDocument
	Skips  []BulkSkip
}

// BulkFieldCount is the number of documents that a field would be changed in.
type BulkFieldCount struct {
	Field     BulkField
	AutoTagID *string // with BulkFieldAutoTag
	Count     int
}

// BulkChangedDocument is a document that a bulk update would change.
type BulkChangedDocument struct {
	DocumentID string
	Changes    []BulkFieldChange
}

// BulkFieldChange is a field with its values before and after a change; nil if it is empty.
type BulkFieldChange struct {
	Field         BulkField
	AutoTagID     *string // with BulkFieldAutoTag
	Before, After *string
}

// BulkState is the state of a document in a bulk update.
type BulkState string

// The values of BulkState.
const (
	BulkStateWaiting   BulkState = "waiting"
	BulkStateChanged   BulkState = "changed"
	BulkStateUnchanged BulkState = "unchanged"
	BulkStateSkipped   BulkState = "skipped"
	BulkStateUndone    BulkState = "undone"
	BulkStateLeft      BulkState = "left" // the undoing left the change in place
)

// BulkChange is a document of a bulk update, with the values from before until they can no longer
// be restored.
type BulkChange struct {
	bun.BaseModel `bun:"table:bulk_change"`

	ID          string          `bun:"id,pk"`
	WorkspaceID string          `bun:"workspace_id"`
	JobID       string          `bun:"job_id"`      // of the update
	UndoJobID   *string         `bun:"undo_job_id"` // of the undoing; nil if none was started
	Position    int             `bun:"position"`    // in the selection, from 0
	DocumentID  string          `bun:"document_id"`
	State       BulkState       `bun:"state"`
	Reason      *BulkSkipReason `bun:"reason"`  // with BulkStateSkipped and BulkStateLeft
	Message     *string         `bun:"message"` // more of the reason
	Old         *BulkSnapshot   `bun:"old,type:jsonb"`
	New         *BulkSnapshot   `bun:"new,type:jsonb"`
	CreatedAt   time.Time       `bun:"created_at"`
}

// BulkSnapshot holds the fields of a document that bulk updates change. DeletedAt is set if the
// document was deleted.
type BulkSnapshot struct {
	Visibility        Visibility         `json:"visibility,omitempty"`
	EmbargoedUntil    *time.Time         `json:"embargoed_until,omitempty"`
	Company           *string            `json:"company,omitempty"`
	CompanyID         *string            `json:"company_id,omitempty"`
	Executive         *string            `json:"executive,omitempty"`
	ExecutiveID       *string            `json:"executive_id,omitempty"`
	CommunicationType *string            `json:"communication_type,omitempty"`
	ExtractedDate     *time.Time         `json:"extracted_date,omitempty"`
	Origins           AttributionOrigins `json:"origins"`
	DeletedAt         *time.Time         `json:"deleted_at,omitempty"`
	AutoTags          []AutoTagState     `json:"auto_tags,omitempty"`
}

// AutoTagState is what a document has of an auto-tag.
type AutoTagState struct {
	AutoTagID string          `json:"auto_tag_id"`
	Applied   *AppliedAutoTag `json:"applied,omitempty"` // nil without a value
	Review    *AutoTagReview  `json:"review,omitempty"`  // a pending or rejected value
}

// Value returns the value that the document has; nil without one.
func (s AutoTagState) Value() *string {
	if s.Applied == nil {
		return nil
	}
	return &s.Applied.ExtractedValue
}
