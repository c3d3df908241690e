package link

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
)

// PasswordCookie is the cookie of a viewer who has entered the password of a link.
const PasswordCookie = "rostrum_unlocked"

const (
	// unlockedTime is how long a viewer need not enter the password again.
	unlockedTime = 12 * time.Hour
	// maxPasswordBody is the largest posted password in bytes: 200 characters, percent-encoded.
	maxPasswordBody = 4 << 10
	// reportPath is the path that hosted pages report to.
	reportPath = "/api/public/links/"
)

// hashPassword returns the hash of a link's password, or nil without one.
func (s *Service) hashPassword(ctx context.Context, password *string) (*string, error) {
	if password == nil {
		return nil, nil
	}
	hash, err := s.config.HashPassword(ctx, "password", *password)
	return &hash, err
}

// isUnlocked reports whether a link has no password, or the request has the cookie that a viewer gets
// for the password that the link has now.
func (s *Service) isUnlocked(r *http.Request, t *linkTarget) bool {
	if t.link.PasswordHash == nil {
		return true
	}
	now := time.Now()
	for _, cookie := range r.CookiesNamed(PasswordCookie) {
		ends, signature, _ := strings.Cut(cookie.Value, ".")
		at, err := strconv.ParseInt(ends, 36, 64)
		if err == nil && now.Unix() < at && s.signer.verifySignature(signature, unlockTexts(t.link, ends)...) {
			return true
		}
	}
	return false
}

// unlockTexts are what the signature of a PasswordCookie covers. The first is no session's id, so the
// signature of a session's cookie is not one of these.
func unlockTexts(link *model.Link, ends string) []string {
	return []string{"password", link.ID, ends, *link.PasswordHash}
}

// setUnlocked sets the cookie of a viewer who has entered the password: for the address of the link,
// and for the one that its page reports to.
func (s *Service) setUnlocked(w http.ResponseWriter, r *http.Request, link *model.Link) {
	ends := strconv.FormatInt(time.Now().Add(unlockedTime).Unix(), 36)
	value := string(s.signer.appendSignature([]byte(ends+"."), unlockTexts(link, ends)...))
	for _, path := range []string{r.URL.Path, reportPath + link.Slug} {
		http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure follows the public address
			Name: PasswordCookie, Value: value, Path: path, MaxAge: int(unlockedTime.Seconds()),
			HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode})
	}
}

// servePassword serves the page that asks for the password, and checks the password that it posts.
func (s *Service) servePassword(w http.ResponseWriter, r *http.Request, t *linkTarget) {
	lang := noticeLanguage(r, t.link)
	if r.Method != http.MethodPost {
		writePasswordPage(w, r, http.StatusForbidden, lang, "")
		return
	}
	err := s.checkPassword(w, r, t)
	switch {
	case err == nil:
		s.setUnlocked(w, r, t.link)
		forward(w, r, t.link.Kind, lang)
	case errs.Is(err, errs.Unauthenticated):
		writePasswordPage(w, r, http.StatusForbidden, lang, page.WrongPassword)
	case errs.Is(err, errs.RateLimited):
		if wait, ok := errs.From(err).Extra["retry_after"].(int); ok {
			w.Header().Set("Retry-After", strconv.Itoa(wait))
		}
		writePasswordPage(w, r, http.StatusTooManyRequests, lang, page.TooManyAttempts)
	case errs.Is(err, errs.Unavailable):
		writePasswordPage(w, r, http.StatusServiceUnavailable, lang, page.PasswordUnavailable)
	default:
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
	}
}

// checkPassword returns errs.Unauthenticated unless the request posts the password of the link. It
// returns errs.RateLimited and errs.Unavailable of the limit of attempts, and the errors of a body.
func (s *Service) checkPassword(w http.ResponseWriter, r *http.Request, t *linkTarget) error {
	body, err := web.ReadBody(w, r, maxPasswordBody)
	if err != nil {
		return err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return errs.Wrap(err, errs.BadRequest, "the form is not urlencoded")
	}
	same, err := s.config.TryPassword(r, t.link.ID, form.Get(page.PasswordField), *t.link.PasswordHash)
	if err == nil && !same {
		err = errs.New(errs.Unauthenticated, "this is not the password of the link")
	}
	return err
}

func writePasswordPage(w http.ResponseWriter, r *http.Request, status int, lang string, problem page.PasswordProblem) {
	page.SetHeaders(w.Header())
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_ = page.RenderPassword(w, lang, problem)
	}
}

// forward leads from a form that was posted to the content at the same address.
func forward(w http.ResponseWriter, r *http.Request, kind model.LinkKind, lang string) {
	page.SetHeaders(w.Header())
	if kind != model.LinkKindRedirect {
		w.Header().Set("Location", r.URL.RequestURI())
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	_ = page.RenderUnlocked(w, lang, r.URL.RequestURI())
}
