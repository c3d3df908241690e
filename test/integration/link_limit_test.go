package integration

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/model/optional"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// hiddenWord is in the title, the destination, the body and the file of the links below.
const hiddenWord = "harbourplan"

// limitedKinds are links of each kind with hiddenWord. They answer an open with a status.
var limitedKinds = map[string]struct {
	body   string // "" for a file
	opened int
}{
	"redirect": {`{"slug": "redirect", "title": "harbourplan", "destination_url": "https://harbourplan.example/"}`, 302},
	"page": {`{"slug": "page", "kind": "page", "title": "harbourplan", "body": "<p>harbourplan</p>",
		"form": {"fields": [{"name": "email", "label": "harbourplan", "type": "email", "required": true}]}}`, 200},
	"file": {"", 200},
}

const linkPassword = "Tide & tables, 2026"

// limitedLink is a link with what its viewers may have.
type limitedLink struct {
	app     *kit.App
	kind    string
	id      string
	session string // the id of a viewer who opened it
	cookies string // sent by every request
}

// newLimited creates a link, which one viewer opens.
func newLimited(t *testing.T, app *kit.App, kind string) *limitedLink {
	t.Helper()
	l := &limitedLink{app: app, kind: kind}
	if kind == "file" {
		header := http.Header{}
		form := fileForm(t, header, "harbourplan.txt", "text/plain", "harbourplan", map[string]string{"slug": "file",
			"title": "harbourplan"})
		l.id = field(t, app.Do(t, "POST", "/api/v1/links", header, form).Want(t, 201), "id")
	} else {
		l.id = createLink(t, app, limitedKinds[kind].body)
	}
	v := &linkViewer{app: app, agent: chrome}
	if got := v.do(t, "GET", "/l/"+kind, ""); got.Status != limitedKinds[kind].opened {
		t.Fatalf("a %s without limits: %d %s", kind, got.Status, got.Body)
	}
	if l.session = v.session(); kind == "page" {
		v.post(t, kind, "views", `{"session_id": "`+l.session+`"}`)
	}
	return l
}

func (l *limitedLink) patch(t *testing.T, body string) {
	t.Helper()
	l.app.Do(t, "PATCH", "/api/v1/links/"+l.id, nil, body).Want(t, http.StatusOK)
}

// send sends a request of another viewer than the first, and fails if the response has hiddenWord
// without a right to it.
func (l *limitedLink) send(t *testing.T, way publicWay, mayKnow bool) *kit.Response {
	t.Helper()
	v := &linkViewer{app: l.app, agent: chrome}
	header := append([]string{"Cookie: " + l.cookies}, way.header...)
	got := v.do(t, way.method, strings.ReplaceAll(way.path, "SLUG", l.kind), way.body, header...)
	known := strings.Contains(strings.ToLower(string(got.Body)+fmt.Sprint(got.Header)), hiddenWord)
	if known && !mayKnow {
		t.Errorf("%s of a %s shows its content: %v %s", way.name, l.kind, got.Header, got.Body)
	}
	return got
}

// publicWay is a request of a public route of a link.
type publicWay struct {
	name, method, path, body string
	header                   []string
}

const urlencoded = "Content-Type: application/x-www-form-urlencoded"

// addressWays lead to the content at a link's own address.
func addressWays(password string) []publicWay {
	return []publicWay{
		{"an open", "GET", "/l/SLUG", "", nil},
		{"an open with a query", "GET", "/l/SLUG?utm_source=mail&password=" + url.QueryEscape(linkPassword), "", nil},
		{"HEAD", "HEAD", "/l/SLUG", "", nil},
		{"a part", "GET", "/l/SLUG", "", []string{"Range: bytes=2-"}},
		{"a picture", "GET", "/l/SLUG", "", []string{"Sec-Fetch-Dest: image"}},
		{"a preview", "GET", "/l/SLUG", "", []string{"User-Agent: Slackbot-LinkExpanding 1.0"}},
		{"a crawler", "GET", "/l/SLUG", "", []string{"User-Agent: Mozilla/5.0 (compatible; Googlebot/2.1)"}},
		{"a password", "POST", "/l/SLUG", "password=" + url.QueryEscape(password), []string{urlencoded}},
	}
}

// reportWays are what hosted pages report, with a session.
func reportWays(session string) []publicWay {
	const base = "/api/public/links/SLUG/"
	inJSON, inForm := "Content-Type: application/json", []string{urlencoded, "Accept: text/html"}
	return []publicWay{
		{"a view", "POST", base + "views", `{"session_id": "` + session + `"}`, []string{inJSON}},
		{"a conversion", "POST", base + "conversions", `{"session_id": "` + session + `", "type": "custom"}`, []string{inJSON}},
		{"a form", "POST", base + "submissions", `{"session_id": "` + session + `", "email": "a@example.com"}`,
			[]string{inJSON}},
		{"a form without a script", "POST", base + "submissions", "email=a@example.com&session_id=" + session, inForm},
		{"a wrong form", "POST", base + "submissions", "email=nonsense&session_id=" + session, inForm},
		{"spam", "POST", base + "submissions", "email=a@example.com&rostrum_extra=x&session_id=" + session, inForm},
	}
}

