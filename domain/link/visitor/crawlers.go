package visitor

import (
	_ "embed" // crawlers.tsv
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

//go:embed crawlers.tsv
var crawlersFile string

// crawlerPattern is a line of crawlers.tsv. Most are literals, which are much faster to search than
// regular expressions.
type crawlerPattern struct {
	kind    string
	literal string
	regexp  *regexp.Regexp // nil for a literal
}

// crawlerPatterns parses crawlers.tsv when the first user agent is classified.
var crawlerPatterns = sync.OnceValue(func() []crawlerPattern { return mustParseCrawlers(crawlersFile) })

// crawlerKind returns the kind of a crawler, or an empty string if no pattern matches the user
// agent.
func crawlerKind(userAgent string) string {
	for _, p := range crawlerPatterns() {
		if p.matches(userAgent) {
			return p.kind
		}
	}
	return ""
}

func (p crawlerPattern) matches(userAgent string) bool {
	if p.regexp == nil {
		return strings.Contains(userAgent, p.literal)
	}
	return p.regexp.MatchString(userAgent)
}

// mustParseCrawlers parses the patterns without those that agents.ini excludes. It panics on an
// invalid line, as the file is embedded.
func mustParseCrawlers(file string) []crawlerPattern {
	excluded := func(text string) bool {
		return slices.ContainsFunc(agents["not crawlers"],
			func(p agentPattern) bool { return p.text == strings.ToLower(text) })
	}
	var patterns []crawlerPattern
	for line := range strings.Lines(file) {
		kind, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#") || excluded(text):
			continue
		case !ok:
			panic(fmt.Sprintf("crawlers.tsv: line %q has no kind", line))
		}
		patterns = append(patterns, newCrawlerPattern(kind, text))
	}
	return patterns
}

func newCrawlerPattern(kind, text string) crawlerPattern {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		panic(fmt.Sprintf("crawlers.tsv: %v", err))
	}
	if parsed.Op == syntax.OpLiteral && parsed.Flags&syntax.FoldCase == 0 {
		return crawlerPattern{kind: kind, literal: string(parsed.Rune)}
	}
	return crawlerPattern{kind: kind, regexp: regexp.MustCompile(text)}
}
