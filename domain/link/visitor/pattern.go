package visitor

import (
	"fmt"
	"strings"
)

// agentPattern is a line of agents.ini.
type agentPattern struct {
	text       string // in lower case
	name       string // the agent's name; empty in sections of programs and devices
	start      bool   // only at the start of the user agent
	wordBefore bool   // only at the start of a word
	wordAfter  bool   // only at the end of a word
}

// mustParse parses the sections of agents.ini. It panics on an invalid line, as the file is
// embedded.
func mustParse(file string) map[string][]agentPattern {
	sections, section := map[string][]agentPattern{}, ""
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
		default:
			sections[section] = append(sections[section], parsePattern(line))
		}
	}
	return sections
}

func parsePattern(line string) agentPattern {
	text, name, _ := strings.Cut(line, " = ")
	var p agentPattern
	p.name = name
	text, p.start = strings.CutPrefix(text, "^")
	text, p.wordBefore = strings.CutPrefix(text, "|")
	text, p.wordAfter = strings.CutSuffix(text, "|")
	if p.text = strings.ToLower(strings.TrimSpace(text)); p.text == "" {
		panic(fmt.Sprintf("agents.ini: %q has an empty pattern", line))
	}
	return p
}

// searchSection returns the name of the first pattern of the section that matches the text, which
// is in lower case.
func searchSection(section, text string) (name string, found bool) {
	for _, p := range agents[section] {
		if p.matches(text) {
			return p.name, true
		}
	}
	return "", false
}

func (p agentPattern) matches(text string) bool {
	if p.start {
		return strings.HasPrefix(text, p.text) && p.hasBoundaries(text, 0)
	}
	for from := 0; ; {
		at := strings.Index(text[from:], p.text)
		if at < 0 {
			return false
		}
		if p.hasBoundaries(text, from+at) {
			return true
		}
		from += at + 1
	}
}

// hasBoundaries reports whether a match at this position has the word boundaries that the pattern
// requires.
func (p agentPattern) hasBoundaries(text string, at int) bool {
	end := at + len(p.text)
	return !(p.wordBefore && at > 0 && isWord(text[at-1])) && !(p.wordAfter && end < len(text) && isWord(text[end]))
}

func isWord(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
