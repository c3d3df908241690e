package content

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Limits of the comments on drafts.
const (
	MaxComments = 1_000 // of a draft, replies not counted
	MaxReplies  = 200   // of a comment
	maxMentions = 20    // of a comment or a reply
)

// changeComment changes a comment of a locked draft in a transaction. do returns the comment and
// the name of the event that tells it, or "" if nothing changed. It fails with not_found.
func (s *Service) changeComment(ctx context.Context, draftID string,
	do func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftComment, string, error),
) (comment *model.DraftComment, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		draft, err := s.lockDraft(ctx, tx, principal.Must(ctx).WorkspaceID, draftID, nil)
		if err != nil {
			return err
		}
		var event string
		if comment, event, err = do(ctx, tx, draft); err != nil || event == "" {
			return err
		}
		s.recordComment(tx, draft.WorkspaceID, event, draft.ID, optional.ValueOr(comment.ParentID, comment.ID), comment.ID)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return comment, comment.AfterScanRow(ctx)
}

// checkComment returns the distinct users whom a comment mentions, or all invalid fields as one
// error. A nil text is not checked.
func (s *Service) checkComment(ctx context.Context, text *string, mentioned []string) (users []string, err error) {
	var invalid errs.FieldErrors
	if text != nil && strings.TrimSpace(*text) == "" {
		invalid.Body("blank", "must not be blank", "text")
	}
	if len(mentioned) > maxMentions {
		invalid.Body("too_long", fmt.Sprintf("has %d users, more than the %d that it may have", len(mentioned), maxMentions),
			"mentionedUserIds")
		return nil, invalid.Err()
	}
	for i, id := range mentioned {
		role, err := s.members.RoleOf(ctx, principal.Must(ctx).WorkspaceID, id)
		if err != nil {
			return nil, err
		}
		if role == "" {
			invalid.Body("not_found", "names no member of this workspace", "mentionedUserIds", i)
		}
	}
	if users = optional.Distinct(mentioned); len(users) == 0 {
		users = nil
	}
	return users, invalid.Err()
}

// CreateComment comments on a draft or on a passage of its text. It fails with not_found,
// validation_failed, conflict at the limit of comments, precondition_failed for a version that is
// gone, and too_large.
func (s *Service) CreateComment(ctx context.Context, in api.CreateDraftCommentInput) (*api.CreateDraftCommentPayload,
	error) {
	mentioned, err := s.checkComment(ctx, &in.Text, in.MentionedUserIds.Value())
	if err != nil {
		return nil, err
	}
	comment, err := s.changeComment(ctx, in.DraftID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftComment, string, error) {
			comment := newComment(ctx, draft, in.Text, mentioned)
			if err := s.anchor(ctx, tx, draft, comment, in); err != nil {
				return nil, "", err
			}
			return comment, model.EventDraftCommented, s.addComment(ctx, tx, draft, comment)
		})
	if err != nil {
		return nil, fmt.Errorf("create comment: %w", err)
	}
	return &api.CreateDraftCommentPayload{Comment: comment}, nil
}

func newComment(ctx context.Context, draft *model.Draft, text string, mentioned []string) *model.DraftComment {
	p := principal.Must(ctx)
	return &model.DraftComment{ID: model.NewID(model.CommentPrefix), WorkspaceID: draft.WorkspaceID, DraftID: draft.ID,
		Text: strings.TrimSpace(text), MentionedUserIDs: mentioned, AuthorID: optional.NonEmpty(p.UserID),
		AuthorKeyID: optional.NonEmpty(p.KeyID), CreatedAt: model.Now()}
}

// addComment stores a comment or a reply, unless there are too many.
func (s *Service) addComment(ctx context.Context, tx dbx.Tx, draft *model.Draft, comment *model.DraftComment) error {
	n, err := countComments(ctx, tx, draft, comment.ParentID)
	switch {
	case err != nil:
		return err
	case comment.ParentID == nil && n >= MaxComments:
		return errs.New(errs.Conflict, "the draft has %d comments already; delete one first", MaxComments)
	case comment.ParentID != nil && n >= MaxReplies:
		return errs.New(errs.Conflict, "the comment has %d replies already; delete one first", MaxReplies)
	}
	size := len(comment.Text) + len(optional.ValueOr(comment.Quote, ""))
	if err := s.takeStorage(ctx, draft.WorkspaceID, size); err != nil {
		return err
	}
	return insertComment(ctx, tx, comment)
}

