package visitor

import (
	_ "embed" // agents.ini
	"strings"

	"github.com/mileusna/useragent"
)

//go:embed agents.ini
var agentsFile string

var agents = mustParse(agentsFile)

// programSections are the sections of agents.ini that are searched before crawlers.tsv, in search
// order.
var programSections = []string{"unfurler", "scanner", "monitor", "headless", "client"}

// agentInfo is the classification of a user agent.
type agentInfo struct {
	why                 string // the kind of program; empty for a person
	device, browser, os string
}

// agentKey is the input of the classification: the headers User-Agent and Sec-CH-UA, truncated to
// maxHeader.
type agentKey struct{ agent, brands string }

// maxHeader is the number of bytes of a header that are used; user agents of in-app browsers have
// up to 600.
const maxHeader = 1024

// readAgent classifies a user agent as a person's browser or a program.
func readAgent(k agentKey) agentInfo {
	text := strings.ToLower(k.agent)
	if why := programKind(k); why != "" {
		return agentInfo{why: why}
	}
	parsed := useragent.Parse(k.agent)
	if parsed.Bot {
		return agentInfo{why: "bot"}
	}
	return agentInfo{
		device:  deviceOf(text, parsed),
		browser: cleanText(browserOf(text, strings.ToLower(k.brands), parsed), maxText),
		os:      cleanText(osOf(text, parsed), maxText),
	}
}

// programKind returns the kind of a program, or an empty string for a browser. Browsers and app
// windows start with Mozilla or Opera and a platform in parentheses; an agent without that and in
// no section is a program.
func programKind(k agentKey) string {
	text := strings.ToLower(k.agent)
	if strings.TrimSpace(text) == "" {
		return "no_agent"
	}
	if strings.Contains(strings.ToLower(k.brands), "headless") {
		return "headless"
	}
	rest := text
	for _, p := range agents["ignored"] {
		rest = strings.ReplaceAll(rest, p.text, "")
	}
	for _, kind := range programSections {
		if _, found := searchSection(kind, rest); found {
			return kind
		}
	}
	if kind := crawlerKind(k.agent); kind != "" {
		return kind
	}
	if _, found := searchSection("bot", rest); found {
		return "bot"
	}
	if looksLikeBrowser(text) {
		return ""
	}
	return "client"
}

func looksLikeBrowser(text string) bool {
	for _, start := range []string{"mozilla/", "opera/", "ucweb/", "lynx/", "w3m/", "links (", "elinks"} {
		if strings.HasPrefix(text, start) {
			return len(text) > len("mozilla/5.0 (x") || start != "mozilla/"
		}
	}
	return false
}

// deviceOf returns the kind of device. An Android agent without "mobile" is a tablet, as Google
// specifies.
func deviceOf(text string, parsed useragent.UserAgent) string {
	for _, kind := range []string{"tv", "console", "watch"} {
		if _, found := searchSection(kind, text); found {
			return kind
		}
	}
	_, tablet := searchSection("tablet", text)
	android := strings.Contains(text, "android")
	switch {
	case tablet, parsed.Tablet, android && !strings.Contains(text, "mobi") && !strings.Contains(text, "opera mini"):
		return "tablet"
	case parsed.Mobile, android, strings.Contains(text, "mobi"):
		return "mobile"
	case parsed.Desktop, parsed.OS != "", strings.Contains(text, "x11"):
		return "desktop"
	}
	return "other"
}

func browserOf(text, brands string, parsed useragent.UserAgent) string {
	for _, section := range []struct{ name, in string }{{"app", text}, {"browser", text}, {"brand", brands}} {
		if name, found := searchSection(section.name, section.in); found {
			return name
		}
	}
	if parsed.Version == "" {
		return windowOf(parsed)
	}
	return parsed.Name
}

// windowOf returns the browser of an agent for which the library found no product. On Apple's
// systems it is Safari's engine in an app.
func windowOf(parsed useragent.UserAgent) string {
	if parsed.OS == useragent.IOS || parsed.OS == useragent.MacOS {
		return useragent.Safari
	}
	return ""
}

func osOf(text string, parsed useragent.UserAgent) string {
	if name, found := searchSection("os", text); found {
		return name
	}
	return parsed.OS
}
