package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// The limits of the literals of a pattern. Shorter literals occur in most texts, and more of them
// take longer to search for.
const (
	minLiteral  = 3 // bytes
	maxExact    = 64
	maxLiterals = 1000
	maxClass    = 4 // characters of a class that is expanded
)

// literals describes what an expression matches: all of its texts, or else literals of which each
// of its texts contains one.
type literals struct {
	exact []string // nil: not known
	any   []string // nil: not known
}

// required returns the literals of which each match contains one, or nil.
func (l literals) required() []string {
	found := l.any
	if l.exact != nil {
		found = l.exact
	}
	if len(found) > maxLiterals || slices.ContainsFunc(found,
		func(text string) bool { return len(text) < minLiteral }) {
		return nil
	}
	return found
}

// readLiterals returns the literals of an expression.
func readLiterals(tree *syntax.Regexp) literals {
	switch tree.Op {
	case syntax.OpLiteral:
		return literals{exact: []string{fold(string(tree.Rune))}}
	case syntax.OpCharClass:
		return literals{exact: readClass(tree.Rune)}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return literals{exact: []string{""}}
	case syntax.OpCapture:
		return readLiterals(tree.Sub[0])
	case syntax.OpQuest:
		if inner := readLiterals(tree.Sub[0]); inner.exact != nil && len(inner.exact) < maxExact {
			return literals{exact: distinct(append(slices.Clone(inner.exact), ""))}
		}
	case syntax.OpPlus:
		return literals{any: readLiterals(tree.Sub[0]).required()}
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return literals{any: readLiterals(tree.Sub[0]).required()}
		}
	case syntax.OpConcat:
		return readSequence(tree.Sub)
	case syntax.OpAlternate:
		return readAlternatives(tree.Sub)
	}
	return literals{}
}

// readClass returns the characters of a small class, whose ranges are pairs of the first and the
// last character.
func readClass(ranges []rune) (all []string) {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] >= maxClass || len(all) > 2*maxClass {
			return nil
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			all = append(all, fold(string(r)))
		}
	}
	return distinct(all)
}

// readSequence returns the literals of expressions that follow one another: the longest of those of
// its parts.
func readSequence(parts []*syntax.Regexp) literals {
	run, best, known := []string{""}, []string(nil), true
	for _, part := range parts {
		inner := readLiterals(part)
		if inner.exact != nil && len(run)*len(inner.exact) <= maxExact {
			run = join(run, inner.exact)
			continue
		}
		known = false
		best = better(better(best, literals{exact: run}.required()), inner.required())
		run = []string{""}
		if inner.exact != nil && len(inner.exact) <= maxExact {
			run = inner.exact
		}
	}
	if known {
		return literals{exact: run}
	}
	return literals{any: better(best, literals{exact: run}.required())}
}

// readAlternatives returns the literals of all alternatives, or none if an alternative has none.
func readAlternatives(parts []*syntax.Regexp) literals {
	var exact, required []string
	known := true
	for _, part := range parts {
		inner := readLiterals(part)
		known = known && inner.exact != nil
		exact = append(exact, inner.exact...)
		if found := inner.required(); found == nil {
			required = append(required, "") // makes them useless
		} else {
			required = append(required, found...)
		}
	}
	if exact = distinct(exact); known && len(exact) <= maxExact {
		return literals{exact: exact}
	}
	return literals{any: literals{any: distinct(required)}.required()}
}

// withoutLonger returns the texts that do not begin with another one, which is found wherever they
// are.
func withoutLonger(sorted []string) (kept []string) {
	for _, text := range sorted {
		if len(kept) == 0 || !strings.HasPrefix(text, kept[len(kept)-1]) {
			kept = append(kept, text)
		}
	}
	return kept
}

// join returns every text of the first list followed by every text of the second.
func join(first, second []string) []string {
	all := make([]string, 0, len(first)*len(second))
	for _, one := range first {
		for _, other := range second {
			all = append(all, one+other)
		}
	}
	return distinct(all)
}

// better returns the list whose shortest text is longer, or the shorter of two such lists.
func better(one, other []string) []string {
	shortest := func(list []string) int {
		return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
	}
	switch {
	case len(one) == 0:
		return other
	case len(other) == 0:
		return one
	case shortest(one) != shortest(other):
		if shortest(one) > shortest(other) {
			return one
		}
		return other
	case len(one) <= len(other):
		return one
	}
	return other
}

func distinct(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// fold returns a text with the first of the characters that are equal in another case, as (?i)
// compares them.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			if 'a' <= r && r <= 'z' {
				r -= 'a' - 'A'
			}
			return r
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, text)
}
