package integration

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"regexp"
	"strings"
	"testing"

	"rostrum/test/kit"
)

var metaSession = regexp.MustCompile(`<meta name="rostrum-session" content="([^"]*)">`)

const hostedPage = `{"kind": "page", "title": "Autumn", "slug": "autumn", "body": "<p onclick=\"x()\">Hello <script>alert(1)</script></p>",
	"form": {"fields": [{"name": "email", "label": "Email", "type": "email", "required": true}, {"name": "name"}, {"name": "size", "type": "number"}]}}`

func TestLink_page(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, hostedPage)
		v := &linkViewer{app: app, agent: chrome}
		shown := v.do(t, "GET", "/l/autumn", "")
		found := metaSession.FindSubmatch(shown.Body)
		if shown.Status != http.StatusOK || found == nil || string(found[1]) != v.session() ||
			bytes.Contains(shown.Body, []byte("alert(1)")) {
			t.Fatalf("%d %s", shown.Status, shown.Body)
		}
		if got := linkCounts(t, app, id); got != [3]int{} {
			t.Errorf("before the page's script runs the counts are %v", got)
		}
		for range 2 {
			if answer := v.post(t, "autumn", "views", `{"session_id": "`+v.session()+
				`", "referrer": "https://mail.example/inbox?id=7"}`); answer.Status != http.StatusNoContent {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
			answer := v.do(t, "POST", "/api/public/links/autumn/conversions", "session_id="+v.cookie+
				"&type=scroll_50&value=50", "Content-Type: application/x-www-form-urlencoded")
			if answer.Status != http.StatusAccepted || len(answer.Body) != 0 {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		}
		sent := v.post(t, "autumn", "submissions", `{"session_id": "`+v.session()+
			`", "email": "ana@example.com", "name": "Ana", "size": "4"}`)
		if sent.Status != http.StatusCreated || !strings.HasPrefix(field(t, sent, "id"), "sub_") {
			t.Errorf("%d %s", sent.Status, sent.Body)
		}
		if got := linkCounts(t, app, id); got != [3]int{1, 1, 1} {
			t.Errorf("the counts are %v", got)
		}
		want := []string{
			`link.opened {"country":"","city":"","device":"desktop","browser":"Chrome","os":"Windows","referrer":"https://mail.example/inbox","session_id":"*"}`,
			`conversion {"type":"scroll_50","value":"50","session_id":"*","country":"","device":"desktop"}`,
			`form.submitted {"id":"*","email":"ana@example.com","name":"Ana","data":{"email":"ana@example.com","name":"Ana","size":"4"},"created_at":"*","session_id":"*"}`,
		}
		if got := listEvents(t, app); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("events are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestLink_scrolling_is_no_conversion counts clicks, custom conversions and forms as conversions, and
// the parts of a page that viewers reached apart from them.
func TestLink_scrolling_is_no_conversion(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, hostedPage)
		report := func(v *linkViewer, kind, value string) {
			answer := v.post(t, "autumn", "conversions", fmt.Sprintf(`{"session_id": %q, "type": %q, "value": %q}`,
				v.session(), kind, value))
			if answer.Status != http.StatusAccepted {
				t.Errorf("%s: %d %s", kind, answer.Status, answer.Body)
			}
		}
		for viewers := range 2 {
			v := &linkViewer{app: app, agent: chrome}
			v.do(t, "GET", "/l/autumn", "")
			v.post(t, "autumn", "views", `{"session_id": "`+v.session()+`"}`)
			for _, kind := range []string{"scroll_100", "scroll_25"}[viewers:] {
				report(v, kind, "")
			}
			report(v, "scroll_25", "again")
		}
		if got := linkCounts(t, app, id); got != [3]int{2, 0, 0} {
			t.Errorf("after scrolling the counts are %v", got)
		}
		v := &linkViewer{app: app, agent: chrome}
		v.do(t, "GET", "/l/autumn", "")
		report(v, "cta_click", "Book")
		report(v, "custom", "called")
		v.post(t, "autumn", "submissions", `{"session_id": "`+v.session()+`", "email": "ana@example.com"}`)
		var link struct{ Conversions, Scrolls any }
		getJSON(t, app, "/api/v1/links/"+id, &link)
		if got := linkCounts(t, app, id); got != [3]int{3, 3, 1} {
			t.Errorf("the counts are %v", got)
		}
		if got, want := fmt.Sprint(link.Conversions, link.Scrolls), "[map[count:1 type:cta_click] map[count:1 type:custom]]"+
			" [map[percent:25 sessions:2] map[percent:100 sessions:1]]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestLink_page_without_scripts(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, hostedPage)
		v := &linkViewer{app: app, agent: chrome}
		v.do(t, "GET", "/l/autumn", "")
		form := []string{"Content-Type: application/x-www-form-urlencoded",
			"Accept: text/html,application/xhtml+xml,*/*;q=0.8"}
		const path = "/api/public/links/autumn/submissions"
		refused := v.do(t, "POST", path, "session_id="+v.session()+"&email=nonsense&name=Ana", form...)
		if refused.Status != http.StatusUnprocessableEntity || !bytes.Contains(refused.Body, []byte(`value="Ana"`)) {
			t.Errorf("%d %s", refused.Status, refused.Body)
		}
		spam := v.do(t, "POST", path, "email=a@example.com&rostrum_extra=x", form...)
		if spam.Status != http.StatusCreated {
			t.Errorf("the response to spam differs: %d %s", spam.Status, spam.Body)
		}
		if got := linkCounts(t, app, id); got != [3]int{} {
			t.Errorf("the counts are %v", got)
		}
		thanks := v.do(t, "POST", path, "session_id="+v.session()+"&email=a@example.com", form...)
		if thanks.Status != http.StatusCreated || thanks.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%d %v %s", thanks.Status, thanks.Header, thanks.Body)
		}
		if got := linkCounts(t, app, id); got != [3]int{1, 1, 1} {
			t.Errorf("the counts are %v", got)
		}
	})
}