// anchor sets the passage of a new comment, moved from the version that the input names to the
// present text.
func (s *Service) anchor(ctx context.Context, tx dbx.Tx, draft *model.Draft, comment *model.DraftComment,
	in api.CreateDraftCommentInput) error {
	current, err := s.currentVersion(ctx, tx, draft)
	if err != nil {
		return err
	}
	read := current
	if id := in.VersionID.Value(); id != nil && *id != current.ID {
		read, err = readVersion(ctx, tx, draft, *id)
		if errs.Is(err, errs.NotFound) {
			return errs.New(errs.PreconditionFailed, "the draft has no version %s any more: read the draft again", *id)
		}
		if err != nil {
			return err
		}
	}
	chosen := in.Passage.Value()
	if chosen == nil {
		return nil
	}
	if err := checkPassage(read.Content, chosen); err != nil {
		return err
	}
	comment.Quote = &chosen.Quote
	place, ok := passage{chosen.Start, chosen.End}, true
	if read != current {
		place, ok = newPassageMover(read.Content, current.Content).move(&place, chosen.Quote)
	}
	if ok {
		comment.Start, comment.End = &place.start, &place.end
	}
	return nil
}

// checkPassage returns errs.ValidationFailed unless the text has the quote at the offsets.
func checkPassage(content string, chosen *api.DraftPassageInput) error {
	var invalid errs.FieldErrors
	if chosen.End <= chosen.Start {
		invalid.Body("bad_range", "must be greater than start", "passage", "end")
		return invalid.Err()
	}
	if chosen.End-chosen.Start != utf8.RuneCountInString(chosen.Quote) || wordsAt(content, chosen) != chosen.Quote {
		invalid.Body("mismatch", "is not what the text of the version has from start to end", "passage", "quote")
	}
	return invalid.Err()
}

// wordsAt returns the words of a passage, or "" if the text is too short.
func wordsAt(content string, chosen *api.DraftPassageInput) string {
	if runes := []rune(content); chosen.End <= len(runes) {
		return string(runes[chosen.Start:chosen.End])
	}
	return ""
}

// ReplyToComment replies to a comment. It fails with not_found, validation_failed also for a reply to
// a reply, conflict at the limit of replies, and too_large.
func (s *Service) ReplyToComment(ctx context.Context, in api.ReplyToDraftCommentInput) (*api.ReplyToDraftCommentPayload,
	error) {
	mentioned, err := s.checkComment(ctx, &in.Text, in.MentionedUserIds.Value())
	if err != nil {
		return nil, err
	}
	comment, err := s.changeComment(ctx, in.DraftID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftComment, string, error) {
			parent, err := readThread(ctx, tx, draft, in.CommentID)
			if err != nil {
				return nil, "", err
			}
			reply := newComment(ctx, draft, in.Text, mentioned)
			reply.ParentID = &parent.ID
			return reply, model.EventDraftCommented, s.addComment(ctx, tx, draft, reply)
		})
	if err != nil {
		return nil, fmt.Errorf("reply to comment: %w", err)
	}
	return &api.ReplyToDraftCommentPayload{Comment: comment}, nil
}

// readThread returns a comment that is no reply.
func readThread(ctx context.Context, tx dbx.Tx, draft *model.Draft, id string) (*model.DraftComment, error) {
	comment, err := readComment(ctx, tx, draft, id)
	if err == nil && comment.ParentID != nil {
		var invalid errs.FieldErrors
		invalid.Body("not_allowed", "names a reply: name the comment "+*comment.ParentID, "commentId")
		return nil, invalid.Err()
	}
	return comment, err
}

