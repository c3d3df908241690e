package page

import (
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"rostrum/errs"
)

var updateGolden = flag.Bool("update", false, "rewrite the golden pages, and fail")

var contactForm = Form{Fields: []Field{
	{Name: "name", Label: "Your name"},
	{Name: "email", Label: "Email", Type: "email", Required: true},
	{Name: "phone", Label: "Telephone", Type: "tel"},
	{Name: "site", Label: "Your site", Type: "url"},
	{Name: "seats", Label: "Seats", Type: "number"},
	{Name: "when", Label: "When", Type: "date"},
	{Name: "message", Label: "What <b>for</b>?", Type: "textarea"},
	{Name: "consent", Label: "You may write to me", Type: "checkbox", Required: true},
}}

const pageBody = `<p>Harbour plans, <a href="https://example.org/plans">as published</a>.</p><script>alert(1)</script>
<p><a href="https://example.org/buy" data-cta="Buy">Buy now</a> <button data-cta>Call me</button></p>`

// TestRender compares whole pages with testdata/NAME.html.
func TestRender(t *testing.T) {
	t.Parallel()
	sent := &Submission{Data: map[string]any{"name": `Ines "<Okafor>"`, "email": "ines@",
		"message": "</textarea><script>", "consent": "yes"}}
	refused := errs.Invalid(errs.BodyField("value_error", "is not an email address", "email"))
	for name, p := range map[string]Page{
		"plain": {Title: "Harbour & plans", Body: pageBody, SessionID: "ses_1", Slug: "harbour"},
		"form":  {Title: "Ask us", Body: pageBody, Form: &contactForm, SessionID: "ses_1", Slug: "ask"},
		"refused": {Title: "Ask us", Body: pageBody, Form: &contactForm, SessionID: "ses_1", Slug: "ask", Sent: sent,
			Problem: refused},
		"german": {Title: "Fragen", Form: &contactForm, SessionID: "ses_1", Slug: "ask", Lang: "de-AT", Sent: sent,
			Problem: refused},
		"preview": {Title: "Ask us", Body: pageBody, Form: &contactForm, Slug: "ask", Preview: true},
		"attack": {
			Title: `</title><script>alert(1)</script>`, Body: `</div></main><script>alert(1)</script>`,
			SessionID: `"><script>`, Slug: `../../x"y`, Lang: `"><script>`,
			Form: &Form{Fields: []Field{{Name: "a", Label: `</label><script>alert(1)</script>`}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := Render(&out, p); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name, out.String())
		})
	}
}

func TestRenderNotice(t *testing.T) {
	t.Parallel()
	for n, detail := range map[Notice]string{Thanks: "", Gone: "", NotFound: "", Withdrawn: "The <sum> is wrong.",
		Embargoed: "2026-12-01 09:00 UTC", Ended: ""} {
		var out strings.Builder
		if err := RenderNotice(&out, n, "", detail, nil); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, "notice_"+string(n), out.String())
	}
	if err := RenderNotice(&strings.Builder{}, "other", "en", "", nil); err == nil {
		t.Error("a notice that does not exist was rendered")
	}
}

func TestRenderPassword(t *testing.T) {
	t.Parallel()
	for name, render := range map[string]func(io.Writer) error{
		"password":          func(w io.Writer) error { return RenderPassword(w, "", "") },
		"password_wrong":    func(w io.Writer) error { return RenderPassword(w, "de-CH", WrongPassword) },
		"password_unlocked": func(w io.Writer) error { return RenderUnlocked(w, "de", `/l/x?a="><script>`) },
	} {
		var out strings.Builder
		if err := render(&out); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name, out.String())
	}
}

func TestPreferredLanguage(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]string{"": "en", "de-CH, en;q=0.5": "de", "ja, fr;q=0.3": "fr", "ja": "en",
		"*;;": "en", "pt-BR": "pt"} {
		if got := PreferredLanguage(accepted); got != want {
			t.Errorf("a reader of %q gets %s, want %s", accepted, got, want)
		}
	}
}

