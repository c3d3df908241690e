package content

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/content/export"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// Pages shows texts as hosted pages, in the transactions of their drafts.
type Pages interface {
	// PublishText shows a text on the page of its draft, which it makes if there is none.
	PublishText(ctx context.Context, tx dbx.Tx, text model.PublishedText) (*model.Link, error)
	// HoldText holds a page that is not open yet until a later time.
	HoldText(ctx context.Context, tx dbx.Tx, workspaceID, linkID string, until time.Time) error
	// WithdrawText shows the reason instead of the text.
	WithdrawText(ctx context.Context, tx dbx.Tx, linkID, reason string) error
}

// Publish shows the approved version of a draft as a hosted page. A draft that was published before
// keeps the address of its page. An internal draft becomes public unless its page
// is under embargo. Publishing the same version again changes only what the input
// says. It fails with not_found, precondition_failed, validation_failed, conflict for a slug that
// is taken, and invalid_state for a text that is not approved.
func (s *Service) Publish(ctx context.Context, in api.PublishDraftInput) (*api.PublishDraftPayload, error) {
	body, err := s.renderVersion(ctx, in.DraftID, in.VersionID)
	if err != nil {
		return nil, fmt.Errorf("publish draft: %w", err)
	}
	var link *model.Link
	draft, err := s.move(ctx, in.DraftID, in.VersionID,
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (model.DraftState, *model.DraftStateChange, error) {
			if draft.State != model.DraftStateApproved && draft.State != model.DraftStatePublished {
				return "", nil, errs.New(errs.InvalidState,
					"the text is not approved: only an approved text can be published")
			}
			text := model.PublishedText{DraftID: draft.ID, LinkID: draft.LinkID, Title: draft.Title, Body: body,
				Slug: in.Slug.Value(), Language: in.Language, EmbargoedUntil: in.EmbargoedUntil}
			var err error
			if text.Embargo, err = s.embargoOf(ctx, tx, draft); err != nil {
				return "", nil, err
			}
			if link, err = s.pages.PublishText(ctx, tx, text); err != nil {
				return "", nil, err
			}
			if draft.Visibility == model.VisibilityInternal && link.EmbargoedUntil == nil {
				draft.Visibility = model.VisibilityPublic // the world may read it, so personas may too
			}
			draft.LinkID, draft.PublishedVersionID = &link.ID, draft.CurrentVersionID
			return model.DraftStatePublished, &model.DraftStateChange{Action: model.DraftActionPublished}, nil
		})
	if err != nil {
		return nil, fmt.Errorf("publish draft: %w", err)
	}
	return &api.PublishDraftPayload{Draft: draft, Link: link}, nil
}

// holdPage holds the waiting page of a draft whose embargo, or that of its source, ends later now.
func (s *Service) holdPage(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	if draft.LinkID == nil {
		return nil
	}
	end, err := s.embargoOf(ctx, tx, draft)
	if err != nil || end == nil {
		return err
	}
	return s.pages.HoldText(ctx, tx, draft.WorkspaceID, *draft.LinkID, *end)
}

// HoldPages holds the waiting pages of the drafts that were made from a document whose embargo ends
// later now. It is a hook of the documents.
func (s *Service) HoldPages(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if before == nil || after == nil || after.Visibility != model.VisibilityEmbargoed || after.EmbargoedUntil == nil ||
		before.EmbargoedUntil != nil && !before.EmbargoedUntil.Before(*after.EmbargoedUntil) {
		return nil
	}
	var links []string
	err := tx.NewSelect().Model((*model.Draft)(nil)).Column("link_id").
		Where("workspace_id = ? AND link_id IS NOT NULL", after.WorkspaceID).
		Where("(metadata ->> 'source_document_id' = ? OR ?)", after.ID, s.db.MemberIncludes("metadata", "more_source_document_ids", after.ID)).
		Order("link_id").Scan(ctx, &links)
	if err != nil {
		return dbx.Err(err)
	}
	for _, id := range links {
		if err := s.pages.HoldText(ctx, tx, after.WorkspaceID, id, *after.EmbargoedUntil); err != nil {
			return err
		}
	}
	return nil
}

// embargoOf returns until when a draft or the document that it was made from is under embargo,
// whichever is later; nil if neither is.
func (s *Service) embargoOf(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*time.Time, error) {
	var end *time.Time
	if draft.Visibility == model.VisibilityEmbargoed {
		end = draft.EmbargoedUntil
	}
	source, err := s.sourceEmbargo(ctx, tx, draft.WorkspaceID, draft.Metadata.SourceIDs())
	if source != nil && (end == nil || source.After(*end)) {
		end = source
	}
	return end, err
}

