package pattern

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used, and which searches a text
// for its literals before it is matched. It is safe for concurrent use.
type Pattern struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
	literals   []string // folded; each match contains one of them; nil if no such literals are known
}

// New returns the pattern of an expression in Go's syntax. The first use of an invalid expression
// panics.
func New(expression string) *Pattern { return &Pattern{expression: expression} }

func (p *Pattern) compile() {
	p.compiled = regexp.MustCompile(p.expression)
	if tree, err := syntax.Parse(p.expression, syntax.Perl); err == nil {
		p.literals = withoutLonger(readLiterals(tree).required())
	}
}

// mayMatch reports whether a text has one of the literals.
func (p *Pattern) mayMatch(text string) bool {
	p.once.Do(p.compile)
	if p.literals == nil {
		return true
	}
	folded := fold(text)
	for _, literal := range p.literals {
		if strings.Contains(folded, literal) {
			return true
		}
	}
	return false
}

// MatchString reports whether the text has a match.
func (p *Pattern) MatchString(text string) bool {
	return p.mayMatch(text) && p.compiled.MatchString(text)
}

// FindAllString returns the first n matches, or all if n is negative; nil if there is none.
func (p *Pattern) FindAllString(text string, n int) []string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled.FindAllString(text, n)
}

// FindAllStringSubmatch returns the first n matches with their groups, or all if n is negative; nil
// if there is none.
func (p *Pattern) FindAllStringSubmatch(text string, n int) [][]string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled.FindAllStringSubmatch(text, n)
}
