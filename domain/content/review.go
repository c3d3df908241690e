package content

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Members knows the members of workspaces.
type Members interface {
	// RoleOf returns the role of a user in a workspace, or "" if the user is no member.
	RoleOf(ctx context.Context, workspaceID, userID string) (model.Role, error)
}

// stateEvents are the names of the events of changes of a draft's state.
var stateEvents = map[model.DraftAction]string{
	model.DraftActionReviewRequested: model.EventDraftReviewRequested,
	model.DraftActionApproved:        model.EventDraftApproved,
	model.DraftActionReturned:        model.EventDraftReturned,
	model.DraftActionReopened:        model.EventDraftReopened,
	model.DraftActionPublished:       model.EventDraftPublished,
	model.DraftActionWithdrawn:       model.EventDraftWithdrawn,
}

// changeState gives a locked draft another state and stores the change, which is completed. The
// caller saves the draft with the event that it returns.
func (s *Service) changeState(ctx context.Context, tx dbx.Tx, draft *model.Draft, to model.DraftState,
	change *model.DraftStateChange) (event string, err error) {
	p := principal.Must(ctx)
	draft.State = to
	change.ID, change.WorkspaceID, change.DraftID = model.NewID(model.StateChangePrefix), draft.WorkspaceID, draft.ID
	change.AssigneeID, change.DueAt = draft.AssigneeID, draft.DueAt
	change.ByID, change.ByKeyID, change.At = optional.NonEmpty(p.UserID), optional.NonEmpty(p.KeyID), model.Now()
	return stateEvents[change.Action], insertStateChange(ctx, tx, change)
}

// move changes the state of a draft as decide says. versionID names the version that the caller has
// read; "" stands for any. It fails with not_found, and with precondition_failed if the draft has
// another version.
func (s *Service) move(ctx context.Context, draftID, versionID string,
	decide func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (model.DraftState, *model.DraftStateChange, error),
) (*model.Draft, error) {
	var draft *model.Draft
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if draft, err = s.lockDraft(ctx, tx, principal.Must(ctx).WorkspaceID, draftID, nil); err != nil {
			return err
		}
		version, err := s.currentVersion(ctx, tx, draft)
		if err != nil {
			return err
		}
		if versionID != "" && versionID != version.ID {
			return errs.New(errs.PreconditionFailed,
				"the text has changed since the version %s: read the draft again", versionID)
		}
		to, change, err := decide(ctx, tx, draft)
		if err != nil {
			return err
		}
		change.VersionID = cmp.Or(change.VersionID, version.ID)
		event, err := s.changeState(ctx, tx, draft, to, change)
		if err != nil {
			return err
		}
		draft.UpdatedAt, draft.Version = model.Now(), model.NewID(model.VersionPrefix)
		return s.saveDraft(ctx, tx, draft, event)
	})
	if err != nil {
		return nil, err
	}
	return draft, draft.AfterScanRow(ctx)
}

// RequestReview asks for a review of a draft's text, or gives a draft in review another reviewer or
// due date. It fails with not_found, precondition_failed, validation_failed, and invalid_state for
// an approved or published draft.
func (s *Service) RequestReview(ctx context.Context, in api.RequestDraftReviewInput) (*api.RequestDraftReviewPayload,
	error) {
	role, err := s.checkRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	draft, err := s.move(ctx, in.DraftID, optional.ValueOr(in.VersionID.Value(), ""),
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (model.DraftState, *model.DraftStateChange, error) {
			if draft.State == model.DraftStateApproved || draft.State == model.DraftStatePublished {
				return "", nil, errs.New(errs.InvalidState, "the draft is %s already", draft.State)
			}
			if strings.TrimSpace(optional.ValueOr(draft.Content, "")) == "" {
				return "", nil, errs.New(errs.InvalidState, "the draft has no text to review")
			}
			if draft.State == model.DraftStateDraft {
				draft.AssigneeID = nil // who has worked on it
			}
			if in.AssigneeID.IsSet() {
				draft.AssigneeID = nonBlank(in.AssigneeID.Value())
			}
			if in.DueAt.IsSet() {
				draft.DueAt = in.DueAt.Value()
			}
			err := checkReviewer(ctx, tx, draft, role)
			return model.DraftStateInReview, &model.DraftStateChange{Action: model.DraftActionReviewRequested}, err
		})
	if err != nil {
		return nil, fmt.Errorf("request review: %w", err)
	}
	return &api.RequestDraftReviewPayload{Draft: draft}, nil
}

// checkRequest returns the role of the assignee, or all invalid fields of a request as one error.
func (s *Service) checkRequest(ctx context.Context, in api.RequestDraftReviewInput) (role model.Role, err error) {
	var invalid errs.FieldErrors
	if due := in.DueAt.Value(); due != nil && !due.After(s.db.Now()) {
		invalid.Body("bad_time", "must be in the future", "dueAt")
	}
	if id := nonBlank(in.AssigneeID.Value()); id != nil {
		if role, err = s.members.RoleOf(ctx, principal.Must(ctx).WorkspaceID, *id); err != nil {
			return "", err
		}
		if role == "" {
			invalid.Body("not_found", "names no member of this workspace", "assigneeId")
		} else if !role.Can(model.AbilityReview) {
			invalid.Body("not_allowed", fmt.Sprintf("names a member with the role %s, who may not review", role),
				"assigneeId")
		}
	}
	return role, invalid.Err()
}

