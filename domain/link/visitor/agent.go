package visitor

import (
	_ "embed" // agents.ini
	"strings"

	"github.com/mileusna/useragent"
)

//go:embed agents.ini
var agentsFile string

var agents = mustParse(agentsFile)

// programs are the sections of agents.ini whose agents no person sits at, in the order in which they are searched.
var programs = []string{"unfurler", "scanner", "monitor", "headless", "client", "bot"}

// agent is what a user agent says.
type agent struct {
	why                 string // the kind of program; empty for a person's
	device, browser, os string
}

// key is what an agent is told from: the headers User-Agent and Sec-CH-UA, cut to maxHeader.
type key struct{ agent, brands string }

// maxHeader bounds what is looked at and kept of a header, in bytes; in-app browsers send user agents of up to 600.
const maxHeader = 1024

// readAgent tells a person's browser from a program, and names it.
func readAgent(k key) agent {
	text := strings.ToLower(k.agent)
	if why := whyProgram(text, strings.ToLower(k.brands)); why != "" {
		return agent{why: why}
	}
	parsed := useragent.Parse(k.agent)
	if parsed.Bot {
		return agent{why: "bot"}
	}
	return agent{
		device:  deviceOf(text, parsed),
		browser: tidy(browserOf(text, strings.ToLower(k.brands), parsed), maxText),
		os:      tidy(osOf(text, parsed), maxText),
	}
}

// whyProgram is the kind of program that the agent is, and empty for a browser. Browsers have called themselves Mozilla or Opera
// with a platform in parentheses for thirty years, apps' windows too; what does neither and is in no section is a program.
func whyProgram(text, brands string) string {
	if strings.TrimSpace(text) == "" {
		return "no_agent"
	}
	if strings.Contains(brands, "headless") {
		return "headless"
	}
	rest := text
	for _, p := range agents["ignored"] {
		rest = strings.ReplaceAll(rest, p.text, "")
	}
	for _, kind := range programs {
		if _, found := search(kind, rest); found {
			return kind
		}
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

// deviceOf reads the kind of device. An Android that does not say "mobile" is a tablet, as its makers advise.
func deviceOf(text string, parsed useragent.UserAgent) string {
	for _, kind := range []string{"tv", "console", "watch"} {
		if _, found := search(kind, text); found {
			return kind
		}
	}
	_, tablet := search("tablet", text)
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
		if name, found := search(section.name, section.in); found {
			return name
		}
	}
	if parsed.Version == "" {
		return windowOf(parsed)
	}
	return parsed.Name
}

// windowOf names an agent in which the library found no product, only words of its platform: on Apple's systems it is Safari's
// engine in an app's window.
func windowOf(parsed useragent.UserAgent) string {
	if parsed.OS == useragent.IOS || parsed.OS == useragent.MacOS {
		return useragent.Safari
	}
	return ""
}

func osOf(text string, parsed useragent.UserAgent) string {
	if name, found := search("os", text); found {
		return name
	}
	return parsed.OS
}