// TestLink_closed_ways sends a request of every public route to links that have ended and to links with
// a password. None but the viewer with the password gets the content, and nothing is counted.
func TestLink_closed_ways(t *testing.T) {
	states := map[string]struct {
		close           func(*testing.T, *limitedLink)
		address, report int
		viewer          bool // whether reports have the session of the viewer who opened the link
		ended           string
	}{
		"expired": {expire, 410, 404, true, "expired"},
		"used up": {func(t *testing.T, l *limitedLink) { l.patch(t, `{"max_opens": 1}`) }, 410, 0, false, "used_up"},
		"without the password": {func(t *testing.T, l *limitedLink) {
			l.patch(t, `{"password": "`+linkPassword+`"}`)
		}, 403, 404, true, ""},
		"with a cookie of an earlier password": {func(t *testing.T, l *limitedLink) {
			l.patch(t, `{"password": "`+linkPassword+`"}`)
			l.unlock(t, linkPassword)
			l.patch(t, `{"password": "another one"}`)
		}, 403, 404, true, ""},
	}
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		for kind := range limitedKinds {
			for name, state := range states {
				l := newLimited(t, app, kind)
				state.close(t, l)
				before := linkCounts(t, app, l.id)
				for _, way := range addressWays("not the password") {
					if got := l.send(t, way, false); got.Status != state.address {
						t.Errorf("%s of a %s %s: %d, want %d", way.name, kind, name, got.Status, state.address)
					}
				}
				session := l.session
				if !state.viewer {
					session = "vis_nobody"
				}
				for _, way := range reportWays(session) {
					got := l.send(t, way, false)
					isSure := state.report != 0 && (kind == "page" || state.address == http.StatusGone)
					if isSure && got.Status != state.report || got.Status < http.StatusBadRequest && kind == "page" {
						t.Errorf("%s of a %s %s: %d, want %d", way.name, kind, name, got.Status, state.report)
					}
				}
				if got := linkCounts(t, app, l.id); kind == "page" && got != before {
					t.Errorf("a %s %s: the counts are %v, before %v", kind, name, got, before)
				}
				checkEnded(t, l, state.ended)
				app.Do(t, "DELETE", "/api/v1/links/"+l.id, nil, "").Want(t, http.StatusNoContent)
			}
		}
	})
}

// checkEnded checks why the link has ended, "" if it has not, and that the filter knows it.
func checkEnded(t *testing.T, l *limitedLink, reason string) {
	t.Helper()
	for _, isEnded := range []bool{true, false} {
		var list struct {
			Links []struct {
				ID    string
				Ended *string `json:"ended_reason"`
			}
		}
		getJSON(t, l.app, fmt.Sprintf("/api/v1/links?is_ended=%t", isEnded), &list)
		if isEnded != (reason != "") {
			if len(list.Links) != 0 {
				t.Errorf("a %s that is %q is listed with is_ended=%t", l.kind, reason, isEnded)
			}
			continue
		}
		if len(list.Links) != 1 || list.Links[0].ID != l.id || optional.ValueOr(list.Links[0].Ended, "") != reason {
			t.Errorf("with is_ended=%t the list is %+v, want a %s that is %q", isEnded, list.Links, l.kind, reason)
		}
	}
}

// expire lets a link end by time.
func expire(t *testing.T, l *limitedLink) {
	t.Helper()
	l.patch(t, `{"expires_at": "`+time.Now().Add(time.Second).UTC().Format(time.RFC3339Nano)+`"}`)
	poll.Until(t, func() bool {
		v := &linkViewer{app: l.app, agent: "curl/8"}
		return v.do(t, "GET", "/l/"+l.kind, "").Status == http.StatusGone
	}, "the %s does not end", l.kind)
}

// unlock enters a password and keeps its cookie.
func (l *limitedLink) unlock(t *testing.T, password string) *http.Cookie {
	t.Helper()
	v := &linkViewer{app: l.app, agent: chrome}
	got := v.do(t, "POST", "/l/"+l.kind, "password="+url.QueryEscape(password), urlencoded)
	cookie := cookieOf(got, "rostrum_unlocked")
	if cookie == nil || got.Status >= http.StatusBadRequest {
		t.Fatalf("the password of a %s: %d %v %s", l.kind, got.Status, got.Header, got.Body)
	}
	l.cookies = "rostrum_unlocked=" + cookie.Value
	return cookie
}

