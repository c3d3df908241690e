package link

import (
	"context"
	"encoding/json"
	"net/http"

	"rostrum/dbx"
	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/eventviewer"
	"rostrum/model/optional"
)

// Receipt is the result of a submission.
type Receipt struct {
	ID   string
	sent page.Submission
}

// Submit stores a submission of a hosted page's form. Spam gets an id too but is not stored. It
// returns errs.NotFound for a link without a form, and the errors of [page.ReadForm].
func (s *Service) Submit(w http.ResponseWriter, r *http.Request, slug string) (out Receipt, err error) {
	t, err := s.findOpenTarget(r, slug)
	if err != nil {
		return out, err
	}
	if t.link.Form == nil {
		return out, errs.New(errs.NotFound, "this link has no form")
	}
	out.sent, err = page.ReadForm(w, r, new(pageForm(t.link.Form)))
	if closed := s.checkReporter(t, out.sent.SessionID); closed != nil {
		return out, closed
	}
	if err != nil {
		return out, err
	}
	row, err := s.newSubmission(r, t, out.sent)
	if err != nil {
		return out, err
	}
	out.ID = row.ID
	if out.sent.Spam {
		return out, nil
	}
	return out, s.db.InTx(r.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return s.storeSubmission(ctx, tx, t, row, out.sent.Data)
	})
}

// storeSubmission stores and counts a submission and appends its event.
func (s *Service) storeSubmission(ctx context.Context, tx dbx.Tx, t *linkTarget, row *model.LinkSubmission,
	data map[string]any) error {
	if exists, err := lockLinks(ctx, s.db, tx, t.link.ID); err != nil || !exists[t.link.ID] {
		return deletedError(err)
	}
	if _, err := tx.NewInsert().Model(row).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	err := addActivity(ctx, tx, row.LinkID, nil, row.CreatedAt, row.WorkspaceID,
		activityCount{Conversions: 1, Submissions: 1})
	if err != nil {
		return err
	}
	for _, column := range []string{"submissions", "conversions"} {
		if err := addCounts(ctx, tx, "link", column, map[string]int{t.link.ID: 1}); err != nil {
			return err
		}
	}
	if row.SessionID != nil {
		if err := markConverted(ctx, tx, *row.SessionID, row.CreatedAt); err != nil {
			return err
		}
	}
	event := eventviewer.Form{
		ID: row.ID, Email: row.Email, Name: row.Name, Data: data, CreatedAt: eventviewer.FormatTime(row.CreatedAt),
		SessionID: optional.ValueOr(row.SessionID, ""),
	}
	return s.config.AppendEvents(ctx, tx, []*model.Event{newEvent(model.EventFormSubmitted, row.WorkspaceID, row.ID,
		t.summary, event, row.CreatedAt)})
}

// newSubmission returns the row of a submission. It ignores an unknown session, because a form may
// be sent without one.
func (s *Service) newSubmission(r *http.Request, t *linkTarget, sent page.Submission) (*model.LinkSubmission, error) {
	data, err := json.Marshal(sent.Data)
	row := &model.LinkSubmission{
		ID: model.NewID(model.SubmissionPrefix), WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID,
		Email: sent.Email, Name: sent.Name, Data: data, CreatedAt: model.Now(),
	}
	if err != nil {
		return row, errs.Wrap(err, errs.BadRequest, "the form's data cannot be stored")
	}
	if sent.SessionID == "" || sent.Spam {
		return row, nil
	}
	viewer, err := s.findViewer(r, t, sent.SessionID)
	switch {
	case err == nil:
		row.SessionID = &viewer.ID
	case errs.Is(err, errs.ValidationFailed), errs.Is(err, errs.NotFound):
		err = nil
	}
	return row, err
}

// ShowForm answers a form sent without JavaScript: with a thank-you page, or with the form and its
// errors. It returns errors other than errs.ValidationFailed unchanged.
func (s *Service) ShowForm(w http.ResponseWriter, r *http.Request, slug string, receipt Receipt, failure error) error {
	if failure == nil {
		return s.writeThanks(w, r, slug)
	}
	if !errs.Is(failure, errs.ValidationFailed) {
		return failure
	}
	t, err := s.findOpenTarget(r, slug)
	if err != nil {
		return err
	}
	shown, err := s.buildPage(r.Context(), t)
	if err != nil {
		return err
	}
	shown.SessionID, shown.Sent, shown.Problem = receipt.sent.SessionID, &receipt.sent, failure
	page.SetHeaders(w.Header())
	w.WriteHeader(errs.From(failure).Status())
	return page.Render(w, shown)
}

// writeThanks answers a form that was stored. The brand is missing if the link was closed meanwhile.
func (s *Service) writeThanks(w http.ResponseWriter, r *http.Request, slug string) error {
	var brand *model.Brand
	thanks, lang := "", ""
	if t, err := s.findOpenTarget(r, slug); err == nil {
		brand, lang = t.brand, optional.ValueOr(t.link.Language, "")
		if t.link.Form != nil {
			thanks = t.link.Form.Thanks
		}
	}
	page.SetHeaders(w.Header())
	w.WriteHeader(http.StatusCreated)
	return page.RenderNotice(w, page.Thanks, lang, thanks, brand)
}
