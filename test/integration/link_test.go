package integration

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rostrum/test/kit"
)

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"

// linkViewer is a browser that opens links; it does not follow redirects.
type linkViewer struct {
	app    *kit.App
	agent  string
	cookie string
}

// do sends a request without a key and with the viewer's cookie, and stores the cookie of the
// response.
func (v *linkViewer) do(t *testing.T, method, path, body string, header ...string) *kit.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, v.app.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("User-Agent", v.agent)
	if v.cookie != "" {
		request.Header.Set("Cookie", "rostrum_session="+v.cookie)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	answer, err := kit.Transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(path, "/api/") {
		if err := v.app.CheckResponse(request, answer.StatusCode, answer.Header, read); err != nil {
			t.Errorf("%s %s: the response does not match the OpenAPI document: %v\n%s", method, path, err, read)
		}
	}
	out := &kit.Response{Status: answer.StatusCode, Header: answer.Header, Body: read}
	if cookie := cookieOf(out, "rostrum_session"); cookie != nil {
		v.cookie = cookie.Value
	}
	return out
}

// post reports an action to a link as a page's script does.
func (v *linkViewer) post(t *testing.T, slug, label, body string) *kit.Response {
	t.Helper()
	return v.do(t, http.MethodPost, "/api/public/links/"+slug+"/"+label, body, "Content-Type: application/json")
}

// session returns the id in the viewer's cookie.
func (v *linkViewer) session() string {
	id, _, _ := strings.Cut(v.cookie, ".")
	return id
}

// createLink creates a link and returns its id.
func createLink(t *testing.T, a *kit.App, body string) string {
	t.Helper()
	answer := a.Do(t, http.MethodPost, "/api/v1/links", nil, body)
	if answer.Status != http.StatusCreated {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return field(t, answer, "id")
}

// linkCounts returns a link's opens, conversions and submissions.
func linkCounts(t *testing.T, a *kit.App, id string) [3]int {
	t.Helper()
	var link struct {
		Opens       int `json:"open_count"`
		Conversions int `json:"conversion_count"`
		Submissions int `json:"submission_count"`
	}
	getJSON(t, a, "/api/v1/links/"+id, &link)
	return [3]int{link.Opens, link.Conversions, link.Submissions}
}

func getJSON(t *testing.T, a *kit.App, path string, into any) {
	t.Helper()
	answer := a.Do(t, http.MethodGet, path, http.Header{"Accept": {"application/json"}}, "")
	if err := json.Unmarshal(answer.Body, into); err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%s: %d %s (%v)", path, answer.Status, answer.Body, err)
	}
}

// listEvents returns the events of the workspace as "event viewer", without values that differ
// between runs.
func listEvents(t *testing.T, a *kit.App) []string {
	t.Helper()
	var feed struct {
		Events []struct {
			Event  string
			Viewer json.RawMessage
		}
	}
	getJSON(t, a, "/api/v1/events", &feed)
	lines := make([]string, len(feed.Events))
	for i, e := range feed.Events {
		lines[i] = e.Event + " " + neverTheSame.ReplaceAllString(string(e.Viewer), "*")
	}
	return lines
}

var neverTheSame = regexp.MustCompile(`(vis|sub|var)_[0-9a-z]+|\d{4}-\d\d-\d\dT[0-9:.]+(\+00:00|Z)`)

