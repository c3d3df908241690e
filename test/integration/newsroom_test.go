package integration

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// setBrand changes the brand of the app's workspace.
func setBrand(t *testing.T, a *kit.App, body string) {
	t.Helper()
	a.Do(t, "PATCH", "/api/v1/workspace/brand", nil, body).Want(t, http.StatusOK)
}

// publicly returns the response of an address for a reader without a key.
func publicly(t *testing.T, a *kit.App, path string, header ...string) *kit.Response {
	t.Helper()
	return (&linkViewer{app: a, agent: chrome}).do(t, "GET", path, "", header...)
}

// TestNewsroom_keeps_embargoes reads a newsroom and its feed until an embargo ends: before its second
// neither has the text.
func TestNewsroom_keeps_embargoes(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		slug := newsroomOf(t, a)
		p := newPublishing(t, a)
		p.write(t, "# Letter\n\nWe open in **March**.")
		until := time.Now().Add(4 * time.Second).Truncate(time.Second)
		p.publish(t, fmt.Sprintf(`, embargoedUntil: %q`, until.UTC().Format(time.RFC3339)))
		early := 0
		for _, path := range []string{"/newsroom/" + slug, "/newsroom/" + slug + "/feed.atom"} {
			poll.Until(t, func() bool {
				answer := publicly(t, a, path)
				listed := bytes.Contains(answer.Body, []byte(p.address))
				if time.Now().Before(until) {
					early++
					if answer.Status != http.StatusOK || listed {
						t.Fatalf("%d before the embargo ends: %s", answer.Status, answer.Body)
					}
				}
				return listed
			}, "%s does not list the text", path)
		}
		if _, shown := p.page(t); !strings.Contains(shown, "We open in") {
			t.Errorf("what is listed cannot be read: %s", shown)
		}
		t.Logf("%d requests came before the end", early)
	})
}

// newsroomOf gives the app's workspace a newsroom and returns its slug.
func newsroomOf(t *testing.T, a *kit.App) string {
	t.Helper()
	slug := fmt.Sprintf("news-%d", time.Now().UnixNano())
	setBrand(t, a, fmt.Sprintf(`{"name": "Tidewall", "newsroom_slug": %q}`, slug))
	return slug
}

// TestNewsroom_lists_what_everybody_can_read changes the link of a published text in each way that
// closes it to somebody.
func TestNewsroom_lists_what_everybody_can_read(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		slug := newsroomOf(t, a)
		p := newPublishing(t, a)
		p.write(t, "# Letter\n\nWe open in **March**.")
		p.publish(t, "")
		other := a.Tenant(t)
		theirs := newsroomOf(t, other)
		isListed := func() bool {
			t.Helper()
			if answer := publicly(t, a, "/newsroom/"+theirs).Want(t, 200); strings.Contains(string(answer.Body), p.address) {
				t.Fatalf("the newsroom of another workspace lists it: %s", answer.Body)
			}
			return strings.Contains(string(publicly(t, a, "/newsroom/"+slug).Want(t, 200).Body), p.address)
		}
		if !isListed() {
			t.Fatal("a published text is not listed")
		}
		change := func(body string) {
			t.Helper()
			a.Do(t, "PATCH", "/api/v1/links/"+p.linkID, nil, body).Want(t, 200)
		}
		soon := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		for _, c := range []struct{ closed, open string }{
			{`{"is_active": false}`, `{"is_active": true}`},
			{`{"password": "Tide & tables"}`, `{"password": null}`},
			{`{"max_opens": 5}`, `{"max_opens": null}`},
		} {
			if change(c.closed); isListed() {
				t.Errorf("it is listed with %s", c.closed)
			}
			if change(c.open); !isListed() {
				t.Errorf("it is not listed with %s", c.open)
			}
		}
		if change(fmt.Sprintf(`{"expires_at": %q}`, soon)); !isListed() {
			t.Error("it is not listed before its end")
		}
		answerOf(t, p.eva, fmt.Sprintf(`mutation { withdrawDraft(input: {draftId: %q, reason: "Wrong."}) { draft { state } } }`,
			p.draft), `"APPROVED"`)
		if isListed() {
			t.Error("a withdrawn text is listed")
		}
		if p.publish(t, ""); !isListed() {
			t.Error("a text that is published again is not listed")
		}
		createLink(t, a, `{"kind": "page", "title": "No draft", "slug": "no-draft", "body": "Hello."}`)
		if strings.Contains(string(publicly(t, a, "/newsroom/"+slug).Body), "no-draft") {
			t.Error("a page without a draft is listed")
		}
	})
}