func TestLink_invalid_reports(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		id := createLink(t, app, hostedPage)
		createLink(t, app, `{"destination_url": "https://example.com/", "slug": "plain"}`)
		v := &linkViewer{app: app, agent: chrome}
		v.do(t, "GET", "/l/autumn", "")
		genuine := v.session()
		forged := genuine[:len(genuine)-1] + string("01"[(genuine[len(genuine)-1]&1)^1])
		long := strings.Repeat("x", 5<<20)
		for name, c := range map[string]struct {
			slug, what, body string
			status           int
			pointer          string
		}{
			"unknown session": {"autumn", "conversions", `{"session_id": "vis_nobody", "type": "custom"}`,
				422, "#/session_id"},
			"forged session": {"autumn", "views", `{"session_id": "` + forged + `"}`, 422, "#/session_id"},
			"another link's session": {"plain", "conversions", `{"session_id": "` + genuine + `", "type": "custom"}`,
				422, "#/session_id"},
			"unknown type": {"autumn", "conversions", `{"session_id": "` + genuine +
				`", "type": "nonsense"}`, 422, "#/type"},
			"no fields": {"autumn", "conversions", `{}`, 422, "#/session_id"},
			"long value": {"autumn", "conversions", `{"session_id": "` + genuine +
				`", "type": "custom", "value": "` + long[:501] + `"}`, 422, "#/value"},
			"unknown slug": {"nobody", "conversions", `{"session_id": "` + genuine +
				`", "type": "custom"}`, 404, ""},
			"a link without a form":     {"plain", "submissions", `{"email": "a@example.com"}`, 404, ""},
			"a required field is empty": {"autumn", "submissions", `{"name": "x"}`, 422, "#/email"},
			"not JSON":                  {"autumn", "conversions", `{`, 400, ""},
			"a form of 5 MB": {"autumn", "submissions", `{"email": "a@example.com", "name": "` + long + `"}`,
				413, ""},
			"a conversion of 5 MB": {"autumn", "conversions", `{"session_id": "` + long + `"}`, 413, ""},
		} {
			answer := v.post(t, c.slug, c.what, c.body)
			if answer.Status != c.status || !bytes.Contains(answer.Body, []byte(c.pointer)) {
				t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
			}
		}
		if got := linkCounts(t, app, id); got[1] != 0 || got[2] != 0 || len(listEvents(t, app)) > 1 {
			t.Errorf("the counts are %v", got)
		}
	})
}

// fileForm returns a form with a file, as a browser encodes it.
func fileForm(t *testing.T, header http.Header, name, mediaType, content string, fields map[string]string) string {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field, value := range fields {
		if err := form.WriteField(field, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="` + name + `"`}, "Content-Type": {mediaType},
	})
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	header.Set("Content-Type", form.FormDataContentType())
	return body.String()
}

func TestLink_file(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		header := http.Header{}
		body := fileForm(t, header, "übersicht.txt", "text/html", "Nine members were present.",
			map[string]string{"title": "Minutes", "slug": "minutes", "is_active": "true"})
		made := app.Do(t, "POST", "/api/v1/links", header, body)
		if made.Status != http.StatusCreated || field(t, made, "kind") != "file" ||
			field(t, made, "file", "media_type") != "text/plain; charset=utf-8" {
			t.Fatalf("%d %s", made.Status, made.Body)
		}
		id := field(t, made, "id")
		v := &linkViewer{app: app, agent: chrome}
		got := v.do(t, "GET", "/l/minutes", "")
		if got.Status != http.StatusOK || string(got.Body) != "Nine members were present." ||
			!strings.HasPrefix(got.Header.Get("Content-Disposition"), "inline; filename*=utf-8''%C3%BCbersicht.txt") {
			t.Errorf("%d %v %s", got.Status, got.Header, got.Body)
		}
		player := &linkViewer{app: app, agent: chrome}
		part := player.do(t, "GET", "/l/minutes", "", "Range: bytes=5-11")
		if part.Status != http.StatusPartialContent || string(part.Body) != "members" {
			t.Errorf("%d %s", part.Status, part.Body)
		}
		if figures := linkCounts(t, app, id); figures != [3]int{1, 0, 0} {
			t.Errorf("the counts are %v", figures)
		}
		page := http.Header{}
		app.Do(t, "POST", "/api/v1/links", page, fileForm(t, page, "x.txt", "text/plain",
			"<!doctype html><script>alert(1)</script>", map[string]string{"slug": "evil"}))
		if evil := v.do(t, "GET", "/l/evil", ""); !strings.HasPrefix(evil.Header.Get("Content-Disposition"),
			"attachment") || evil.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("an HTML file is displayed inline: %v", evil.Header)
		}
		app.Do(t, "DELETE", "/api/v1/links/"+id, nil, "")
		if gone := v.do(t, "GET", "/l/minutes", ""); gone.Status != http.StatusGone {
			t.Errorf("%d %s", gone.Status, gone.Body)
		}
	})
}

func TestLink_session_cookie_of_a_user(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		createOwner(t, app, "links@example.com")
		b := newSignedIn(t, app, "links@example.com")
		b.Do(t, "POST", "/api/v1/links", `{"destination_url": "https://example.com/"}`).Want(t, 201)
		b.Do(t, "GET", "/api/v1/links", "").Want(t, 200)
	})
}
