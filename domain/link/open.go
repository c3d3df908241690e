package link

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"rostrum/domain/link/page"
	"rostrum/domain/link/visitor"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// pathPrefix is the path of short URLs.
const pathPrefix = "/l/"

// ServeHTTP serves GET and HEAD of /l/{slug}: a redirect, a file, a hosted page or a notice. A
// person's first request in 30 minutes starts a viewer session. The session is stored before the
// response is sent, unless the database is unavailable (see [committer]). Programs get the same
// response but are not counted. A hosted page's session starts when its script reports a view. POST
// sends the password of a link that has one; before it everybody gets the page that asks for it.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["Referrer-Policy"] = referrerPolicy
	t, err := s.findTarget(r.Context(), strings.TrimPrefix(r.URL.Path, pathPrefix))
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	switch state := s.stateFor(r, t); {
	case state.tells() && !s.isUnlocked(r, t):
		s.servePassword(w, r, t)
	case state != stateOpen:
		s.writeNotice(w, r, state, t)
	case r.Method == http.MethodPost: // the password was removed, or was entered in another window
		forward(w, r, t.link.Kind, noticeLanguage(r, t.link))
	default:
		s.serveContent(w, r, t)
	}
}

// serveContent serves the content of an open link.
func (s *Service) serveContent(w http.ResponseWriter, r *http.Request, t *linkTarget) {
	v, ok, err := s.admit(r, t, time.Now())
	switch {
	case err != nil:
	case !ok:
		s.writeNotice(w, r, stateUsedUp, t)
	case t.link.Kind == model.LinkKindRedirect:
		s.serveRedirect(w, r, t, v)
	case t.link.Kind == model.LinkKindFile:
		s.openSession(w, r, t, v)
		err = s.serveFile(w, r, t)
	case t.link.Kind == model.LinkKindPage:
		err = s.servePage(w, r, t, v)
	}
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
	}
}

// referrerPolicy is the default of browsers: a destination receives only the origin of the page
// that linked to it. That page's own policy, if stricter, remains in force.
var referrerPolicy = []string{"strict-origin-when-cross-origin"}

// writeNotice writes the page for a link that is not open: 410 Gone if it is paused, withdrawn,
// deleted or has ended, 404 if it is unknown or under embargo.
func (s *Service) writeNotice(w http.ResponseWriter, r *http.Request, why targetState, t *linkTarget) {
	link := t.link
	status, notice, detail := http.StatusGone, page.Gone, ""
	switch why {
	case stateNone:
		status, notice = http.StatusNotFound, page.NotFound
	case stateExpired, stateUsedUp:
		notice = page.Ended
	case stateWithdrawn:
		notice, detail = page.Withdrawn, optional.ValueOr(link.WithdrawalReason, "")
	case stateEmbargoed:
		status, notice = http.StatusNotFound, page.Embargoed
		detail = link.EmbargoedUntil.UTC().Format("2006-01-02 15:04 UTC")
	}
	page.SetHeaders(w.Header())
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_ = page.RenderNotice(w, notice, noticeLanguage(r, link), detail, s.shownBrand(r, t))
	}
}

// shownBrand returns the brand that a notice shows: none for a link whose password the reader has not
// given, which tells nothing of its owner.
func (s *Service) shownBrand(r *http.Request, t *linkTarget) *model.Brand {
	if t.brand == nil || !s.isUnlocked(r, t) {
		return nil
	}
	return t.brand
}

// noticeLanguage returns the language of a link's page, else the one that the reader prefers.
func noticeLanguage(r *http.Request, link *model.Link) string {
	if link != nil && link.Language != nil {
		return *link.Language
	}
	return page.PreferredLanguage(r.Header.Get("Accept-Language"))
}

// noStore prevents caching, so that every visit reaches this server.
var noStore = []string{"private, no-store"}

func (s *Service) serveRedirect(w http.ResponseWriter, r *http.Request, t *linkTarget, seen visit) {
	v := s.openSession(w, r, t, seen)
	where := t.plain
	if side := t.sideOf(v.variant); side != nil {
		where = side.destination
	} else if len(t.variants) > 0 {
		where = t.variants[0].destination // a program, which has no session
	}
	header := w.Header()
	header["Location"] = where.locationHeader(v.id)
	header["Cache-Control"] = noStore
	w.WriteHeader(http.StatusFound)
}

