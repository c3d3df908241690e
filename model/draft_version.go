package model

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// DraftVersion is a text that a draft has or had. The row of another text has another id.
type DraftVersion struct {
	bun.BaseModel `bun:"table:draft_version"`

	ID             string    `bun:"id,pk"`
	WorkspaceID    string    `bun:"workspace_id"`
	DraftID        string    `bun:"draft_id"`
	Number         int       `bun:"number"` // from 1, in the order of the draft's texts
	Title          string    `bun:"title"`
	Content        string    `bun:"content"`
	ContentType    string    `bun:"content_type"`
	AuthorID       *string   `bun:"author_id"`     // the user; nil for a key
	AuthorKeyID    *string   `bun:"author_key_id"` // the key; nil for a user
	CreatedAt      time.Time `bun:"created_at"`    // when the author began it
	SavedAt        time.Time `bun:"saved_at"`      // when the author saved it last
	RestoredFromID *string   `bun:"restored_from_id"`
}

// IsNode marks the type as a Node.
func (*DraftVersion) IsNode() {}

// AfterScanRow notes a read of the title or text.
func (v *DraftVersion) AfterScanRow(ctx context.Context) error {
	noteDraft(ctx, v.Title != "" || v.Content != "", &v.DraftID)
	return grow(ctx, &v.Content)
}

// DraftVersionConnection is one page of the versions of a draft.
type DraftVersionConnection = Connection[DraftVersion]

// DraftVersionEdge is a version and its cursor.
type DraftVersionEdge = Edge[DraftVersion]

// DraftState is how far a draft is.
type DraftState string

// The values of DraftState.
const (
	DraftStateDraft    DraftState = "draft"
	DraftStateInReview DraftState = "in_review"
	DraftStateApproved DraftState = "approved"
	// DraftStatePublished is of a draft whose hosted page shows its text.
	DraftStatePublished DraftState = "published"
)

// DraftAction is what changes a draft's state.
type DraftAction string

// The values of DraftAction.
const (
	DraftActionReviewRequested DraftAction = "review_requested"
	DraftActionApproved        DraftAction = "approved"
	DraftActionReturned        DraftAction = "returned"
	DraftActionReopened        DraftAction = "reopened" // the text changed
	DraftActionPublished       DraftAction = "published"
	DraftActionWithdrawn       DraftAction = "withdrawn"
)

// DraftStateChange is a change of a draft's state. It is about one version.
type DraftStateChange struct {
	bun.BaseModel `bun:"table:draft_state_change"`

	ID          string      `bun:"id,pk"`
	WorkspaceID string      `bun:"workspace_id"`
	DraftID     string      `bun:"draft_id"`
	VersionID   string      `bun:"version_id"`
	Action      DraftAction `bun:"action"`
	Reason      *string     `bun:"reason"`      // of a return or a withdrawal
	AssigneeID  *string     `bun:"assignee_id"` // the user who is to act next
	DueAt       *time.Time  `bun:"due_at"`
	ByID        *string     `bun:"by_id"`     // the user; nil for a key
	ByKeyID     *string     `bun:"by_key_id"` // the key; nil for a user
	At          time.Time   `bun:"at"`
}

// IsNode marks the type as a Node.
func (*DraftStateChange) IsNode() {}

// AfterScanRow notes a read of the reason, which may quote the draft.
func (c *DraftStateChange) AfterScanRow(ctx context.Context) error {
	noteDraft(ctx, c.Reason != nil, &c.DraftID)
	return nil
}

// DraftStateChangeConnection is one page of the changes of a draft's state.
type DraftStateChangeConnection = Connection[DraftStateChange]

// DraftStateChangeEdge is a change and its cursor.
type DraftStateChangeEdge = Edge[DraftStateChange]
