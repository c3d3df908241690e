package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestCleanKeeps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"text":     {"a & b < c", "a &amp; b &lt; c"},
		"headings": {`<h2 id="why">Why</h2><p>So.</p>`, `<h2 id="why">Why</h2><p>So.</p>`},
		"lists":    {"<ul><li>a</li><li><b>b</b></li></ul>", "<ul><li>a</li><li><b>b</b></li></ul>"},
		"tables": {"<table><tbody><tr><td colspan=\"2\">a</td></tr></tbody></table>",
			"<table><tbody><tr><td colspan=\"2\">a</td></tr></tbody></table>"},
		"links": {`<a href="https://example.org/a?b=1&c=2">a</a>`,
			`<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener" target="_blank">a</a>`},
		"mail": {`<a href="mailto:a@example.org">a</a>`,
			`<a href="mailto:a@example.org" rel="nofollow">a</a>`},
		"calls_to_action": {`<a data-cta="Buy" href="https://example.org">Buy</a>`,
			`<a data-cta="Buy" href="https://example.org" rel="nofollow noopener" target="_blank">Buy</a>`},
		"buttons": {`<button type="button" data-cta="Call">Call</button>`,
			`<button type="button" data-cta="Call">Call</button>`},
		"pictures": {`<img src="https://example.org/a.png" alt="A" width="10">`,
			`<img src="https://example.org/a.png" alt="A" width="10">`},
		"languages":          {`<p lang="pt-BR" dir="rtl">a</p>`, `<p lang="pt-BR" dir="rtl">a</p>`},
		"invalid utf8":       {"a\xffb", "a\uFFFDb"},
		"open elements":      {"<div><b>a", "<div><b>a</b></div>"},
		"closing tags only":  {"a</b></div>c", "ac"},
		"crossed":            {"<b><i>a</b>c</i>", "<b><i>a</i></b>c"},
		"lists_without_ends": {"<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"},
		"nothing":            {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("it is\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// xssAttacks try to run a script, to load a resource, or to move out of the body of a page.
var xssAttacks = []string{
	`<script>alert(1)</script>`, `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`, `<script`, `<<script>alert(1)//<</script>`,
	`<img src=x onerror=alert(1)>`, `<img src="https://a.example/" onload="alert(1)">`, `<p onclick=alert(1)>a</p>`,
	`<a href="https://a.example" onmouseover="alert(1)">a</a>`, `<body onload=alert(1)>`,
	"<img\x00 src=x onerror=alert(1)>", "<img/src=x/onerror=alert(1)>", "<img src=x\nonerror\n=\nalert(1)>",
	`<p x="` + "`" + `" onclick=alert(1)>`, `<details open ontoggle=alert(1)>`,
	`<a href="javascript:alert(1)">a</a>`, `<a href="JaVaScRiPt:alert(1)">a</a>`,
	"<a href=\"java\nscript:alert(1)\">a</a>", "<a href=\" \x01javascript:alert(1)\">a</a>",
	`<a href="&#106;avascript&colon;alert(1)">a</a>`,
	`<a href="javascript&#x3a;alert(1)">a</a>`, `<a href="data:text/html,<script>alert(1)</script>">a</a>`,
	`<a href="vbscript:x">a</a>`, `<a href="blob:https://a/b">a</a>`, `<a href="file:///etc/passwd">a</a>`,
	`<img src="javascript:alert(1)">`, `<img src="data:image/svg+xml;base64,PHN2Zz4=">`,
	`<img src="http://a.example/a.png">`, `<img src="//a.example/a.png">`, `<img src="/l/x">`, `<img src="https://">`,
	`<img src="https:a.example/x">`, `<img srcset="http://a.example/a.png 2x">`,
	`<svg onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>a</text></a></svg>`,
	`<svg><animate onbegin=alert(1) attributeName=x>`, `<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>`,
	`<math href="javascript:alert(1)">a</math>`, `<math><mi//xlink:href="data:x,<script>alert(4)</script>">`,
	`<p style="width:expression(alert(1))">a</p>`, `<p style="background:url(javascript:alert(1))">a</p>`,
	`<p style="position:fixed;inset:0;z-index:9">a</p>`, `<style>@import 'http://a.example/a.css';</style>`,
	`<style>main{display:none}</style>`, `<link rel=stylesheet href=//a.example/a.css>`,
	`<iframe src="https://a.example"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>">`, `<object data="a.swf">`,
	`<embed src="a.swf">`, `<applet code=a>`, `<frameset><frame src=a>`, `<portal src=a>`,
	`<form action="https://a.example"><input name=password><button>a</button></form>`,
	`<button formaction="javascript:alert(1)">a</button>`, `<button form="f" data-cta>a</button>`,
	`<input autofocus onfocus=alert(1)>`, `<select autofocus onfocus=alert(1)>`,
	`<textarea></textarea><script>alert(1)</script>`,
	`<meta http-equiv=refresh content="0;url=javascript:alert(1)">`, `<base href="https://a.example/">`,
	`<template><script>alert(1)</script></template>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<title><img src=x onerror=alert(1)></title>`,
	`<xmp><img src=x onerror=alert(1)></xmp>`, `<plaintext><script>alert(1)</script>`,
	`<!--><img src=x onerror=alert(1)>-->`, `<!--[if gte IE 4]><script>alert(1)</script><![endif]-->`,
	`<![CDATA[<script>alert(1)</script>]]>`, `<?xml-stylesheet href="javascript:alert(1)"?>`,
	`</div></main></body></html><script>alert(1)</script>`, `</div></div></div><h1>outside</h1>`, `<div><div><b><p>`,
	`<a name="rostrum">a</a>`, `<img name=getElementById>`, `<p class="extra">hidden</p>`, `<p data-x=1>a</p>`,
	`<video src=x onerror=alert(1)><source onerror=alert(1)>`, `<audio src=x>`, `<marquee onstart=alert(1)>`,
	`<isindex action=javascript:alert(1)>`, `<table background="javascript:alert(1)"><tr><td>a</table>`,
	`<a href="https://a.example" target="_self" rel="opener">a</a>`,
	`<a href="https://a.example" ping="https://b.example">a</a>`,
}

func TestCleanRefuses(t *testing.T) {
	t.Parallel()
	for _, attack := range xssAttacks {
		if problem := findUnsafe(Clean(attack)); problem != "" {
			t.Errorf("%s is cleaned to %s: %s", attack, Clean(attack), problem)
		}
	}
}

// TestCleanTwice checks that cleaned HTML does not change when it is cleaned again.
func TestCleanTwice(t *testing.T) {
	t.Parallel()
	for _, source := range append([]string{pageBody}, xssAttacks...) {
		if once := Clean(source); Clean(once) != once {
			t.Errorf("%s becomes %s and then %s", source, once, Clean(once))
		}
	}
}

// TestCleanDoesNotGrow cleans input that makes a parser duplicate elements, and input nested deeper than browsers allow.
func TestCleanDoesNotGrow(t *testing.T) {
	t.Parallel()
	marks := strings.Builder{}
	for i := range 300 {
		fmt.Fprintf(&marks, "<b title=%d>", i)
	}
	for name, source := range map[string]string{
		"repeated_marks": "<p>" + marks.String() + "</p>" + strings.Repeat("<p>x</p>", 1000),
		"deep":           strings.Repeat("<div>", 100_000),
		"ends":           strings.Repeat("</b><b>", 100_000),
	} {
		clean := Clean(source)
		if len(clean) > 3*len(source) {
			t.Errorf("%s: %d bytes become %d", name, len(source), len(clean))
		}
		if problem := findUnsafe(clean); problem != "" {
			t.Errorf("%s keeps %s", name, problem)
		}
	}
}

// The elements and attributes that the body of a page may have, listed a second time on purpose.
var (
	allowedElements = strings.Fields(`article section header footer figure figcaption div span p br hr pre code kbd samp var b strong i em u s small sub
		sup mark abbr cite dfn ins del wbr ul ol li dl dt dd details summary address button h1 h2 h3 h4 h5 h6 a img blockquote q time table caption
		colgroup col thead tbody tfoot tr th td`)
	allowedAttributes = strings.Fields(`dir lang title id href data-cta type src alt width height cite datetime open rel target colspan rowspan scope
		headers abbr align valign nowrap summary span char charoff value`)
	allowedSchemes = []string{"http:", "https:", "mailto:", "tel:"}
)

// findUnsafe parses a body as a browser does, and returns its first element or attribute that is not allowed.
func findUnsafe(clean string) string {
	root, err := html.Parse(strings.NewReader(`<!doctype html><main><div id="place">` + clean + `</div></main>`))
	if err != nil {
		return err.Error()
	}
	for node := range root.Descendants() {
		switch {
		case node.Type == html.CommentNode:
			return "a comment"
		case node.Type != html.ElementNode || slices.Contains([]string{"html", "head", "body", "main"}, node.Data) ||
			attributeValue(node, "id") == "place":
			continue
		case node.Namespace != "" || !slices.Contains(allowedElements, node.Data):
			return "the element " + node.Data
		case !isInPlace(node):
			return "the element " + node.Data + " outside of its place"
		}
		for _, a := range node.Attr {
			if problem := badAttribute(node, a); problem != "" {
				return problem
			}
		}
	}
	return ""
}

func isInPlace(node *html.Node) bool {
	for parent := range node.Ancestors() {
		if attributeValue(parent, "id") == "place" {
			return true
		}
	}
	return false
}

func badAttribute(node *html.Node, a html.Attribute) string {
	value := strings.ToLower(a.Val)
	switch {
	case !slices.Contains(allowedAttributes, a.Key):
		return "the attribute " + a.Key
	case a.Key == "src" && !strings.HasPrefix(value, "https://"):
		return "the picture " + a.Val
	case (a.Key == "href" || a.Key == "cite") && strings.Contains(schemePart(value), ":") &&
		!slices.ContainsFunc(allowedSchemes, func(s string) bool { return strings.HasPrefix(value, s) }):
		return "the address " + a.Val
	case a.Key == "target" && !strings.Contains(attributeValue(node, "rel"), "noopener"):
		return "a window that can reach back"
	}
	return ""
}

// schemePart returns the part of an address in which a colon ends a scheme.
func schemePart(address string) string {
	if end := strings.IndexAny(address, "/?#"); end >= 0 {
		return address[:end]
	}
	return address
}

func FuzzClean(f *testing.F) {
	for _, attack := range xssAttacks {
		f.Add(attack)
	}
	f.Add(pageBody)
	f.Fuzz(func(t *testing.T, source string) {
		if problem := findUnsafe(Clean(source)); problem != "" {
			t.Errorf("%q is cleaned to %q: %s", source, Clean(source), problem)
		}
	})
}