// openSession returns the visit's session, or starts one, and sets the cookie. It returns an empty
// session for a program and for an address that has started too many.
func (s *Service) openSession(w http.ResponseWriter, r *http.Request, t *linkTarget, seen visit) viewerSession {
	v := seen.session
	if seen.isKnown {
		if len(t.variants) > 0 && t.sideOf(v.variant) == nil {
			v.variant = t.drawSide().id // its variant was deleted
		}
	} else {
		if !seen.viewer.Human || !isInitialRequest(r) || !s.config.AllowSession(r) {
			return viewerSession{}
		}
		v.id = s.signer.newID(t.link.ID)
		if side := t.drawSide(); side != nil {
			v.variant = side.id
		}
		s.recordSession(r.Context(), t, v, seen.viewer)
	}
	w.Header()["Set-Cookie"] = []string{s.signer.cookieHeader(v, t.link.ID, r.URL.Path, s.secure, time.Now())}
	return v
}

// isInitialRequest reports whether the request can be a person's who opens the link. The later range
// requests of a media player are not, and a browser that says what it will do with the response
// (Fetch Metadata, Sec-Fetch-Dest) opens nothing with a picture, a style sheet or a script's fetch.
func isInitialRequest(r *http.Request) bool {
	asked := r.Header.Get("Range")
	return (asked == "" || strings.HasPrefix(asked, "bytes=0-")) &&
		slices.Contains(opening, r.Header.Get("Sec-Fetch-Dest"))
}

// opening are the uses of a response that show it to a person. Older browsers do not send one.
var opening = []string{"", "document", "iframe", "frame", "embed", "object", "audio", "video"}

// recordSession queues a new session and blocks until it is stored or the viewer need not wait.
func (s *Service) recordSession(ctx context.Context, t *linkTarget, v viewerSession, viewer visitor.Visitor) {
	if t.link.PasswordHash != nil && strings.HasPrefix(viewer.Referrer, s.config.PublicURL+pathPrefix) {
		viewer.Referrer = "" // the page that asked for the password
	}
	row := &model.LinkSession{
		ID: v.id, WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID, Country: viewer.Country, City: viewer.City,
		Device: model.DeviceType(viewer.Device), Browser: viewer.Browser, OS: viewer.OS, Referrer: viewer.Referrer,
		UTMSource: viewer.Campaign.Source, UTMMedium: viewer.Campaign.Medium, UTMCampaign: viewer.Campaign.Name,
		UTMTerm: viewer.Campaign.Term, UTMContent: viewer.Campaign.Content, OpenedAt: model.Now(),
	}
	if v.variant != "" {
		row.VariantID = &v.variant
	}
	s.committer.submit(ctx, newPendingSession(row, t.summary))
}

// servePage serves a hosted page. If the viewer is a person, it contains the id of the session that
// its script may start.
func (s *Service) servePage(w http.ResponseWriter, r *http.Request, t *linkTarget, seen visit) error {
	shown, err := s.buildPage(r.Context(), t)
	if err != nil {
		return err
	}
	page.SetHeaders(w.Header())
	v := seen.session
	if !seen.isKnown && seen.viewer.Human {
		v = viewerSession{id: s.signer.newID(t.link.ID)}
	}
	if v.id != "" {
		w.Header()["Set-Cookie"] = []string{s.signer.cookieHeader(v, t.link.ID, r.URL.Path, s.secure, time.Now())}
	}
	shown.SessionID, shown.Meta = v.id, s.metaOf(t.link, shown)
	if r.Method != http.MethodHead {
		_ = page.Render(w, shown)
	}
	return nil
}

// buildPage returns a link's page without a session.
func (s *Service) buildPage(ctx context.Context, t *linkTarget) (page.Page, error) {
	body := t.link.Body
	if body == nil {
		link, err := s.findLink(ctx, t.link.WorkspaceID, t.link.ID, []string{"body"})
		if err != nil {
			return page.Page{}, err
		}
		body = link.Body
	}
	return newPage(t.link, body, t.brand), nil
}

// newPage returns the page of a link. The body is separate, because the row may lack it.
func newPage(link *model.Link, body *string, brand *model.Brand) page.Page {
	shown := page.Page{Title: link.Title, Body: optional.ValueOr(body, ""), Slug: link.Slug,
		Lang: optional.ValueOr(link.Language, ""), Brand: brand}
	if link.Form != nil {
		shown.Form = new(pageForm(link.Form))
	}
	return shown
}