// TestLink_password opens links of each kind with their password, after which every way is open.
func TestLink_password(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		for kind, want := range limitedKinds {
			l := newLimited(t, app, kind)
			l.patch(t, `{"password": "`+linkPassword+`"}`)
			before := linkCounts(t, app, l.id)
			cookie := l.unlock(t, linkPassword)
			if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/l/"+kind {
				t.Errorf("the cookie of a %s is %+v", kind, cookie)
			}
			if got := linkCounts(t, app, l.id); got != before {
				t.Errorf("a %s: the password counts %v, before %v", kind, got, before)
			}
			v := &linkViewer{app: app, agent: chrome}
			got := v.do(t, "GET", "/l/"+kind, "", "Cookie: "+l.cookies, "Referer: "+"http://rostrum.test/l/"+kind)
			if got.Status != want.opened {
				t.Errorf("a %s with its password: %d %s", kind, got.Status, got.Body)
			}
			if kind == "page" {
				for i, way := range reportWays(v.session()) {
					if got, want := l.send(t, way, true), []int{204, 202, 201, 201, 422, 201}[i]; got.Status != want {
						t.Errorf("%s with the password: %d, want %d: %s", way.name, got.Status, want, got.Body)
					}
				}
			}
			if got := linkCounts(t, app, l.id); got[0] != before[0]+1 {
				t.Errorf("a %s: the counts are %v, before %v", kind, got, before)
			}
			l.patch(t, `{"password": null}`)
			l.cookies = ""
			if got := l.send(t, addressWays("")[0], true); got.Status != want.opened {
				t.Errorf("a %s without a password again: %d", kind, got.Status)
			}
		}
	})
}

// TestLink_password_attempts enters wrong passwords until the address has no attempt left. The viewer
// who has entered the right one continues.
func TestLink_password_attempts(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		l := newLimited(t, app, "page")
		l.patch(t, `{"password": "`+linkPassword+`"}`)
		l.unlock(t, linkPassword)
		wrong := publicWay{"a wrong password", "POST", "/l/SLUG", "password=guess", []string{urlencoded,
			"Accept-Language: de-CH, en;q=0.5"}}
		for range 10 {
			if got := l.sendBare(t, wrong); got.Status != http.StatusForbidden ||
				!strings.Contains(string(got.Body), "Das ist nicht das Passwort.") {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
		}
		got := l.sendBare(t, publicWay{"the right password", "POST", "/l/SLUG", "password=" + url.QueryEscape(linkPassword),
			[]string{urlencoded}})
		if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" ||
			cookieOf(got, "rostrum_unlocked") != nil {
			t.Errorf("after 10 wrong passwords: %d %v", got.Status, got.Header)
		}
		if got := l.send(t, addressWays("")[0], true); got.Status != http.StatusOK {
			t.Errorf("the viewer with the cookie: %d", got.Status)
		}
	})
}

// sendBare is send without cookies.
func (l *limitedLink) sendBare(t *testing.T, way publicWay) *kit.Response {
	t.Helper()
	bare := *l
	bare.cookies = ""
	return bare.send(t, way, false)
}

// TestLink_max_opens lets many viewers open links at the same time. Exactly as many get the content as
// the link allows, and they keep it.
func TestLink_max_opens(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		for kind, want := range limitedKinds {
			l := newLimited(t, app, kind)
			l.patch(t, `{"max_opens": 8}`) // with the one that it has
			var opened, ended atomic.Int32
			var waiting sync.WaitGroup
			viewers := make([]*linkViewer, 40)
			for i := range viewers {
				viewers[i] = &linkViewer{app: app, agent: chrome}
				waiting.Go(func() {
					switch got := viewers[i].do(t, "GET", "/l/"+kind, ""); got.Status {
					case want.opened:
						opened.Add(1)
					case http.StatusGone:
						ended.Add(1)
						viewers[i] = nil
					default:
						t.Errorf("a %s: %d %s", kind, got.Status, got.Body)
					}
				})
			}
			waiting.Wait()
			if opened.Load() != 7 || ended.Load() != 33 {
				t.Errorf("a %s with 8 opens was opened by %d more and closed to %d", kind, opened.Load(), ended.Load())
			}
			for _, v := range viewers {
				if v == nil {
					continue
				}
				if got := v.do(t, "GET", "/l/"+kind, ""); got.Status != want.opened {
					t.Errorf("a viewer of the %s comes again: %d", kind, got.Status)
				}
				if kind == "page" {
					got := v.post(t, kind, "submissions", `{"session_id": "`+v.session()+`", "email": "a@example.com"}`)
					if got.Status != http.StatusCreated {
						t.Errorf("a viewer's form: %d %s", got.Status, got.Body)
					}
				}
			}
			l.patch(t, `{"max_opens": 9}`)
			for _, status := range []int{want.opened, http.StatusGone} {
				if got := (&linkViewer{app: app, agent: chrome}).do(t, "GET", "/l/"+kind, ""); got.Status != status {
					t.Errorf("a %s with one more open: %d, want %d", kind, got.Status, status)
				}
			}
		}
	})
}