// checkGolden compares a page with its golden file, without the hashes in file names, and checks
// that its only script is the beacon.
func checkGolden(t *testing.T, name, page string) {
	t.Helper()
	page = strings.NewReplacer(scriptAsset.path, "/l/static/beacon-HASH.js", styleAsset.path,
		"/l/static/page-HASH.css").Replace(page)
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		if node.Type == html.ElementNode && node.Data == "script" &&
			(node.FirstChild != nil || attributeValue(node, "src") != "/l/static/beacon-HASH.js") {
			t.Errorf("%s has a script other than the beacon", name)
		}
	}
	file := filepath.Join("testdata", name+".html")
	want, err := os.ReadFile(file)
	if *updateGolden {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err != nil || string(want) != page {
		t.Errorf("%s differs from the golden file:\n%s", name, page)
	}
}

func attributeValue(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestEveryInputHasItsLabel checks the requirements of screen readers: a label for each visible
// input, and unique ids.
func TestEveryInputHasItsLabel(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := Render(&out, Page{Title: "Ask us", Form: &contactForm, Slug: "ask"}); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	ids, labels, inputs := map[string]int{}, map[string]bool{}, []string{}
	for node := range root.Descendants() {
		ids[attributeValue(node, "id")]++
		if node.Data == "label" {
			labels[attributeValue(node, "for")] = true
		}
		if name := attributeValue(node, "name"); (node.Data == "input" || node.Data == "textarea") &&
			attributeValue(node, "type") != "hidden" && name != Honeypot {
			inputs = append(inputs, attributeValue(node, "id"))
		}
	}
	if len(inputs) != len(contactForm.Fields) {
		t.Errorf("%d inputs are shown for %d fields", len(inputs), len(contactForm.Fields))
	}
	for _, id := range inputs {
		if id == "" || !labels[id] || ids[id] != 1 {
			t.Errorf("the input %q has no label of its own", id)
		}
	}
}

func TestEveryLanguageHasEveryWord(t *testing.T) {
	t.Parallel()
	for _, s := range languages {
		for _, word := range []string{s.Send, s.Required, s.LeaveEmpty, s.Wrong, s.Missing, s.Email, s.URL, s.Number,
			s.Date} {
			if word == "" {
				t.Errorf("%s lacks a translation", s.tag)
			}
		}
		words := reflect.ValueOf(s.Password)
		for i := range words.NumField() {
			if words.Field(i).String() == "" {
				t.Errorf("%s lacks a translation about passwords", s.tag)
			}
		}
		for _, n := range []Notice{Thanks, Gone, NotFound, Withdrawn, Embargoed, Ended} {
			if s.Notices[n].Title == "" || s.Notices[n].Text == "" {
				t.Errorf("%s lacks the notice %s", s.tag, n)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	SetHeaders(w.Header())
	policy := w.Header().Get("Content-Security-Policy")
	if policy != Policy || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
	if w.Header().Get("Cache-Control") != "private, no-store" {
		t.Error("a page with a session id may be cached")
	}
}

func TestStatic(t *testing.T) {
	t.Parallel()
	for _, a := range []staticAsset{scriptAsset, styleAsset} {
		w := httptest.NewRecorder()
		Static().ServeHTTP(w, httptest.NewRequest(http.MethodGet, a.path, nil))
		if w.Code != 200 || w.Body.String() != string(a.body) ||
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %s", a.path, w.Code, w.Header())
		}
	}
	w := httptest.NewRecorder()
	Static().ServeHTTP(w, httptest.NewRequest(http.MethodGet, StaticPath+"beacon.js", nil))
	if w.Code != 404 {
		t.Errorf("a file without its hash returns status %d", w.Code)
	}
	if got := scriptAsset.path[strings.LastIndex(scriptAsset.path, "."):]; got != ".js" {
		t.Errorf("the path of the script is %s", scriptAsset.path)
	}
}

func BenchmarkRender(b *testing.B) {
	p := Page{Title: "Ask us", Body: strings.Repeat(pageBody, 20), Form: &contactForm, SessionID: "ses_1", Slug: "ask"}
	b.ReportAllocs()
	for b.Loop() {
		if err := Render(io.Discard, p); err != nil {
			b.Fatal(err)
		}
	}
}
