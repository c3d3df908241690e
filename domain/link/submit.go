package link

import (
	"context"
	"encoding/json"
	"net/http"

	"rostrum/dbx"
	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/model"
)

// Receipt is what came of a submission.
type Receipt struct {
	ID   string
	sent page.Submission
}

// Submit stores what a viewer filled into the form of a hosted page. What a program filled in gets an id too and is not stored. It fails
// with not_found for a link without a form, and as [page.ReadForm] does.
func (s *Service) Submit(w http.ResponseWriter, r *http.Request, slug string) (out Receipt, err error) {
	t, err := s.opened(r.Context(), slug)
	if err != nil {
		return out, err
	}
	if t.link.Form == nil {
		return out, errs.New(errs.NotFound, "this link has no form")
	}
	if out.sent, err = page.ReadForm(w, r, ptr(pageForm(t.link.Form))); err != nil {
		return out, err
	}
	row, err := s.submission(r, t, out.sent)
	if err != nil {
		return out, err
	}
	out.ID = row.ID
	if out.sent.Spam {
		return out, nil
	}
	return out, s.db.InTx(r.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return s.store(ctx, tx, t, row, out.sent.Data)
	})
}

// store keeps and counts a submission, and tells of it.
func (s *Service) store(ctx context.Context, tx dbx.Tx, t *target, row *model.LinkSubmission, data map[string]any) error {
	if there, err := lock(ctx, s.db, tx, t.link.ID); err != nil || !there[t.link.ID] {
		return orGone(err)
	}
	if _, err := tx.NewInsert().Model(row).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	if err := addTo(ctx, tx, "link", "submissions", map[string]int{t.link.ID: 1}); err != nil {
		return err
	}
	told := model.FormViewer{ID: row.ID, Email: row.Email, Name: row.Name, Data: data, CreatedAt: model.Instant(row.CreatedAt)}
	return s.config.Announce(ctx, tx, []*model.Event{newEvent(model.EventFormSubmitted, row.WorkspaceID, t.summary, told, row.CreatedAt)})
}

// submission is what was sent as a row. A session that is not known is left out: a form also counts without one.
func (s *Service) submission(r *http.Request, t *target, sent page.Submission) (*model.LinkSubmission, error) {
	data, err := json.Marshal(sent.Data)
	row := &model.LinkSubmission{
		ID: model.NewID(model.SubmissionPrefix), WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID,
		Email: sent.Email, Name: sent.Name, Data: data, CreatedAt: model.Now(),
	}
	if err != nil {
		return row, errs.Wrap(err, errs.BadRequest, "the form's data cannot be kept")
	}
	if sent.SessionID == "" || sent.Spam {
		return row, nil
	}
	viewer, err := s.viewer(r, t, sent.SessionID)
	switch {
	case err == nil:
		row.SessionID = &viewer.ID
	case errs.Is(err, errs.ValidationFailed), errs.Is(err, errs.NotFound):
		err = nil
	}
	return row, err
}

// ShowForm answers a form that a browser sent without a script: thanks, or the page again with what is wrong.
func (s *Service) ShowForm(w http.ResponseWriter, r *http.Request, slug string, receipt Receipt, failure error) error {
	if failure == nil {
		page.SetHeaders(w.Header())
		w.WriteHeader(http.StatusCreated)
		return page.RenderNotice(w, page.Thanks, "")
	}
	if !errs.Is(failure, errs.ValidationFailed) {
		return failure
	}
	t, err := s.opened(r.Context(), slug)
	if err != nil {
		return err
	}
	shown, err := s.pageOf(r.Context(), t)
	if err != nil {
		return err
	}
	shown.SessionID, shown.Sent, shown.Problem = receipt.sent.SessionID, &receipt.sent, failure
	page.SetHeaders(w.Header())
	w.WriteHeader(errs.From(failure).Status())
	return page.Render(w, shown)
}