func TestLink_redirect(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, `{"destination_url": "https://example.com/a?b=c", "title": "Launch", "slug": "Launch-26"}`)
		v := &linkViewer{app: app, agent: chrome}
		first := v.do(t, "GET", "/l/launch-26", "", "Referer: https://news.example/today?secret=1")
		if first.Status != http.StatusFound || first.Header.Get("Location") != "https://example.com/a?b=c" ||
			first.Header.Get("Cache-Control") != "private, no-store" {
			t.Fatalf("%d %v %s", first.Status, first.Header, first.Body)
		}
		cookie := cookieOf(first, "rostrum_session")
		if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 1800 ||
			cookie.Path != "/l/launch-26" {
			t.Errorf("the cookie is %+v", cookie)
		}
		session := v.session()
		for range 3 {
			if again := v.do(t, "GET", "/l/launch-26", ""); again.Status != http.StatusFound {
				t.Errorf("%d %s", again.Status, again.Body)
			}
		}
		if v.session() != session {
			t.Error("the session does not continue")
		}
		other := &linkViewer{app: app, agent: chrome, cookie: strings.Replace(v.cookie, ".", "x.", 1)}
		other.do(t, "GET", "/l/LAUNCH-26", "")
		if other.session() == session {
			t.Error("a forged cookie is accepted")
		}
		if got := linkCounts(t, app, id); got != [3]int{2, 0, 0} {
			t.Errorf("the counts are %v", got)
		}
		want := []string{
			`link.opened {"country":"","city":"","device":"desktop","browser":"Chrome","os":"Windows","referrer":"https://news.example/today","session_id":"*"}`,
			`link.opened {"country":"","city":"","device":"desktop","browser":"Chrome","os":"Windows","referrer":"","session_id":"*"}`,
		}
		if got := listEvents(t, app); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("events are\n%s", strings.Join(got, "\n"))
		}
	})
}

func TestLink_ignores_bots(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, `{"destination_url": "https://example.com/", "slug": "x"}`)
		for name, header := range map[string]string{
			"prefetch": "Sec-Purpose: prefetch", "unfurler": "User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
			"bot":    "User-Agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
			"nobody": "User-Agent: ",
		} {
			v := &linkViewer{app: app, agent: chrome}
			if answer := v.do(t, "GET", "/l/x", "", header); answer.Status != http.StatusFound || v.cookie != "" {
				t.Errorf("%s: %d, cookie %q", name, answer.Status, v.cookie)
			}
		}
		v := &linkViewer{app: app, agent: chrome}
		if answer := v.do(t, "HEAD", "/l/x", ""); answer.Status != http.StatusFound ||
			answer.Header.Get("Location") == "" || v.cookie != "" {
			t.Errorf("HEAD: %d %v", answer.Status, answer.Header)
		}
		if got := linkCounts(t, app, id); got != [3]int{} || len(listEvents(t, app)) != 0 {
			t.Errorf("the counts are %v", got)
		}
	})
}

func TestLink_ends(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, `{"destination_url": "https://example.com/", "slug": "x"}`)
		v := &linkViewer{app: app, agent: chrome}
		want := func(when string, status int) {
			t.Helper()
			answer := v.do(t, "GET", "/l/x", "")
			if answer.Status != status {
				t.Errorf("%s: %d %s", when, answer.Status, answer.Body)
			}
			if status == http.StatusGone && strings.Contains(answer.Header.Get("Location")+string(answer.Body),
				"example.com") {
				t.Errorf("%s: the notice shows the destination: %v %s", when, answer.Header, answer.Body)
			}
		}
		want("open", http.StatusFound)
		app.Do(t, "PATCH", "/api/v1/links/"+id, nil, `{"is_active": false}`)
		want("paused", http.StatusGone)
		app.Do(t, "PATCH", "/api/v1/links/"+id, nil, `{"is_active": true}`)
		want("resumed", http.StatusFound)
		app.Do(t, "DELETE", "/api/v1/links/"+id, nil, "")
		want("removed", http.StatusGone)
		if answer := v.do(t, "GET", "/l/never", ""); answer.Status != http.StatusNotFound {
			t.Errorf("never: %d", answer.Status)
		}
		if answer := app.Tenant(t).Do(t, "POST", "/api/v1/links", nil,
			`{"destination_url": "https://evil.example/", "slug": "X"}`); answer.Status != http.StatusConflict {
			t.Errorf("another workspace can use the deleted slug: %d %s", answer.Status, answer.Body)
		}
		createLink(t, app, `{"destination_url": "https://example.com/2", "slug": "X"}`)
		want("made again", http.StatusFound)
	})
}

