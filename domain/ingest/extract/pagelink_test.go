package extract_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

func readPage(t *testing.T, body string) *extract.Listing {
	t.Helper()
	page, err := extract.ReadPage(extract.Source{URL: "https://Example.com/news/index.html", Body: []byte(body),
		MediaType: "text/html; charset=utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestReadPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"relative addresses", `<a href="a">A</a><a href="/b">B</a><a href="../c?x=1&amp;y=2">C</a><a href="//other.example/d">D</a>`,
			"https://example.com/news/a A|https://example.com/b B|https://example.com/c?x=1&y=2 C|https://other.example/d D"},
		{"base", `<base href="/press/"><base href="/ignored/"><a href="a">A</a>`, "https://example.com/press/a A"},
		{"fragments and the page itself", `<a href="#top">Top</a><a href="">Here</a><a href="index.html#x">Here</a><a href="a#1">One</a><a href="a#2">Two words</a>`,
			"https://example.com/news/a Two words"},
		{"no pages", `<a href="mailto:a@b.example">M</a><a href="javascript:x()">J</a><a href="https://u:p@b.example/">U</a>
			<a href="ftp://b.example/x">F</a><a>N</a><a href="http://[">B</a>`, ""},
		{"headings", `<a href="a"><img alt="A picture of the new barrage in the evening light"></a><h2><a href="a">Barrage <b>op</b>ens</a></h2>
			<a href="a">Read more about this long story</a><a href="b"><time>2 May</time><h3>Second</h3><p>A long teaser.</p></a>`,
			"https://example.com/news/a Barrage opens|https://example.com/news/b Second"},
		{"words", "<a href=a> <span>2 May</span><span>Ferry\n runs</span><script>no()</script><svg><title>Icon</title></svg></a><a href=b></a><a href=c><img alt=Logo></a>",
			"https://example.com/news/a 2 May Ferry runs|https://example.com/news/b |https://example.com/news/c Logo"},
		{"open tags", `<a href="a">One<a href="b">Two`, "https://example.com/news/a One|https://example.com/news/b Two"},
		{"comments and scripts", `<!-- <a href="a">A</a> --><script>"<a href='b'>B</a>"</script><a href="c">C<noscript><b>D</b></noscript></a>`,
			"https://example.com/news/c C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := readPage(t, "<!doctype html><html><head><title> All\n news </title></head><body>"+c.body)
			var got []string
			for _, entry := range page.Entries {
				got = append(got, entry.URL+" "+entry.Title)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" || page.Title != "All news" {
				t.Error(page.Title, diff)
			}
		})
	}
}

// TestReadPage_hostile reads pages that are built to cost.
func TestReadPage_hostile(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	many.WriteString("<!doctype html><body>")
	for n := range 100_000 {
		fmt.Fprintf(&many, `<a href="/%d%s">x</a>`, n, strings.Repeat("/d", 50))
	}
	if page := readPage(t, many.String()); len(page.Entries) != 10_000 {
		t.Errorf("%d links are looked at", len(page.Entries))
	}
	page := readPage(t, "<!doctype html><body>"+strings.Repeat("<div><h1>", 100_000)+`<a href="/a">`+strings.Repeat("<b>word ", 100_000)+
		`</a><a href="/`+strings.Repeat("b", 5000)+`">B</a>`)
	if len(page.Entries) != 1 || len([]rune(page.Entries[0].Title)) != 300 {
		t.Errorf("%d links, %.400q", len(page.Entries), page.Entries)
	}
	for name, source := range map[string]extract.Source{
		"PDF":  {URL: "https://example.com/", Body: []byte("%PDF-1.7\n1 0 obj\n")},
		"JSON": {URL: "https://example.com/", Body: []byte(`{"a": "<a href='/b'>"}`), MediaType: "application/json"},
		"none": {URL: "https://example.com/"},
	} {
		_, err := extract.ReadPage(source)
		if failure, ok := errors.AsType[*extract.Failure](err); !ok || failure.Code != model.ProcessingErrorCodeUnsupportedContent {
			t.Errorf("%s: %v", name, err)
		}
	}
}
