package content

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// mergeTime is how long the saves of one author stay one version.
const mergeTime = 5 * time.Minute

// newVersion returns a version with the draft's present text, by the principal.
func newVersion(p principal.Principal, draft *model.Draft, number int) *model.DraftVersion {
	return &model.DraftVersion{
		ID: model.NewID(model.DraftTextPrefix), WorkspaceID: draft.WorkspaceID, DraftID: draft.ID, Number: number,
		Title: draft.Title, Content: optional.ValueOr(draft.Content, ""), ContentType: draft.ContentType,
		AuthorID: optional.NonEmpty(p.UserID), AuthorKeyID: optional.NonEmpty(p.KeyID),
		CreatedAt: draft.UpdatedAt, SavedAt: draft.UpdatedAt,
	}
}

func hasText(v *model.DraftVersion, draft *model.Draft) bool {
	return v.Title == draft.Title && v.Content == optional.ValueOr(draft.Content, "") &&
		v.ContentType == draft.ContentType
}

// currentVersion returns the version with the text of a locked draft. It first stores one if a
// gateway of an earlier revision, which keeps no versions, has saved the draft.
func (s *Service) currentVersion(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftVersion, error) {
	newest, err := newestVersion(ctx, tx, draft)
	if err != nil {
		return nil, err
	}
	number := 1
	if newest != nil {
		if hasText(newest, draft) {
			return newest, nil
		}
		number = newest.Number + 1
		if err := moveComments(ctx, tx, draft, newest.Content, optional.ValueOr(draft.Content, "")); err != nil {
			return nil, err
		}
	}
	version := newVersion(principal.Principal{UserID: optional.ValueOr(draft.AuthorID, "")}, draft, number)
	return version, s.insertVersion(ctx, tx, draft, version)
}

// textChange is a change of a draft's text.
type textChange struct {
	from           *model.DraftVersion // the version before
	continues      bool                // the caller goes on with the text of the version before
	restoredFromID *string
}

// keepText stores the text of a changed draft as a version, unless it is that of the version
// before, and moves the passages of its comments. The text of a draft in review or approved has not been reviewed then, so the draft is
// reopened. It returns the name of the event that tells what happened to the draft, or
// errs.TooLarge if the workspace may not store so much.
func (s *Service) keepText(ctx context.Context, tx dbx.Tx, draft *model.Draft, c textChange) (event string, err error) {
	if hasText(c.from, draft) {
		return model.EventDraftUpdated, nil
	}
	p := principal.Must(ctx)
	version := newVersion(p, draft, c.from.Number+1)
	version.RestoredFromID = c.restoredFromID
	merges, err := s.merges(ctx, tx, draft, c, version)
	if err != nil {
		return "", err
	}
	grown := 2*len(version.Content) - len(c.from.Content) // the text is in the draft and in its version
	if merges {
		grown -= len(c.from.Content)
	}
	if err := s.takeStorage(ctx, draft.WorkspaceID, grown); err != nil {
		return "", err
	}
	if merges {
		version.Number, version.CreatedAt = c.from.Number, c.from.CreatedAt
		if err := s.deleteVersion(ctx, tx, c.from); err != nil {
			return "", err
		}
	}
	if err := s.insertVersion(ctx, tx, draft, version); err != nil {
		return "", err
	}
	if err := moveComments(ctx, tx, draft, c.from.Content, version.Content); err != nil {
		return "", err
	}
	if draft.State == model.DraftStateDraft {
		return model.EventDraftUpdated, nil
	}
	draft.AssigneeID = version.AuthorID
	return s.changeState(ctx, tx, draft, model.DraftStateDraft, &model.DraftStateChange{
		Action: model.DraftActionReopened, VersionID: version.ID})
}

// merges reports whether the new version takes the place of the one before: the same author goes
// on writing a text that nothing refers to.
func (s *Service) merges(ctx context.Context, tx dbx.Tx, draft *model.Draft, c textChange,
	version *model.DraftVersion) (bool, error) {
	from := c.from
	isSameAuthor := optional.ValueOr(from.AuthorID, "") == optional.ValueOr(version.AuthorID, "") &&
		optional.ValueOr(from.AuthorKeyID, "") == optional.ValueOr(version.AuthorKeyID, "")
	isRestored := from.RestoredFromID != nil || version.RestoredFromID != nil
	if !c.continues || !isSameAuthor || isRestored || draft.State != model.DraftStateDraft ||
		version.SavedAt.Sub(from.CreatedAt) >= mergeTime {
		return false, nil
	}
	isNamed, err := hasStateChange(ctx, tx, from)
	return !isNamed, err
}