// checkReviewer returns errs.ValidationFailed if the assignee of a draft wrote it alone. role is
// that of a new assignee.
func checkReviewer(ctx context.Context, tx dbx.Tx, draft *model.Draft, role model.Role) error {
	if role == "" || draft.AssigneeID == nil || role.Can(model.AbilityManage) {
		return nil
	}
	isOnly, err := isOnlyAuthor(ctx, tx, draft, *draft.AssigneeID)
	if err != nil || !isOnly {
		return err
	}
	var invalid errs.FieldErrors
	invalid.Body("not_allowed", "names who alone wrote the draft: another member must review it", "assigneeId")
	return invalid.Err()
}

// Approve approves a version of a draft in review. It fails with not_found, precondition_failed,
// invalid_state, also for a text with a lower score than the workspace requires, and
// insufficient_scope for who alone wrote the draft.
func (s *Service) Approve(ctx context.Context, in api.ApproveDraftInput) (*api.ApproveDraftPayload, error) {
	content, err := s.checkHouseScore(ctx, in.DraftID)
	if err != nil {
		return nil, fmt.Errorf("approve draft: %w", err)
	}
	draft, err := s.move(ctx, in.DraftID, in.VersionID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (model.DraftState, *model.DraftStateChange, error) {
			if draft.State != model.DraftStateInReview {
				return "", nil, errs.New(errs.InvalidState, "the draft is not in review")
			}
			if optional.ValueOr(draft.Content, "") != content {
				return "", nil, errs.New(errs.PreconditionFailed, "the text has just changed: read the draft again")
			}
			if err := checkApprover(ctx, tx, draft); err != nil {
				return "", nil, err
			}
			draft.AssigneeID, draft.DueAt = nil, nil
			return model.DraftStateApproved, &model.DraftStateChange{Action: model.DraftActionApproved}, nil
		})
	if err != nil {
		return nil, fmt.Errorf("approve draft: %w", err)
	}
	return &api.ApproveDraftPayload{Draft: draft}, nil
}

// checkHouseScore returns the text of a draft. It returns errs.InvalidState if the text has a lower
// score by house rules than the workspace requires. The check may take seconds, so the draft is not
// locked, and the caller compares the text later.
func (s *Service) checkHouseScore(ctx context.Context, draftID string) (string, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	var content *string
	err := s.db.NewSelect().Model((*model.Draft)(nil)).Column("content").
		Where("workspace_id = ? AND id = ?", workspaceID, draftID).Scan(ctx, &content)
	if err != nil {
		return "", dbx.Err(err)
	}
	text := optional.ValueOr(content, "")
	return text, s.house.CheckApproval(ctx, workspaceID, text)
}

// checkApprover returns errs.InsufficientScope if the principal wrote the draft alone and is no
// owner.
func checkApprover(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	p := principal.Must(ctx)
	if p.Can(model.AbilityManage) {
		return nil
	}
	isOnly, err := isOnlyAuthor(ctx, tx, draft, cmp.Or(p.UserID, p.KeyID))
	if err != nil || !isOnly {
		return err
	}
	return errs.New(errs.InsufficientScope,
		"who alone wrote a draft cannot approve it: another reviewer or an owner must").
		With("needs", model.ScopeAdmin).With("ability", model.AbilityManage)
}

// Return returns a draft in review or an approved one to whoever asked for the review. It fails
// with not_found, precondition_failed, validation_failed for a blank reason, and invalid_state.
func (s *Service) Return(ctx context.Context, in api.ReturnDraftInput) (*api.ReturnDraftPayload, error) {
	reason := strings.TrimSpace(in.Reason)
	if reason == "" {
		var invalid errs.FieldErrors
		invalid.Body("blank", "must say what is to be changed", "reason")
		return nil, invalid.Err()
	}
	draft, err := s.move(ctx, in.DraftID, in.VersionID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (model.DraftState, *model.DraftStateChange, error) {
			switch draft.State {
			case model.DraftStateDraft:
				return "", nil, errs.New(errs.InvalidState, "the draft is neither in review nor approved")
			case model.DraftStatePublished:
				return "", nil, errs.New(errs.InvalidState, "the draft is published: withdraw it, or change its text")
			}
			request, err := latestRequest(ctx, tx, draft)
			if err != nil {
				return "", nil, err
			}
			draft.AssigneeID = nil
			if request != nil {
				draft.AssigneeID = request.ByID
			}
			return model.DraftStateDraft, &model.DraftStateChange{Action: model.DraftActionReturned, Reason: &reason}, nil
		})
	if err != nil {
		return nil, fmt.Errorf("return draft: %w", err)
	}
	return &api.ReturnDraftPayload{Draft: draft}, nil
}

// StateChanges returns one page of the changes of a draft's state, newest first. It returns
// errs.NotFound for an unknown draft.
func (s *Service) StateChanges(ctx context.Context, draftID string, args model.PageArgs, columns ...string) (
	*model.DraftStateChangeConnection, error) {
	return draftPage(ctx, s, draftID, stateChangeList(principal.Must(ctx).WorkspaceID, columns), args)
}

// StateChangePages returns a page of changes per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) StateChangePages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.DraftStateChangeConnection, error) {
	return dbx.Nested[model.DraftStateChange]{List: stateChangeList(workspaceID, columns), Parent: parent}.
		Pages(ctx, s.db, keys, args)
}

func stateChangeList(workspaceID string, columns []string) dbx.List[model.DraftStateChange] {
	return dbx.List[model.DraftStateChange]{
		Order: dbx.Order{Column: "at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.DraftStateChange) (any, string) { return row.At, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// StateChangesByID returns the workspace's changes with the ids (see dbx.ByIDs).
func (s *Service) StateChangesByID(ctx context.Context, workspaceID string, ids []string, columns ...string) (
	[]*model.DraftStateChange, error) {
	return dbx.ByIDs[model.DraftStateChange](ctx, s.db, workspaceID, ids, columns...)
}
