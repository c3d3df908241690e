package extract

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// facts are what a page's machinery says about it.
type facts struct {
	challenge    bool // machinery that only challenge pages carry
	captcha      bool // a captcha of any use, comment forms included
	notFree      bool // the page declares that its text is not accessible for free
	article      bool // the page declares an article
	password     bool
	passwordForm *html.Node
	form         bool
	emptyRoot    bool // the element that an application is drawn into has no text
	scripts      int
	noscript     string
	buttons      []button
	links        []*html.Node // those that lead somewhere
}

type button struct {
	node  *html.Node
	label string
}

var (
	challengeMarks = regexp.MustCompile(`(?i)_cf_chl_opt|/cdn-cgi/challenge-platform/h/|cf-chl-|cf-challenge|challenge-form|captcha-delivery\.com|px-captcha|_pxCaptcha|_pxAppId|perimeterx|distil_r_captcha|_Incapsula_Resource|sec-if-cpt|sec-cpt-if|awswaf|aws-waf-token|gokuProps|geetest_captcha|kpsdk|ddos-guard|/sorry/index|captcha\.px|human-challenge`)
	captchaMarks   = regexp.MustCompile(`(?i)recaptcha|hcaptcha|turnstile|arkoselabs|funcaptcha|geetest|friendlycaptcha|frc-captcha|mtcaptcha|smartcaptcha|captcha`)
	rootNames      = regexp.MustCompile(`(?i)^(root|app|__next|__nuxt|___gatsby|react-root|app-root|application|main-app|mount|svelte|ember-app|vue-app|app-container|react-app|spa|q-app|elm|reactroot|appmount|app-mount|approot|main-root|content-root)$`)
	articleTypes   = regexp.MustCompile(`(?i)article|blogposting|newsarticle|report`)
)

// look gathers a page's facts in one walk.
func look(doc *html.Node) facts {
	f := facts{}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			f.element(n)
		}
	}
	f.buttons = slices.DeleteFunc(f.buttons, func(b button) bool { return outOfSight(b.node) })
	for _, object := range linkedData(doc) {
		f.declare(object)
	}
	return f
}

func outOfSight(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if hidden(n) {
			return true
		}
	}
	return false
}

func (f *facts) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script:
		f.script(n)
	case atom.Iframe:
		f.captcha = f.captcha || captchaMarks.MatchString(attr(n, "src"))
		f.challenge = f.challenge || challengeMarks.MatchString(attr(n, "src"))
	case atom.Noscript:
		f.noscript += " " + treeText(n)
	case atom.Input:
		f.captcha = f.captcha || captchaMarks.MatchString(attr(n, "name")+" "+attr(n, "id"))
		f.input(n)
	case atom.Img:
		f.captcha = f.captcha || captchaMarks.MatchString(attr(n, "src")+" "+attr(n, "id"))
	case atom.Button:
		f.buttons = append(f.buttons, button{n, tidyLines(treeText(n))})
	case atom.A:
		if attr(n, "href") != "" {
			f.links = append(f.links, n)
		}
		if label := tidyLines(treeText(n)); len(label) < 80 {
			f.buttons = append(f.buttons, button{n, label})
		}
	case atom.Form:
		f.form = true
		f.captcha = f.captcha || captchaMarks.MatchString(attr(n, "id")+" "+attr(n, "class")+" "+attr(n, "action"))
		f.challenge = f.challenge || challengeMarks.MatchString(attr(n, "id")+" "+attr(n, "class")+" "+attr(n, "action"))
	case atom.Meta:
		f.meta(n)
	default:
		f.box(n)
	}
}

func (f *facts) script(n *html.Node) {
	kind := strings.ToLower(attr(n, "type"))
	if strings.Contains(kind, "json") {
		return
	}
	f.scripts++
	source := attr(n, "src")
	if n.FirstChild != nil {
		source += n.FirstChild.Data[:min(len(n.FirstChild.Data), 20000)]
	}
	f.challenge = f.challenge || strongChallenge(source)
	f.captcha = f.captcha || captchaMarks.MatchString(source)
}

// strongChallenge leaves out the beacon that Cloudflare and others put on every page they serve.
func strongChallenge(source string) bool {
	return challengeMarks.MatchString(source) && !strings.Contains(source, "challenge-platform/scripts/jsd")
}

func (f *facts) input(n *html.Node) {
	switch strings.ToLower(attr(n, "type")) {
	case "password":
		f.password = true
		for p := n.Parent; p != nil; p = p.Parent {
			if p.DataAtom == atom.Form {
				f.passwordForm = p
			}
		}
	case "submit", "button":
		f.buttons = append(f.buttons, button{n, attr(n, "value")})
	}
}

func (f *facts) meta(n *html.Node) {
	name := strings.ToLower(attr(n, "name") + attr(n, "property"))
	value := strings.ToLower(attr(n, "content"))
	switch name {
	case "article:content_tier":
		f.notFree = f.notFree || value == "locked"
	case "og:type":
		f.article = f.article || value == "article"
	}
}

func (f *facts) box(n *html.Node) {
	id, class := attr(n, "id"), attr(n, "class")
	if n.DataAtom == atom.Div || n.DataAtom == atom.Main || n.DataAtom == atom.Section || n.DataAtom == 0 {
		if (rootNames.MatchString(id) || n.DataAtom == 0 && strings.HasSuffix(n.Data, "-root") || n.Data == "app-root") && len(keyOf(shownText(n))) < 40 {
			f.emptyRoot = true
		}
	}
	if n.DataAtom == atom.Article {
		f.article = true
	}
	if attr(n, "role") == "button" {
		f.buttons = append(f.buttons, button{n, tidyLines(treeText(n))})
	}
	f.captcha = f.captcha || captchaMarks.MatchString(id+" "+class)
	f.challenge = f.challenge || challengeMarks.MatchString(id+" "+class)
}

func shownText(n *html.Node) string {
	var out strings.Builder
	for _, b := range segment(n) {
		out.WriteString(b.text)
	}
	return out.String()
}

// declare reads what JSON-LD says; isAccessibleForFree is found as a truth value and as text in any case.
func (f *facts) declare(object map[string]any) {
	switch free := object["isAccessibleForFree"].(type) {
	case bool:
		f.notFree = f.notFree || !free
	case string:
		f.notFree = f.notFree || strings.HasSuffix(strings.ToLower(free), "false")
	}
	switch kind := object["@type"].(type) {
	case string:
		f.article = f.article || articleTypes.MatchString(kind)
	case []any:
		for _, k := range kind {
			s, _ := k.(string)
			f.article = f.article || articleTypes.MatchString(s)
		}
	}
}
