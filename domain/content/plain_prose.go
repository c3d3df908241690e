package content

import (
	"regexp"
	"strings"
)

var (
	linkMark     = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	emphasisMark = regexp.MustCompile(`(\*\*|__|~~)(\S(?:[^\n]*?\S)?)(\*\*|__|~~)`)
	listMark     = regexp.MustCompile(`^\s*(?:[-*+>]|\d{1,3}[.)])\s+`)
)

// plainProse removes Markdown headings, tables, code and marks, so that only prose is ranked.
func plainProse(source string) string {
	var out []string
	fenced := false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "```"):
			fenced = !fenced
			continue
		case fenced, strings.HasPrefix(bare, "|"), strings.HasPrefix(bare, "#"):
			out = append(out, "")
			continue
		case listMark.MatchString(line):
			out = append(out, "")
			for listMark.MatchString(line) {
				line = listMark.ReplaceAllString(line, "")
			}
		}
		out = append(out, emphasisMark.ReplaceAllString(linkMark.ReplaceAllString(line, "$1"), "$2"))
	}
	return strings.Join(out, "\n")
}
