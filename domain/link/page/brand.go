package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/color"
)

// brandView is a brand as pages show it.
type brandView struct {
	Name, Logo, Newsroom, ImprintURL, PrivacyURL string
	Width, Height                                int    // of the logo
	Accent                                       string // the path of the stylesheet with the accent colour
	Imprint                                      template.HTML
	Words                                        brandTexts
}

// newBrandView returns the view of a brand, or nil if pages show nothing of it.
func newBrandView(b *model.Brand, texts brandTexts) *brandView {
	if b == nil || b.Name == nil && b.AccentColor == nil && b.Imprint == nil && b.ImprintURL == nil && b.PrivacyURL == nil {
		return nil
	}
	v := &brandView{Name: optional.ValueOr(b.Name, ""), ImprintURL: optional.ValueOr(b.ImprintURL, ""),
		PrivacyURL: optional.ValueOr(b.PrivacyURL, ""), Words: texts}
	if b.Logo != nil {
		v.Logo, v.Width, v.Height = b.Logo.Path(), b.Logo.Width, b.Logo.Height
	}
	if b.AccentColor != nil {
		v.Accent = accentAsset(*b.AccentColor).path
	}
	if b.NewsroomSlug != nil {
		v.Newsroom = model.NewsroomPath + *b.NewsroomSlug
	}
	if b.Imprint != nil {
		v.Imprint = template.HTML(storedImprint(*b.Imprint)) //nolint:gosec // Imprint leaves nothing that runs
	}
	return v
}

// HasFooter reports whether the brand has something below the page.
func (v *brandView) HasFooter() bool {
	return v.Name != "" || v.Imprint != "" || v.ImprintURL != "" || v.PrivacyURL != ""
}

// accentPrefix is the beginning of the paths of stylesheets with an accent colour. The colour and a
// hash of the content follow.
const accentPrefix = StaticPath + "accent_"

// darkBackground is the background of pages in the dark scheme, as page.css has it, and onAccent the
// text on the accent colour there.
var darkBackground = color.RGB{R: 0x15, G: 0x17, B: 0x1a}

const onAccent = "#10131a"

// accentAsset returns the stylesheet with an accent colour. It needs no row, because the colour is in
// its path.
func accentAsset(accent string) staticAsset {
	parsed, _ := color.Parse(accent)
	body := fmt.Sprintf(":root { --accent: %s; --on-accent: #ffffff; }\n@media (prefers-color-scheme: dark) {\n  :root { --accent: %s; --on-accent: %s; }\n}\n",
		parsed, parsed.ReadableOn(darkBackground), onAccent)
	sum := sha256.Sum256([]byte(body))
	return staticAsset{path: accentPrefix + parsed.String()[1:] + "-" + hex.EncodeToString(sum[:8]) + ".css",
		body: []byte(body)}
}

// accentAt returns the stylesheet of a path, and reports whether there is one.
func accentAt(path string) (staticAsset, bool) {
	name, ok := strings.CutPrefix(path, accentPrefix)
	if !ok || len(name) < 6 {
		return staticAsset{}, false
	}
	found := accentAsset("#" + name[:6])
	return found, found.path == path
}

// imprintMarkdown reads the part of Markdown that an imprint may have. HTML, indented lines and rows of
// dashes are text.
var imprintMarkdown = goldmark.New(goldmark.WithExtensions(extension.Linkify),
	goldmark.WithRendererOptions(html.WithHardWraps()),
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400), util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300), util.Prioritized(parser.NewEmphasisParser(), 500)))))

var (
	deepIndent   = regexp.MustCompile(`(?m)^( *\t| {4})[ \t]*`) // which no block of an imprint may have
	headingStart = regexp.MustCompile(`<h[1-6]>`)
	headingEnd   = regexp.MustCompile(`</h[1-6]>`)

	imprintPolicy = newImprintPolicy()
)

func newImprintPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // also adds rel=noopener
	p.AllowElements("p", "br", "strong", "em", "ul", "ol", "li")
	p.AllowAttrs("href").OnElements("a")
	return p
}

// Imprint returns the HTML of an imprint in Markdown: paragraphs, emphasis, lists and links. Each line
// of plain text is a line. A heading becomes a paragraph in bold, so that the headings of the page stay
// in order. A picture is left out, and HTML is shown as it is typed.
func Imprint(source string) string {
	var out bytes.Buffer
	source = deepIndent.ReplaceAllString(strings.ToValidUTF8(source, "\uFFFD"), "   ")
	if err := imprintMarkdown.Convert([]byte(source), &out); err != nil {
		return template.HTMLEscapeString(source)
	}
	body := headingEnd.ReplaceAllString(headingStart.ReplaceAllString(out.String(), "<p><strong>"), "</strong></p>")
	return balanceTags(imprintPolicy.Sanitize(body))
}

// storedImprint is Imprint for a text that is shown again and again.
func storedImprint(source string) string {
	key := sha256.Sum256([]byte("imprint\x00" + source))
	if body, ok := cleanBodies.Get(key); ok {
		return body
	}
	body := Imprint(source)
	cleanBodies.Add(key, body, len(body))
	return body
}
