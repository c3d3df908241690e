package extract

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageFacts are properties of a page's markup and scripts.
type pageFacts struct {
	challenge    bool // scripts that only challenge pages contain
	captcha      bool // any captcha, including comment forms
	notFree      bool // the page declares that its text is not free
	article      bool // the page declares an article
	password     bool
	passwordForm *html.Node
	form         bool
	emptyRoot    bool // the root element of a client-side application has no text
	scripts      int
	noscript     string
	buttons      []pageButton
	links        []*html.Node // links to other addresses
}

type pageButton struct {
	node  *html.Node
	label string
}

var (
	challengeMarks = regexp.MustCompile(`(?i)_cf_chl_opt|/cdn-cgi/challenge-platform/h/|cf-chl-|cf-challenge|challenge-form|captcha-delivery\.com|px-captcha|_pxCaptcha|_pxAppId|perimeterx|distil_r_captcha|_Incapsula_Resource|sec-if-cpt|sec-cpt-if|awswaf|aws-waf-token|gokuProps|geetest_captcha|kpsdk|ddos-guard|/sorry/index|captcha\.px|human-challenge`)
	captchaMarks   = regexp.MustCompile(`(?i)recaptcha|hcaptcha|turnstile|arkoselabs|funcaptcha|geetest|friendlycaptcha|frc-captcha|mtcaptcha|smartcaptcha|captcha`)
	rootNames      = regexp.MustCompile(`(?i)^(root|app|__next|__nuxt|___gatsby|react-root|app-root|application|main-app|mount|svelte|ember-app|vue-app|app-container|react-app|spa|q-app|elm|reactroot|appmount|app-mount|approot|main-root|content-root)$`)
	articleTypes   = regexp.MustCompile(`(?i)article|blogposting|newsarticle|report`)
)

// collectFacts returns a page's facts in one walk. The objects are those of its JSON-LD.
func collectFacts(doc *html.Node, objects []map[string]any, nodes *nodeFacts) pageFacts {
	f := pageFacts{}
	var noscript strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			f.addElement(n)
		}
		if n.DataAtom == atom.Noscript {
			noscript.WriteString(" " + treeText(n))
		}
	}
	f.noscript = noscript.String()
	f.buttons = slices.DeleteFunc(f.buttons, func(b pageButton) bool { return nodes.insideHidden(b.node) })
	for _, object := range objects {
		f.addLinkedData(object)
	}
	return f
}

func (f *pageFacts) addElement(n *html.Node) {
	switch n.DataAtom {
	case atom.Script:
		f.addScript(n)
	case atom.Iframe:
		f.captcha = f.captcha || captchaMarks.MatchString(attributeValue(n, "src"))
		f.challenge = f.challenge || challengeMarks.MatchString(attributeValue(n, "src"))
	case atom.Noscript:
	case atom.Input:
		f.captcha = f.captcha || captchaMarks.MatchString(attributeValue(n, "name")+" "+attributeValue(n, "id"))
		f.addInput(n)
	case atom.Img:
		f.captcha = f.captcha || captchaMarks.MatchString(attributeValue(n, "src")+" "+attributeValue(n, "id"))
	case atom.Button:
		f.buttons = append(f.buttons, pageButton{n, tidyLines(treeText(n))})
	case atom.A:
		if attributeValue(n, "href") != "" {
			f.links = append(f.links, n)
		}
		if label := tidyLines(treeText(n)); len(label) < 80 {
			f.buttons = append(f.buttons, pageButton{n, label})
		}
	case atom.Form:
		f.form = true
		f.captcha = f.captcha || captchaMarks.MatchString(attributeValue(n, "id")+" "+attributeValue(n, "class")+" "+
			attributeValue(n, "action"))
		f.challenge = f.challenge || challengeMarks.MatchString(attributeValue(n, "id")+" "+attributeValue(n, "class")+
			" "+attributeValue(n, "action"))
	case atom.Meta:
		f.addMeta(n)
	default:
		f.addBox(n)
	}
}

func (f *pageFacts) addScript(n *html.Node) {
	kind := strings.ToLower(attributeValue(n, "type"))
	if strings.Contains(kind, "json") {
		return
	}
	f.scripts++
	source := attributeValue(n, "src")
	if n.FirstChild != nil {
		source += n.FirstChild.Data[:min(len(n.FirstChild.Data), 20000)]
	}
	f.challenge = f.challenge || strongChallenge(source)
	f.captcha = f.captcha || captchaMarks.MatchString(source)
}

// strongChallenge reports whether a script is of a challenge page. It ignores the beacon that
// Cloudflare and others add to every page.
func strongChallenge(source string) bool {
	return challengeMarks.MatchString(source) && !strings.Contains(source, "challenge-platform/scripts/jsd")
}

func (f *pageFacts) addInput(n *html.Node) {
	switch strings.ToLower(attributeValue(n, "type")) {
	case "password":
		f.password = true
		for p := n.Parent; p != nil; p = p.Parent {
			if p.DataAtom == atom.Form {
				f.passwordForm = p
			}
		}
	case "submit", "button":
		f.buttons = append(f.buttons, pageButton{n, attributeValue(n, "value")})
	}
}

func (f *pageFacts) addMeta(n *html.Node) {
	name := strings.ToLower(attributeValue(n, "name") + attributeValue(n, "property"))
	value := strings.ToLower(attributeValue(n, "content"))
	switch name {
	case "article:content_tier":
		f.notFree = f.notFree || value == "locked"
	case "og:type":
		f.article = f.article || value == "article"
	}
}

func (f *pageFacts) addBox(n *html.Node) {
	id, class := attributeValue(n, "id"), attributeValue(n, "class")
	if n.DataAtom == atom.Div || n.DataAtom == atom.Main || n.DataAtom == atom.Section || n.DataAtom == 0 {
		if (rootNames.MatchString(id) || n.DataAtom == 0 && strings.HasSuffix(n.Data, "-root") ||
			n.Data == "app-root") && !f.emptyRoot && !showsText(n) {
			f.emptyRoot = true
		}
	}
	if n.DataAtom == atom.Article {
		f.article = true
	}
	if attributeValue(n, "role") == "button" {
		f.buttons = append(f.buttons, pageButton{n, tidyLines(treeText(n))})
	}
	f.captcha = f.captcha || captchaMarks.MatchString(id+" "+class)
	f.challenge = f.challenge || challengeMarks.MatchString(id+" "+class)
}

// rootText is the bytes of keys below which an application's root element counts as empty.
const rootText = 40

// showsText reports whether an element shows more than a few words.
func showsText(n *html.Node) bool {
	size := 0
	for _, b := range segmentUntil(n, rootText) {
		size += len(b.key)
	}
	return size >= rootText
}

// addLinkedData reads facts from JSON-LD. isAccessibleForFree occurs as a boolean and as text in
// any case.
func (f *pageFacts) addLinkedData(object map[string]any) {
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