func TestLink_split_test(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, `{"slug": "ab", "variants": [
			{"destination_url": "https://a.example/?s={session_id}", "weight": 3}, {"destination_url": "https://b.example/"}]}`)
		type variant struct {
			ID          string `json:"id"`
			Opens       int    `json:"open_count"`
			Conversions int    `json:"conversion_count"`
		}
		var first *linkViewer
		sent := map[string]int{}
		for range 200 {
			v := &linkViewer{app: app, agent: chrome}
			where := v.do(t, "GET", "/l/ab", "").Header.Get("Location")
			if again := v.do(t, "GET", "/l/ab", "").Header.Get("Location"); again != where {
				t.Fatalf("a session is redirected to %s and then to %s", where, again)
			}
			host, query, _ := strings.Cut(where, "?s=")
			if sent[host]++; host == "https://a.example/" && query != v.session() {
				t.Errorf("%s does not contain %s", where, v.session())
			} else if host == "https://a.example/" {
				first = v
			}
		}
		if n := sent["https://a.example/"]; n < 120 || n > 180 || n+sent["https://b.example/"] != 200 {
			t.Errorf("weights 3 and 1 redirect %v", sent)
		}
		for range 2 {
			if answer := first.post(t, "ab", "conversions", `{"session_id": "`+first.session()+
				`", "type": "custom", "value": "bought"}`); answer.Status != http.StatusAccepted {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		}
		var link struct{ Variants []variant }
		getJSON(t, app, "/api/v1/links/"+id, &link)
		a, b := link.Variants[0], link.Variants[1]
		if a.Opens != sent["https://a.example/"] || b.Opens != sent["https://b.example/"] || a.Conversions != 1 ||
			b.Conversions != 0 {
			t.Errorf("the variants have %+v and %+v, redirected were %v", a, b, sent)
		}
		wrong := first.post(t, "ab", "conversions", `{"session_id": "`+first.session()+
			`", "type": "nonsense", "variant_id": "`+b.ID+`"}`)
		if wrong.Status != http.StatusUnprocessableEntity {
			t.Errorf("%d %s", wrong.Status, wrong.Body)
		}
		if got := linkCounts(t, app, id); got != [3]int{200, 1, 0} {
			t.Errorf("the counts are %v", got)
		}
	})
}

// TestLink_split_test_edit changes the destination of a variant by its id; the variant keeps its
// counts and its viewer.
func TestLink_split_test_edit(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, `{"slug": "edit", "variants": [{"destination_url": "https://a.example/"}, {"destination_url": "https://b.example/", "weight": 0}]}`)
		v := &linkViewer{app: app, agent: chrome}
		v.do(t, "GET", "/l/edit", "")
		type variant struct {
			ID    string `json:"id"`
			URL   string `json:"destination_url"`
			Opens int    `json:"open_count"`
		}
		var link struct{ Variants []variant }
		getJSON(t, app, "/api/v1/links/"+id, &link)
		a, b := link.Variants[0], link.Variants[1]
		path := "/api/v1/links/" + id
		app.Do(t, "PATCH", path, nil, `{"variants": [{"id": "`+b.ID+`", "destination_url": "https://a.example/", "weight": 1},
			{"id": "`+a.ID+`", "destination_url": "https://new.example/", "weight": 0}]}`).Want(t, http.StatusOK, "")
		getJSON(t, app, path, &link)
		if want := []variant{{b.ID, "https://a.example/", 0},
			{a.ID, "https://new.example/", 1}}; !slices.Equal(link.Variants, want) {
			t.Errorf("the variants are %+v, want %+v", link.Variants, want)
		}
		if where := v.do(t, "GET", "/l/edit", "").Header.Get("Location"); where != "https://new.example/" {
			t.Errorf("the viewer of the edited variant is redirected to %s", where)
		}
	})
}
