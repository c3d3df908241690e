package link

import (
	"context"
	"strings"
	"time"

	"golang.org/x/text/language"

	"rostrum/dbx"
	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/platform/principal"
)

// maxBody is the largest number of characters of a hosted page's HTML.
const maxBody = 1_000_000

// PublishText shows a text on the hosted page of its draft, in the transaction of the draft's
// change. It makes a page if the draft has none. A page that exists keeps its address, and a
// withdrawn or paused one opens again. It returns errs.TooLarge for a text over maxBody, errs.Conflict for a
// slug that is taken, and errs.ValidationFailed naming every invalid field.
func (s *Service) PublishText(ctx context.Context, tx dbx.Tx, in model.PublishedText) (*model.Link, error) {
	p := principal.Must(ctx)
	link, err := s.pageOf(ctx, tx, p, in)
	if err != nil {
		return nil, err
	}
	isNew, wasOpen := link.Slug == "", link.IsOpen(s.db.Now())
	var invalid errs.FieldErrors
	applySlug(&invalid, link, in.Slug)
	s.applyEmbargo(&invalid, link, in)
	applyLanguage(&invalid, link, in)
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	body := page.Clean(in.Body)
	if len(text.FirstRunes(body, maxBody)) < len(body) {
		return nil, errs.New(errs.TooLarge, "a page may have %d characters of HTML; the draft has more", maxBody)
	}
	link.Title, link.Body = in.Title, &body
	renew(link)
	link.WithdrawnAt, link.WithdrawalReason, link.IsActive = nil, nil, true
	s.setPublished(link, wasOpen)
	return link, s.storePage(ctx, tx, link, isNew)
}

// setPublished sets since when the text can be read. A correction of a text that could be read before
// keeps that time.
func (s *Service) setPublished(link *model.Link, wasOpen bool) {
	now := s.db.Now()
	if !wasOpen {
		link.PublishedAt = &now
	}
	if until := link.EmbargoedUntil; until != nil && until.After(now) {
		link.PublishedAt = until
	}
}

// pageOf returns the locked link of the draft's page, or a new link without a slug.
func (s *Service) pageOf(ctx context.Context, tx dbx.Tx, p principal.Principal, in model.PublishedText) (*model.Link,
	error) {
	if in.LinkID != nil {
		link, err := s.findForUpdate(ctx, tx, p.WorkspaceID, *in.LinkID)
		if err == nil || !errs.Is(err, errs.NotFound) {
			return link, err
		}
	}
	return &model.Link{
		ID: model.NewID(model.LinkPrefix), WorkspaceID: p.WorkspaceID, Kind: model.LinkKindPage, IsActive: true,
		DraftID: &in.DraftID, CreatedBy: p.Actor(), CreatedAt: model.Now(),
	}, nil
}

// applySlug sets the slug of a new link. It adds an error for an invalid slug, and for another one
// than that of an existing link.
func applySlug(invalid *errs.FieldErrors, link *model.Link, slug *string) {
	if slug == nil {
		if link.Slug == "" {
			link.Slug = newSlug()
		}
		return
	}
	wanted := strings.TrimSpace(*slug)
	switch msg := CheckSlug(wanted); {
	case link.Slug != "" && link.Slug != wanted:
		invalid.Body("value_error", "cannot change: the page has the address "+pathPrefix+link.Slug, "slug")
	case msg != "":
		invalid.Body("value_error", msg, "slug")
	default:
		link.Slug = wanted
	}
}

