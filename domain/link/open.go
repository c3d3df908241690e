package link

import (
	"context"
	"net/http"
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
// response but are not counted. A hosted page's session starts when its script reports a view.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["Referrer-Policy"] = referrerPolicy
	t, err := s.findTarget(r.Context(), strings.TrimPrefix(r.URL.Path, pathPrefix))
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	if t.state != stateOpen {
		writeNotice(w, r, t.state)
		return
	}
	switch t.link.Kind {
	case model.LinkKindRedirect:
		s.serveRedirect(w, r, t)
	case model.LinkKindFile:
		s.openSession(w, r, t)
		if err := s.serveFile(w, r, t); err != nil {
			http.Error(w, errs.From(err).Message, errs.From(err).Status())
		}
	case model.LinkKindPage:
		s.servePage(w, r, t)
	}
}

// referrerPolicy is the default of browsers: a destination receives only the origin of the page
// that linked to it. That page's own policy, if stricter, remains in force.
var referrerPolicy = []string{"strict-origin-when-cross-origin"}

// writeNotice writes the page for a link that is not open: 410 Gone if it is paused or deleted, 404
// if it is unknown.
func writeNotice(w http.ResponseWriter, r *http.Request, why targetState) {
	status, text := http.StatusNotFound, page.NotFound
	if why != stateNone {
		status, text = http.StatusGone, page.Gone
	}
	page.SetHeaders(w.Header())
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_ = page.RenderNotice(w, text, "")
	}
}

// noStore prevents caching, so that every visit reaches this server.
var noStore = []string{"private, no-store"}

func (s *Service) serveRedirect(w http.ResponseWriter, r *http.Request, t *linkTarget) {
	v := s.openSession(w, r, t)
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

// openSession returns the session of the request's cookie, or starts one, and sets the cookie. It
// returns an empty session for a program and for an address that has started too many.
func (s *Service) openSession(w http.ResponseWriter, r *http.Request, t *linkTarget) viewerSession {
	now := time.Now()
	v, known := s.signer.readCookie(r, t.link.ID, now)
	if known {
		if len(t.variants) > 0 && t.sideOf(v.variant) == nil {
			v.variant = t.drawSide().id // its variant was deleted
		}
	} else {
		viewer := s.config.Visitors.Read(r)
		if !viewer.Human || !isInitialRequest(r) || !s.config.AllowSession(r) {
			return viewerSession{}
		}
		v.id = s.signer.newID(t.link.ID)
		if side := t.drawSide(); side != nil {
			v.variant = side.id
		}
		s.recordSession(r.Context(), t, v, viewer)
	}
	w.Header()["Set-Cookie"] = []string{s.signer.cookieHeader(v, t.link.ID, r.URL.Path, s.secure, now)}
	return v
}

// isInitialRequest reports whether the request reads a file from its start, for example with
// "Range: bytes=0-". The later range requests of a media player must not open a session.
func isInitialRequest(r *http.Request) bool {
	asked := r.Header.Get("Range")
	return asked == "" || strings.HasPrefix(asked, "bytes=0-")
}

// recordSession queues a new session and blocks until it is stored or the viewer need not wait.
func (s *Service) recordSession(ctx context.Context, t *linkTarget, v viewerSession, viewer visitor.Visitor) {
	row := &model.LinkSession{
		ID: v.id, WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID, Country: viewer.Country, City: viewer.City,
		Device: model.DeviceType(viewer.Device), Browser: viewer.Browser, OS: viewer.OS, Referrer: viewer.Referrer,
		OpenedAt: model.Now(),
	}
	if v.variant != "" {
		row.VariantID = &v.variant
	}
	s.committer.submit(ctx, newPendingSession(row, t.summary))
}

// servePage serves a hosted page. If the viewer is a person, it contains the id of the session that
// its script may start.
func (s *Service) servePage(w http.ResponseWriter, r *http.Request, t *linkTarget) {
	shown, err := s.buildPage(r.Context(), t)
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	page.SetHeaders(w.Header())
	now := time.Now()
	v, known := s.signer.readCookie(r, t.link.ID, now)
	if !known && s.config.Visitors.Read(r).Human {
		v = viewerSession{id: s.signer.newID(t.link.ID)}
	}
	if v.id != "" {
		w.Header()["Set-Cookie"] = []string{s.signer.cookieHeader(v, t.link.ID, r.URL.Path, s.secure, now)}
	}
	shown.SessionID = v.id
	if r.Method != http.MethodHead {
		_ = page.Render(w, shown)
	}
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
	return newPage(t.link, body), nil
}

// newPage returns the page of a link. The body is separate, because the row may lack it.
func newPage(link *model.Link, body *string) page.Page {
	shown := page.Page{Title: link.Title, Body: optional.ValueOr(body, ""), Slug: link.Slug}
	if link.Form != nil {
		shown.Form = new(pageForm(link.Form))
	}
	return shown
}
