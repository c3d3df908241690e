package quality

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"rostrum/model"
)

func load(t *testing.T) []Page {
	t.Helper()
	files, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestSet_labels(t *testing.T) {
	t.Parallel()
	for _, page := range load(t) {
		if page.Kind == "" || len(page.Label.Language) != 2 || len(page.Raw) == 0 {
			t.Errorf("%s: kind %q, language %q, %d bytes", page.Name, page.Kind, page.Label.Language, len(page.Raw))
		}
		if page.Split != SplitOf(page.Name) {
			t.Errorf("%s: split is %q, want SplitOf(name) = %q", page.Name, page.Split, SplitOf(page.Name))
		}
		if (page.Reason == "") != (page.Want != "") {
			t.Errorf("%s: reason %q with a body of %d bytes", page.Name, page.Reason, len(page.Want))
		}
		if strings.HasPrefix(page.Kind, "trap-") != (page.Reason != "") {
			t.Errorf("%s: kind %q with reason %q", page.Name, page.Kind, page.Reason)
		}
		if address, err := url.Parse(page.URL); err != nil || !strings.HasSuffix(address.Hostname(), ".example") {
			t.Errorf("%s: %q is not an address under .example", page.Name, page.URL)
		}
		if _, err := time.Parse(time.DateOnly, page.Published); page.Published != "" && err != nil {
			t.Errorf("%s: published %q is not a date", page.Name, page.Published)
		}
	}
}

func TestSet_covers(t *testing.T) {
	t.Parallel()
	pages := load(t)
	covered := map[string]int{}
	for _, page := range pages {
		covered["kind "+page.Kind]++
		covered["reason "+string(page.Reason)]++
		if page.Reason == "" {
			covered["language "+page.Label.Language]++
		}
		covered["charset "+page.Charset]++
		covered["split "+page.Split]++
	}
	for what, least := range map[string]int{
		"kind news": 8, "kind press-release": 4, "kind blog": 6, "kind docs": 2, "kind forum": 2, "kind qa": 2,
		"kind product": 2,
		"kind recipe":  2, "kind transcript": 1, "kind interview": 2, "kind notice": 2, "kind abstract": 2,
		"kind liveblog": 1,
		"kind longform": 1, "kind listicle": 2, "kind report": 2, "kind event": 2, "kind job": 2, "kind faq": 2,
		"kind wiki":       2,
		"kind newsletter": 2, "kind counter": 8,
		"charset windows-1251": 1, "charset shift_jis": 1, "charset gbk": 1, "charset iso-8859-1": 1,
		"reason ": 60, "split tune": 30, "split hold": 60,
	} {
		if covered[what] < least {
			t.Errorf("%s: %d pages, want at least %d", what, covered[what], least)
		}
	}
	for _, reason := range []model.ProcessingErrorCode{
		model.ProcessingErrorCodeCaptcha, model.ProcessingErrorCodeConsentWall, model.ProcessingErrorCodeLoginWall,
		model.ProcessingErrorCodePaywall, model.ProcessingErrorCodeEmptyAppShell, model.ProcessingErrorCodeNoText,
		model.ProcessingErrorCodeUnsupportedContent,
	} {
		if covered["reason "+string(reason)] < 5 {
			t.Errorf("reason %s: %d traps, want at least 5", reason, covered["reason "+string(reason)])
		}
	}
	for _, language := range strings.Fields("en de fr es it pt nl pl sv ru uk ar he ja zh ko hi tr th") {
		if covered["language "+language] == 0 {
			t.Errorf("no text page is in %s", language)
		}
	}
}

// TestSet_bodies checks that every labeled body consists of words that are visible on the page.
func TestSet_bodies(t *testing.T) {
	t.Parallel()
	for _, page := range load(t) {
		want := Tokens(page.Want)
		if shared := common(Tokens(visible(t, page)), want); shared < len(want) {
			t.Errorf("%s: %d of the body's %d tokens are not on the page", page.Name, len(want)-shared, len(want))
		}
	}
}

// TestSet_distinct checks that no two pages have the same text.
func TestSet_distinct(t *testing.T) {
	t.Parallel()
	pages := load(t)
	for i, page := range pages {
		for _, other := range pages[:i] {
			if bytes.Equal(page.Raw, other.Raw) || (page.Want != "" && page.Want == other.Want) {
				t.Errorf("%s repeats %s", page.Name, other.Name)
			}
		}
	}
}

func TestSet_charsets(t *testing.T) {
	t.Parallel()
	for _, page := range load(t) {
		binary := page.Reason == model.ProcessingErrorCodeUnsupportedContent
		if legacy := !utf8.Valid(page.Raw); legacy != (page.Charset != "") && !binary {
			t.Errorf("%s: charset %q, but its bytes are UTF-8: %v", page.Name, page.Charset, !legacy)
		}
	}
}

func TestLoad_refuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a broken label":     "-- label.json --\n{",
		"an unknown file":    "-- notes.txt --\nx\n",
		"an unknown charset": "-- label.json --\n{\"charset\": \"klingon\"}\n-- page.html --\nx\n",
		"a bad base64":       "-- page.b64 --\n!!\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Load(fstest.MapFS{"x.txtar": {Data: []byte(text)}}); err == nil ||
				!strings.Contains(err.Error(), "x.txtar") {
				t.Errorf("Load returned %v, want an error that names the file", err)
			}
		})
	}
}

func visible(t *testing.T, page Page) string {
	t.Helper()
	decoded, err := charset.NewReaderLabel(cmp.Or(page.Charset, "utf-8"), bytes.NewReader(page.Raw))
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(decoded)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	unseen := []string{"script", "style", "noscript", "template", "title"}
	for node := range root.Descendants() {
		if node.Type == html.TextNode && !slices.Contains(unseen, node.Parent.Data) {
			text.WriteString(node.Data)
		}
		if node.Type == html.ElementNode && !slices.Contains(inline, node.Data) {
			text.WriteByte(' ')
		}
	}
	return text.String()
}

// inline elements do not separate words.
var inline = []string{"a", "abbr", "b", "code", "em", "font", "i", "span", "strong", "sub", "sup", "u"}