// applyEmbargo sets when the page opens, which is not before the text's embargo ends.
func (s *Service) applyEmbargo(invalid *errs.FieldErrors, link *model.Link, in model.PublishedText) {
	now := s.db.Now()
	if in.EmbargoedUntil.IsSet() {
		link.EmbargoedUntil = in.EmbargoedUntil.Value()
		if until := link.EmbargoedUntil; until != nil && !until.After(now) {
			invalid.Body("bad_time", "must be in the future", "embargoedUntil")
			return
		}
	}
	end := in.Embargo
	if end == nil || !end.After(now) || link.EmbargoedUntil != nil && !link.EmbargoedUntil.Before(*end) {
		return
	}
	if in.EmbargoedUntil.IsSet() {
		invalid.Body("bad_time", "must not be before the embargo of the draft, or of the document that it was made from, ends at "+
			end.UTC().Format(time.RFC3339), "embargoedUntil")
		return
	}
	link.EmbargoedUntil = end
}

// HoldText holds the waiting page of a draft until a later time, in the transaction of the change of
// the embargo. A page that is open, withdrawn or deleted stays as it is.
func (s *Service) HoldText(ctx context.Context, tx dbx.Tx, workspaceID, linkID string, until time.Time) error {
	link, err := s.findForUpdate(ctx, tx, workspaceID, linkID)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	opens := link.EmbargoedUntil
	if link.WithdrawnAt != nil || opens == nil || !opens.After(s.db.Now()) || !opens.Before(until) {
		return nil
	}
	link.EmbargoedUntil, link.PublishedAt = &until, &until
	renew(link)
	return s.storePage(ctx, tx, link, false)
}

// applyLanguage sets the language of a page, if one is given.
func applyLanguage(invalid *errs.FieldErrors, link *model.Link, in model.PublishedText) {
	if !in.Language.IsSet() {
		return
	}
	link.Language = in.Language.Value()
	if link.Language == nil {
		return
	}
	tag, err := language.Parse(*link.Language)
	if err != nil || tag == language.Und {
		invalid.Body("language_tag", "must be a BCP-47 language tag such as en or pt-BR", "language")
		return
	}
	link.Language = new(tag.String())
}

// storePage inserts or updates the link of a page and invalidates it after the commit.
func (s *Service) storePage(ctx context.Context, tx dbx.Tx, link *model.Link, isNew bool) error {
	tx.AfterCommit(func() { s.publishChange(ctx, link.Slug) })
	if !isNew {
		s.config.RecordChange(tx, link.WorkspaceID, model.EventLinkUpdated, link.ID)
		return saveLink(ctx, tx, link)
	}
	s.config.RecordChange(tx, link.WorkspaceID, model.EventLinkCreated, link.ID)
	err := insertLink(ctx, tx, link, nil)
	if errs.Is(err, errs.Conflict) {
		return slugTaken(link.Slug)
	}
	return err
}

// WithdrawText takes the hosted page of a draft back, in the transaction of the draft's change. Its
// address then shows the reason. A link that was deleted meanwhile is no error.
func (s *Service) WithdrawText(ctx context.Context, tx dbx.Tx, linkID, reason string) error {
	link, err := s.findForUpdate(ctx, tx, principal.Must(ctx).WorkspaceID, linkID)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	renew(link)
	link.WithdrawnAt, link.WithdrawalReason = &link.UpdatedAt, &reason
	return s.storePage(ctx, tx, link, false)
}

// checkDraftPage adds an error for each change of what the page of a draft shows: it is the text
// that was approved.
func checkDraftPage(invalid *errs.FieldErrors, before, after *model.Link) {
	if before.DraftID == nil {
		return
	}
	message := "is that of the draft " + *before.DraftID + ": change it there, have it approved, and publish it again"
	if before.Title != after.Title {
		invalid.Body("value_error", message, "title")
	}
	if *before.Body != *after.Body {
		invalid.Body("value_error", message, "body")
	}
}

// checkDeletable returns errs.InvalidState for the page that a published draft is shown on.
func checkDeletable(link *model.Link) error {
	if link.DraftID != nil && link.WithdrawnAt == nil {
		return errs.New(errs.InvalidState, "the page shows the draft %s: withdraw the draft before", *link.DraftID)
	}
	return nil
}