// UpdateComment changes a comment or a reply of the caller. It fails with not_found,
// validation_failed, and insufficient_scope for another's.
func (s *Service) UpdateComment(ctx context.Context, in api.UpdateDraftCommentInput) (*api.UpdateDraftCommentPayload,
	error) {
	text := in.Text.Value()
	if in.Text.IsSet() && text == nil {
		text = new("")
	}
	mentioned, err := s.checkComment(ctx, text, in.MentionedUserIds.Value())
	if err != nil {
		return nil, err
	}
	comment, err := s.changeComment(ctx, in.DraftID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftComment, string, error) {
			comment, err := readComment(ctx, tx, draft, in.CommentID)
			if err != nil {
				return nil, "", err
			}
			if !isAuthor(principal.Must(ctx), comment) {
				return nil, "", errs.New(errs.InsufficientScope, "the comment is another's: only its author may change it")
			}
			if !in.Text.IsSet() && !in.MentionedUserIds.IsSet() {
				return nil, "", errs.Invalid(errs.BodyField("missing", "is required if nobody is mentioned", "text"))
			}
			if text != nil {
				if err := s.takeStorage(ctx, draft.WorkspaceID, len(*text)-len(comment.Text)); err != nil {
					return nil, "", err
				}
				comment.Text = strings.TrimSpace(*text)
			}
			if in.MentionedUserIds.IsSet() {
				comment.MentionedUserIDs = mentioned
			}
			comment.EditedAt = new(model.Now())
			return comment, model.EventDraftCommentUpdated, saveComment(ctx, tx, comment)
		})
	if err != nil {
		return nil, fmt.Errorf("update comment: %w", err)
	}
	return &api.UpdateDraftCommentPayload{Comment: comment}, nil
}

func isAuthor(p principal.Principal, comment *model.DraftComment) bool {
	return p.UserID != "" && optional.ValueOr(comment.AuthorID, "") == p.UserID ||
		p.KeyID != "" && optional.ValueOr(comment.AuthorKeyID, "") == p.KeyID
}

// DeleteComment deletes a comment with its replies, or a reply. It fails with not_found, and with
// insufficient_scope for another's, unless the caller is an owner.
func (s *Service) DeleteComment(ctx context.Context, in api.DeleteDraftCommentInput) (*api.DeleteDraftCommentPayload,
	error) {
	_, err := s.changeComment(ctx, in.DraftID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftComment, string, error) {
			comment, err := readComment(ctx, tx, draft, in.CommentID)
			if err != nil {
				return nil, "", err
			}
			if p := principal.Must(ctx); !isAuthor(p, comment) && !p.Can(model.AbilityManage) {
				return nil, "", errs.New(errs.InsufficientScope,
					"the comment is another's: only its author and owners may delete it").
					With("needs", model.ScopeAdmin).With("ability", model.AbilityManage)
			}
			return comment, model.EventDraftCommentDeleted, deleteComment(ctx, tx, comment)
		})
	if err != nil {
		return nil, fmt.Errorf("delete comment: %w", err)
	}
	return &api.DeleteDraftCommentPayload{DeletedID: in.CommentID}, nil
}

// ResolveComment resolves a comment; one that is resolved stays as it is. It fails with not_found,
// and with validation_failed for a reply.
func (s *Service) ResolveComment(ctx context.Context, in api.ResolveDraftCommentInput) (*api.ResolveDraftCommentPayload,
	error) {
	p := principal.Must(ctx)
	comment, err := s.setResolved(ctx, in.DraftID, in.CommentID, model.EventDraftCommentResolved,
		func(c *model.DraftComment) {
			c.ResolvedAt, c.ResolvedByID, c.ResolvedByKeyID = new(model.Now()), optional.NonEmpty(p.UserID),
				optional.NonEmpty(p.KeyID)
		})
	if err != nil {
		return nil, fmt.Errorf("resolve comment: %w", err)
	}
	return &api.ResolveDraftCommentPayload{Comment: comment}, nil
}

// ReopenComment opens a resolved comment again; an open one stays as it is. It fails with not_found,
// and with validation_failed for a reply.
func (s *Service) ReopenComment(ctx context.Context, in api.ReopenDraftCommentInput) (*api.ReopenDraftCommentPayload,
	error) {
	comment, err := s.setResolved(ctx, in.DraftID, in.CommentID, model.EventDraftCommentReopened,
		func(c *model.DraftComment) { c.ResolvedAt, c.ResolvedByID, c.ResolvedByKeyID = nil, nil, nil })
	if err != nil {
		return nil, fmt.Errorf("reopen comment: %w", err)
	}
	return &api.ReopenDraftCommentPayload{Comment: comment}, nil
}

// setResolved calls set for a comment that is not in the state that the event tells.
func (s *Service) setResolved(ctx context.Context, draftID, id, event string, set func(*model.DraftComment)) (
	*model.DraftComment, error) {
	return s.changeComment(ctx, draftID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftComment, string, error) {
			comment, err := readThread(ctx, tx, draft, id)
			if err != nil {
				return nil, "", err
			}
			if (comment.ResolvedAt != nil) == (event == model.EventDraftCommentResolved) {
				return comment, "", nil
			}
			set(comment)
			return comment, event, saveComment(ctx, tx, comment)
		})
}