// TestNewsroom_feed asks for a feed again with its entity tag, before and after a withdrawal.
func TestNewsroom_feed(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		slug := newsroomOf(t, a)
		p := newPublishing(t, a)
		p.write(t, "# Letter\n\nWe open in **March**.")
		p.publish(t, "")
		path := "/newsroom/" + slug + "/feed.atom"
		first := publicly(t, a, path).Want(t, 200)
		tag := first.Header.Get("ETag")
		if first.Header.Get("Content-Type") != "application/atom+xml; charset=utf-8" || tag == "" ||
			first.Header.Get("Last-Modified") == "" || first.Header.Get("Cache-Control") != "public, no-cache" {
			t.Errorf("the headers are %v", first.Header)
		}
		if again := publicly(t, a, path, "If-None-Match: "+tag); again.Status != http.StatusNotModified || len(again.Body) > 0 {
			t.Errorf("%d %s", again.Status, again.Body)
		}
		answerOf(t, p.eva, fmt.Sprintf(`mutation { withdrawDraft(input: {draftId: %q, reason: "Wrong."}) { draft { state } } }`,
			p.draft), `"APPROVED"`)
		if after := publicly(t, a, path, "If-None-Match: "+tag,
			"If-Modified-Since: "+first.Header.Get("Last-Modified")).Want(t, 200); strings.Contains(string(after.Body), "Letter") {
			t.Errorf("the feed has a withdrawn text: %s", after.Body)
		}
		page := publicly(t, a, "/newsroom/"+slug).Want(t, 200)
		if !strings.Contains(string(page.Body), `type="application/atom+xml"`) ||
			!strings.Contains(page.Header.Get("Content-Security-Policy"), "style-src 'self'") {
			t.Errorf("%v %s", page.Header, page.Body)
		}
		for _, wrong := range []string{"/newsroom/unknown-" + slug, "/newsroom/" + slug + "?page=2", "/newsroom/" + slug + "?page=x",
			"/newsroom/" + slug + "?page=0", path + "?page=2", "/newsroom/" + slug + "/other.atom", "/newsroom/%00"} {
			if answer := publicly(t, a, wrong); answer.Status != http.StatusNotFound {
				t.Errorf("%s has status %d", wrong, answer.Status)
			}
		}
		if counts := linkCounts(t, a, p.linkID); counts[0] != 0 {
			t.Errorf("reading a newsroom counts as %d opens", counts[0])
		}
		setBrand(t, a, `{"newsroom_slug": null}`)
		if answer := publicly(t, a, "/newsroom/"+slug); answer.Status != http.StatusNotFound {
			t.Errorf("a newsroom that has ended has status %d", answer.Status)
		}
	})
}

// TestBrand_logo uploads a logo, and reads it where the page of a link shows it.
func TestBrand_logo(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createLink(t, a, `{"kind": "page", "title": "Autumn", "slug": "autumn", "body": "Hello."}`)
		plain := string(publicly(t, a, "/l/autumn").Want(t, 200).Body)
		if strings.Contains(plain, "brand") {
			t.Errorf("a page without a brand shows one: %s", plain)
		}
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 20))); err != nil {
			t.Fatal(err)
		}
		if answer := sendLogo(t, a, "", picture.Bytes()); answer.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(string(answer.Body), "#/name") {
			t.Errorf("a logo without a name: %d %s", answer.Status, answer.Body)
		}
		answer := sendLogo(t, a, "Tidewall", picture.Bytes()).Want(t, 200)
		_, path, _ := strings.Cut(field(t, answer, "logo", "url"), "/brand/")
		path = "/brand/" + path
		logo := publicly(t, a, path).Want(t, 200)
		size, kind, err := image.DecodeConfig(bytes.NewReader(logo.Body))
		if err != nil || kind != "png" || size.Width != 40 || logo.Header.Get("Content-Type") != "image/png" ||
			!strings.Contains(logo.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%v %s %v %v", err, kind, size, logo.Header)
		}
		poll.Until(t, func() bool {
			return strings.Contains(string(publicly(t, a, "/l/autumn").Body), `<img src="`+path+`" width="40" height="20" alt="Tidewall">`)
		}, "the page does not show the logo")
		setBrand(t, a, `{"remove_logo": true}`)
		if gone := publicly(t, a, path); gone.Status != http.StatusNotFound {
			t.Errorf("a logo that was removed has status %d", gone.Status)
		}
	})
}

// sendLogo sends a logo, and a name if it is not empty.
func sendLogo(t *testing.T, a *kit.App, name string, picture []byte) *kit.Response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if name != "" {
		_ = form.WriteField("name", name)
	}
	part, err := form.CreateFormFile("file", "logo.png")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write(picture)
	_ = form.Close()
	return a.Do(t, "PATCH", "/api/v1/workspace/brand", http.Header{"Content-Type": {form.FormDataContentType()}}, body.String())
}

// TestPage_tags checks that only a page that everybody can read has Open Graph tags.
func TestPage_tags(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		id := createLink(t, a, `{"kind": "page", "title": "Autumn", "slug": "autumn", "body": "<h2>Plan</h2><p>The <b>harbour</b> opens. It is big.</p>"}`)
		tags := func() bool {
			return strings.Contains(string(publicly(t, a, "/l/autumn").Body), `property="og:`)
		}
		shown := string(publicly(t, a, "/l/autumn").Want(t, 200).Body)
		for _, want := range []string{`<meta property="og:description" content="The harbour opens. It is big.">`,
			`<meta property="og:title" content="Autumn">`, `<meta property="og:type" content="website">`,
			`<link rel="canonical" href="http`} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s is missing in %s", want, shown)
			}
		}
		for _, body := range []string{`{"is_active": false}`, `{"is_active": true, "password": "Tide & tables"}`} {
			a.Do(t, "PATCH", "/api/v1/links/"+id, nil, body).Want(t, 200)
			if tags() {
				t.Errorf("there are tags with %s", body)
			}
		}
	})
}
