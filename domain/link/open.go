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
)

// pathPrefix is where short addresses begin.
const pathPrefix = "/l/"

// ServeHTTP answers GET and HEAD of /l/{slug}: a redirect, a file, a hosted page, or a notice. A person's first visit in half an hour
// is a new viewer session; when the answer to it leaves, the session is in the database, unless that is down: then the viewer goes on
// and the session is written later (see [committer]). Requests of programs get the same answer and count nothing. A page's session
// begins when its script says so.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t, err := s.target(r.Context(), strings.TrimPrefix(r.URL.Path, pathPrefix))
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	if t.state != stateOpen {
		notice(w, r, t.state)
		return
	}
	switch t.link.Kind {
	case model.LinkKindRedirect:
		s.redirect(w, r, t)
	case model.LinkKindFile:
		s.open(w, r, t)
		if err := s.serveFile(w, r, t); err != nil {
			http.Error(w, errs.From(err).Message, errs.From(err).Status())
		}
	case model.LinkKindPage:
		s.showPage(w, r, t)
	}
}

// notice says why there is nothing: a removed link is gone for good, a paused one may come back.
func notice(w http.ResponseWriter, r *http.Request, why state) {
	status, text := http.StatusNotFound, page.NotFound
	switch why {
	case statePaused:
		text = page.Gone
	case stateRemoved:
		status, text = http.StatusGone, page.Gone
	}
	page.SetHeaders(w.Header())
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_ = page.RenderNotice(w, text, "")
	}
}

// noStore keeps answers out of caches: the next visit must come here again.
var noStore = []string{"private, no-store"}

func (s *Service) redirect(w http.ResponseWriter, r *http.Request, t *target) {
	v := s.open(w, r, t)
	where := t.plain
	if side := t.sideOf(v.variant); side != nil {
		where = side.destination
	} else if len(t.variants) > 0 {
		where = t.variants[0].destination // a program's: it keeps no session
	}
	header := w.Header()
	header["Location"] = where.location(v.id)
	header["Cache-Control"] = noStore
	w.WriteHeader(http.StatusFound)
}

// open finds the viewer's session or begins one, and keeps it with the viewer. A program has none.
func (s *Service) open(w http.ResponseWriter, r *http.Request, t *target) session {
	now := time.Now()
	v, known := s.signer.read(r, t.link.ID, now)
	if known {
		if len(t.variants) > 0 && t.sideOf(v.variant) == nil {
			v.variant = t.draw().id // its side of the split test is no more
		}
	} else {
		who := s.config.Visitors.Read(r)
		if !who.Human || !begins(r) {
			return session{}
		}
		v.id = s.signer.newID(t.link.ID)
		if side := t.draw(); side != nil {
			v.variant = side.id
		}
		s.record(r.Context(), t, v, who)
	}
	w.Header()["Set-Cookie"] = []string{s.signer.cookie(v, t.link.ID, r.URL.Path, s.secure, now)}
	return v
}

// begins reports whether the request asks for the beginning of what it is for; a player that goes on inside a file opens nothing.
func begins(r *http.Request) bool {
	asked := r.Header.Get("Range")
	return asked == "" || strings.HasPrefix(asked, "bytes=0-")
}

// record has a new session written and waits until it is.
func (s *Service) record(ctx context.Context, t *target, v session, who visitor.Visitor) {
	row := &model.LinkSession{
		ID: v.id, WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID, Country: who.Country, City: who.City,
		Device: who.Device, Browser: who.Browser, OS: who.OS, Referrer: who.Referrer, OpenedAt: model.Now(),
	}
	if v.variant != "" {
		row.VariantID = &v.variant
	}
	s.committer.wait(ctx, newOpening(row, t.summary))
}

// showPage shows a hosted page to anyone; a person's page names the session that its script may begin.
func (s *Service) showPage(w http.ResponseWriter, r *http.Request, t *target) {
	shown, err := s.pageOf(r.Context(), t)
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	page.SetHeaders(w.Header())
	now := time.Now()
	v, known := s.signer.read(r, t.link.ID, now)
	if !known && s.config.Visitors.Read(r).Human {
		v = session{id: s.signer.newID(t.link.ID)}
	}
	if v.id != "" {
		w.Header()["Set-Cookie"] = []string{s.signer.cookie(v, t.link.ID, r.URL.Path, s.secure, now)}
	}
	shown.SessionID = v.id
	if r.Method != http.MethodHead {
		_ = page.Render(w, shown)
	}
}

// pageOf is a link's page without a viewer's session.
func (s *Service) pageOf(ctx context.Context, t *target) (page.Page, error) {
	body := t.link.Body
	if body == nil {
		link, err := s.byID(ctx, t.link.WorkspaceID, t.link.ID, []string{"body"})
		if err != nil {
			return page.Page{}, err
		}
		body = link.Body
	}
	shown := page.Page{Title: t.link.Title, Body: model.ValueOr(body, ""), Slug: t.link.Slug}
	if t.link.Form != nil {
		shown.Form = ptr(pageForm(t.link.Form))
	}
	return shown, nil
}
