// Package pattern provides regular expressions for texts that most often have no match: a text that has none of the literals of which each match
// has one is not matched at all.
package pattern

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Pattern is a regular expression, whose methods below search a text for its literals before they match it.
type Pattern struct {
	*regexp.Regexp

	literals []string // folded; each match contains one of them; nil if no such literals are known
}

// MustCompile returns the pattern of an expression in Go's syntax. It panics if the expression is invalid.
func MustCompile(expression string) *Pattern {
	p := &Pattern{Regexp: regexp.MustCompile(expression)}
	if tree, err := syntax.Parse(expression, syntax.Perl); err == nil {
		p.literals = withoutLonger(readLiterals(tree).required())
	}
	return p
}

// mayMatch reports whether a text has one of the literals.
func (p *Pattern) mayMatch(text string) bool {
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

// MatchString is that of regexp.
func (p *Pattern) MatchString(text string) bool {
	return p.mayMatch(text) && p.Regexp.MatchString(text)
}

// FindAllString is that of regexp.
func (p *Pattern) FindAllString(text string, n int) []string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.Regexp.FindAllString(text, n)
}

// FindAllStringSubmatch is that of regexp.
func (p *Pattern) FindAllStringSubmatch(text string, n int) [][]string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatch(text, n)
}
