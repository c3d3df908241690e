package model

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// DraftComment is a comment on a draft, on a passage of its text, or on another comment.
type DraftComment struct {
	bun.BaseModel `bun:"table:draft_comment"`

	ID          string  `bun:"id,pk"`
	WorkspaceID string  `bun:"workspace_id"`
	DraftID     string  `bun:"draft_id"`
	ParentID    *string `bun:"parent_id"` // the comment that it replies to
	Text        string  `bun:"text"`
	Quote       *string `bun:"quote"` // the passage when it was commented on; nil for the whole draft
	// Start and End are the passage in the draft's present text, in code points; nil if it is gone.
	Start            *int       `bun:"start_offset"`
	End              *int       `bun:"end_offset"`
	MentionedUserIDs []string   `bun:"mentioned_user_ids,type:jsonb,nullzero"`
	AuthorID         *string    `bun:"author_id"`     // the user; nil for a key
	AuthorKeyID      *string    `bun:"author_key_id"` // the key; nil for a user
	CreatedAt        time.Time  `bun:"created_at"`
	EditedAt         *time.Time `bun:"edited_at"`
	ResolvedAt       *time.Time `bun:"resolved_at"` // never of a reply
	ResolvedByID     *string    `bun:"resolved_by_id"`
	ResolvedByKeyID  *string    `bun:"resolved_by_key_id"`
}

// IsNode marks the type as a Node.
func (*DraftComment) IsNode() {}

// IsDetached reports whether the passage is no longer in the draft's text.
func (c *DraftComment) IsDetached() bool { return c.Quote != nil && c.Start == nil }

// AfterScanRow notes a read of the comment, which may quote the draft.
func (c *DraftComment) AfterScanRow(ctx context.Context) error {
	noteDraft(ctx, c.Text != "" || c.Quote != nil, &c.DraftID)
	return nil
}

// DraftCommentConnection is one page of comments.
type DraftCommentConnection = Connection[DraftComment]

// DraftCommentEdge is a comment and its cursor.
type DraftCommentEdge = Edge[DraftComment]