// sourceEmbargo returns the latest end of the documents' embargoes; nil if none is under embargo.
func (s *Service) sourceEmbargo(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string) (end *time.Time, err error) {
	for _, id := range ids {
		source, readErr := s.documents.EmbargoEnd(ctx, tx, workspaceID, id)
		if readErr != nil {
			return nil, readErr
		}
		if source != nil && (end == nil || source.After(*end)) {
			end = source
		}
	}
	return end, nil
}

// checkSources returns errs.ValidationFailed if an approved draft is no longer made from one of the
// documents before, and so lost an embargo.
func (s *Service) checkSources(ctx context.Context, tx dbx.Tx, draft *model.Draft, before []string) error {
	if draft.State != model.DraftStateApproved && draft.State != model.DraftStatePublished {
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(before), func(id string) bool { return slices.Contains(draft.Metadata.SourceIDs(), id) })
	until, err := s.sourceEmbargo(ctx, tx, draft.WorkspaceID, left)
	if err != nil || until == nil || !until.After(s.db.Now()) {
		return err
	}
	end, err := s.embargoOf(ctx, tx, draft)
	if err != nil || end != nil && !end.Before(*until) {
		return err
	}
	return errs.Invalid(errs.BodyField("value_error", "cannot be taken away from an approved draft: the document is under embargo until "+
		until.UTC().Format(time.RFC3339)+"; give the draft this embargo too", "sourceDocumentId"))
}

// checkDeletable returns errs.InvalidState for a published draft that is under embargo, or whose
// source is: its page would no longer follow the embargo.
func (s *Service) checkDeletable(ctx context.Context, tx dbx.Tx, draft *model.Draft) error {
	if draft.PublishedVersionID == nil {
		return nil
	}
	end, err := s.embargoOf(ctx, tx, draft)
	if err != nil || end == nil || !end.After(s.db.Now()) {
		return err
	}
	return errs.New(errs.InvalidState, "the draft is published, and it or the document that it was made from is under embargo until %s: withdraw the draft before",
		end.UTC().Format(time.RFC3339))
}

// renderVersion returns the text of a version as the HTML of a page. It runs before the
// transaction, because a version never changes. For a version that is not the draft's it returns
// "": the transaction finds that too.
func (s *Service) renderVersion(ctx context.Context, draftID, versionID string) (string, error) {
	versions, err := s.VersionsByID(ctx, principal.Must(ctx).WorkspaceID, []string{versionID}, "id", "draft_id", "title",
		"content", "content_type")
	if err != nil || len(versions) == 0 || versions[0].DraftID != draftID {
		return "", err
	}
	return pageHTML(versions[0])
}

// pageHTML returns the text of a version as HTML, without the title if the text begins with it,
// because a page has its title as a heading.
func pageHTML(version *model.DraftVersion) (string, error) {
	body, err := export.ToHTML(version.Content, version.ContentType)
	if err != nil {
		return "", err
	}
	return withoutTitle(body, version.Title), nil
}

// Withdraw takes the page of a draft back with a reason, which its address then shows. A draft that
// has changed since it was published keeps its state. It fails with not_found, validation_failed
// for a blank reason, and invalid_state for a draft without a published version.
func (s *Service) Withdraw(ctx context.Context, in api.WithdrawDraftInput) (*api.WithdrawDraftPayload, error) {
	reason := strings.TrimSpace(in.Reason)
	if reason == "" {
		var invalid errs.FieldErrors
		invalid.Body("blank", "must say why the page is withdrawn", "reason")
		return nil, invalid.Err()
	}
	draft, err := s.move(ctx, in.DraftID, "",
		func(ctx context.Context, tx dbx.Tx, draft *model.Draft) (model.DraftState, *model.DraftStateChange, error) {
			if draft.PublishedVersionID == nil || draft.LinkID == nil {
				return "", nil, errs.New(errs.InvalidState, "the draft is not published")
			}
			if err := s.pages.WithdrawText(ctx, tx, *draft.LinkID, reason); err != nil {
				return "", nil, err
			}
			change := &model.DraftStateChange{Action: model.DraftActionWithdrawn, Reason: &reason,
				VersionID: *draft.PublishedVersionID}
			draft.PublishedVersionID = nil
			to := draft.State
			if to == model.DraftStatePublished {
				to = model.DraftStateApproved
			}
			return to, change, nil
		})
	if err != nil {
		return nil, fmt.Errorf("withdraw draft: %w", err)
	}
	return &api.WithdrawDraftPayload{Draft: draft}, nil
}
