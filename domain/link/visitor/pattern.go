package visitor

import (
	"fmt"
	"strings"
)

// pattern is one line of agents.ini.
type pattern struct {
	text       string // in lower case
	name       string // what to call the agent by; empty in sections of programs and devices
	start      bool   // only at the beginning of the user agent
	wordBefore bool   // only where a word begins
	wordAfter  bool   // only where a word ends
}

// mustParse reads the sections of agents.ini. The file is a part of the program, so a line that cannot be read stops the start.
func mustParse(file string) map[string][]pattern {
	sections, section := map[string][]pattern{}, ""
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

func parsePattern(line string) pattern {
	text, name, _ := strings.Cut(line, " = ")
	var p pattern
	p.name = name
	text, p.start = strings.CutPrefix(text, "^")
	text, p.wordBefore = strings.CutPrefix(text, "|")
	text, p.wordAfter = strings.CutSuffix(text, "|")
	if p.text = strings.ToLower(strings.TrimSpace(text)); p.text == "" {
		panic(fmt.Sprintf("agents.ini: %q looks for nothing", line))
	}
	return p
}

// search gives the name beside the first pattern of the section that is in the text, which is in lower case.
func search(section, text string) (name string, found bool) {
	for _, p := range agents[section] {
		if p.in(text) {
			return p.name, true
		}
	}
	return "", false
}

func (p pattern) in(text string) bool {
	if p.start {
		return strings.HasPrefix(text, p.text) && p.bounded(text, 0)
	}
	for from := 0; ; {
		at := strings.Index(text[from:], p.text)
		if at < 0 {
			return false
		}
		if p.bounded(text, from+at) {
			return true
		}
		from += at + 1
	}
}

// bounded reports whether words end where the pattern asks for it, when it stands at this place.
func (p pattern) bounded(text string, at int) bool {
	end := at + len(p.text)
	return !(p.wordBefore && at > 0 && isWord(text[at-1])) && !(p.wordAfter && end < len(text) && isWord(text[end]))
}

func isWord(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