// RestoreVersion makes the text of a version the draft's text again. It fails with not_found, and
// with precondition_failed if the draft's version is not among the input's.
func (s *Service) RestoreVersion(ctx context.Context, in api.RestoreDraftVersionInput) (*api.RestoreDraftVersionPayload,
	error) {
	p := principal.Must(ctx)
	var draft *model.Draft
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if draft, err = s.lockDraft(ctx, tx, p.WorkspaceID, in.DraftID, in.IfVersion.Value()); err != nil {
			return err
		}
		version, err := readVersion(ctx, tx, draft, in.VersionID)
		if err != nil {
			return err
		}
		return s.changeDraft(ctx, tx, draft, textChange{restoredFromID: &version.ID}, func() error {
			draft.Title, draft.Content, draft.ContentType = version.Title, &version.Content, version.ContentType
			s.deriveFields(draft)
			draft.Version = model.NewID(model.VersionPrefix)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("restore version: %w", err)
	}
	return &api.RestoreDraftVersionPayload{Draft: draft}, draft.AfterScanRow(ctx)
}

// changeDraft applies a change to a locked draft and saves it with its versions.
func (s *Service) changeDraft(ctx context.Context, tx dbx.Tx, draft *model.Draft, c textChange, apply func() error) (
	err error) {
	if c.from, err = s.currentVersion(ctx, tx, draft); err != nil {
		return err
	}
	if err := apply(); err != nil {
		return err
	}
	draft.UpdatedAt = model.Now()
	event, err := s.keepText(ctx, tx, draft, c)
	if err != nil {
		return err
	}
	return s.saveDraft(ctx, tx, draft, event)
}

// continues reports whether the caller has named the draft's version and no other, so that the new
// text goes on with the stored one. A caller who began with another version names it too: then the
// stored text is somebody else's, and stays a version.
func continues(versions []string, draft *model.Draft) bool {
	return len(versions) == 1 && versions[0] == draft.Version
}

// Versions returns one page of the versions of a draft, newest first. It returns errs.NotFound for
// an unknown draft, and errs.LimitExceeded for texts over dbx.MaxPageText.
func (s *Service) Versions(ctx context.Context, draftID string, args model.PageArgs, columns ...string) (
	*model.DraftVersionConnection, error) {
	return draftPage(ctx, s, draftID, versionList(principal.Must(ctx).WorkspaceID, columns), args)
}

// VersionPages returns a page of versions per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) VersionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.DraftVersionConnection, error) {
	return dbx.Nested[model.DraftVersion]{List: versionList(workspaceID, columns), Parent: parent}.
		Pages(ctx, s.db, keys, args)
}

func versionList(workspaceID string, columns []string) dbx.List[model.DraftVersion] {
	return dbx.List[model.DraftVersion]{
		Order: dbx.Order{Column: "number", Number: true, Desc: true}, Columns: columns, Text: "content",
		Key:   func(row *model.DraftVersion) (any, string) { return row.Number, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// VersionsByID returns the workspace's versions with the ids (see dbx.TextsByIDs).
func (s *Service) VersionsByID(ctx context.Context, workspaceID string, ids []string, columns ...string) (
	[]*model.DraftVersion, error) {
	return dbx.TextsByIDs[model.DraftVersion](ctx, s.db, workspaceID, ids, "content", columns...)
}

// draftPage returns one page of what belongs to a draft, or errs.NotFound for an unknown draft.
func draftPage[T any](ctx context.Context, s *Service, draftID string, list dbx.List[T], args model.PageArgs) (
	*model.Connection[T], error) {
	draft, err := s.Draft(ctx, draftID, "id")
	if err != nil {
		return nil, err
	}
	if draft == nil {
		return nil, errs.New(errs.NotFound, "there is no draft %s in this workspace", draftID)
	}
	all := list.Where
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return all(q).Where("draft_id = ?", draftID) }
	return list.Page(ctx, s.db, args)
}
