package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pageText returns the text of a page's body without the paragraph that makes it an article.
func pageText(t *testing.T, body string) string {
	t.Helper()
	const rest = "<p>The engineers watched the cables of the machine for a whole night, and in the morning they found that nothing had moved at all in the sound.</p>"
	got := extractText(t, New(Config{}), htmlPage("<title>Turbines</title>", "<article><h1>Turbines</h1>"+rest+body+rest+"</article>"))
	paragraphs := strings.Split(got.Content, "\n\n")
	if len(paragraphs) < 3 {
		t.Fatalf("the page is %q", got.Content)
	}
	return strings.Join(paragraphs[1:len(paragraphs)-1], "\n\n")
}

// TestText_meaning_of_markup checks markup that changes what the letters mean.
func TestText_meaning_of_markup(t *testing.T) {
	t.Parallel()
	const start = "According to the report of the harbour office that came out in March, "
	for html, want := range map[string]string{
		"the fare is <del>£12</del> <ins>£15</ins> and <s>was £10</s> rises.":                                   "the fare is £15 and rises.",
		"the fare is <strike>£12</strike> £15.":                                                                 "the fare is £15.",
		`the fare is <span style="text-decoration: line-through">£12</span> £15.`:                               "the fare is £15.",
		"the tank holds 10<sup>6</sup> litres.":                                                                 "the tank holds 10⁶ litres.",
		"it is 10<sup>-6</sup> of 5 km<sup>2</sup>.":                                                            "it is 10⁻⁶ of 5 km².",
		"it costs 4<sup>1</sup>/<sub>2</sub> percent.":                                                          "it costs 4 1/2 percent.",
		"it costs 4<sup>1</sup>&frasl;<sub>2</sub> percent.":                                                    "it costs 4 1/2 percent.",
		"it saves 12 t of CO<sub>2</sub>.<sup>3</sup>":                                                          "it saves 12 t of CO2.[3]",
		`revenue rose<sup><a href="#fn1">1</a></sup> again.`:                                                    "revenue rose[1] again.",
		`revenue rose<a href="#fn1"><sup>1</sup></a> again.`:                                                    "revenue rose[1] again.",
		`revenue rose<sup><a href="#cite-1">[1]</a></sup> again.`:                                               "revenue rose[1] again.",
		"it is the 1<sup>st</sup> of 5.":                                                                        "it is the 1st of 5.",
		"it is <math><mi>v</mi><mo>=</mo><mfrac><mi>s</mi><mi>t</mi></mfrac></math>.":                           "it is v=s/t.",
		"it is <math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math> now.":          "it is (a+1)/2 now.",
		"it is <math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub></math>.":      "it is x²+y_i.",
		"it is <math><semantics><msqrt><mn>2</mn></msqrt><annotation>\\sqrt 2</annotation></semantics></math>.": "it is √2.",
	} {
		if got := pageText(t, "<p>"+start+html+"</p>"); got != start+want {
			t.Errorf("%s\n is %s", html, got)
		}
	}
}

// TestText_lists_and_tables compares whole lists and tables.
func TestText_lists_and_tables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ html, want string }{
		"numbers":   {"<ol><li>Close the valve</li><li>Call the engineer</li></ol>", "1. Close the valve\n2. Call the engineer"},
		"start":     {"<ol start=3><li>Open the hatch</li><li value=7>Go</li><li>Rest</li></ol>", "3. Open the hatch\n7. Go\n8. Rest"},
		"reversed":  {"<ol reversed><li>Open the hatch</li><li>Close it</li></ol>", "2. Open the hatch\n1. Close it"},
		"letters":   {"<ol type=a><li>Open the hatch</li><li>Close it</li></ol>", "a. Open the hatch\nb. Close it"},
		"Roman":     {"<ol type=I start=4><li>Open the hatch</li><li>Close it</li></ol>", "IV. Open the hatch\nV. Close it"},
		"nested":    {"<ol><li>Open the hatch<ul><li>wear gloves<ul><li>of rubber</li></ul></li></ul></li><li>Close it</li></ol>", "1. Open the hatch\n   - wear gloves\n     - of rubber\n2. Close it"},
		"lines":     {"<ol><li>Open the hatch<br>with care</li><li><p>Close it</p><p>at once</p></li></ol>", "1. Open the hatch\n   with care\n2. Close it\n   at once"},
		"bullets":   {"<ul><li>Open the hatch</li><li>Close it</li></ul>", "- Open the hatch\n- Close it"},
		"two lists": {"<ol><li>Open the hatch</li></ol><p>Wait.</p><ol><li>Close it</li></ol>", "1. Open the hatch\n\nWait.\n\n1. Close it"},
		"rows": {"<table><tr><th>Ticket</th><th>Zone</th><th>Fare</th></tr><tr><td rowspan=2>Adult</td><td>1</td><td>14</td></tr><tr><td>2</td><td>16</td></tr><tr><td>Child</td><td>1</td><td>7</td></tr></table>",
			"Ticket | Zone | Fare\nAdult | 1 | 14\nAdult | 2 | 16\nChild | 1 | 7"},
		"rows at the end": {"<table><tr><th>Zone</th><th>Fare</th></tr><tr><td>1</td><td rowspan=3>14</td></tr><tr><td>2</td></tr><tr><td>3</td></tr><tr><td>4</td><td>16</td></tr></table>",
			"Zone | Fare\n1 | 14\n2 | 14\n3 | 14\n4 | 16"},
		"columns": {"<table><tr><th>Zone</th><th colspan=2>2025</th><th>2026</th></tr><tr><td>1</td><td>14</td><td>15</td><td>16</td></tr></table>",
			"Zone | 2025 |  | 2026\n1 | 14 | 15 | 16"},
		"both": {"<table><tr><td rowspan=2 colspan=2>Adult</td><td>14</td></tr><tr><td>16</td></tr></table>", "Adult |  | 14\nAdult |  | 16"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, pageText(t, c.html)); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// TestText_spans_are_bounded reads a table whose every row begins a cell for all rows below.
func TestText_spans_are_bounded(t *testing.T) {
	t.Parallel()
	const rows = 3000
	got := pageText(t, "<table>"+strings.Repeat("<tr><td rowspan=65534>a long cell</td><td>b</td></tr>", rows)+"</table>")
	if len(got) > 2*maxRepeated {
		t.Errorf("%d rows become %d bytes", rows, len(got))
	}
}

// TestText_struck_out checks that text which a page strikes out is not extracted.
func TestText_struck_out(t *testing.T) {
	t.Parallel()
	const page = `<html><body><article><h1>Results</h1><p>The loss was <del>£0.9 million</del> <s>£1.0 million</s> £1.4 million in the last year, said the firm in its report to the shareholders.</p><p><strike>The depot stays open.</strike> The depot closes in June, and the crews move to the new site by the river.</p></article></body></html>`
	got, err := extractWebpage(Source{Body: []byte(page), URL: "https://example.com/", MediaType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]bool{"£1.4 million": true, "closes in June": true, "0.9": false, "1.0": false,
		"stays open": false} {
		if strings.Contains(got.Content, words) != want {
			t.Errorf("%q: %t in %q", words, !want, got.Content)
		}
	}
}
