package house

import (
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxProgram is the greatest number of instructions of a rule's expressions: each character of a
// text may take as many steps.
const maxProgram = 5000

// wordCharacters are the characters of words, as the inner part of a class.
const wordCharacters = `\pL\pM\pN_`

// pattern finds expressions in a text. The first group of its matches is the expression.
type pattern struct {
	first *regexp.Regexp
	// next finds matches behind another one; nil if the expression may stand within words
	next *regexp.Regexp
	// literals are the expressions, if each is a mere text; a text without any of them has no match,
	// which is faster to see
	literals   []string
	ignoreCase bool
}

// mayMatch reports whether a text may have a match.
func (s *search) mayMatch(p *pattern, words string) bool {
	if p.literals == nil {
		return true
	}
	if p.ignoreCase {
		if _, known := s.folded[words]; !known {
			s.folded[words] = fold(words)
		}
		words = s.folded[words]
	}
	return slices.ContainsFunc(p.literals, func(one string) bool { return strings.Contains(words, one) })
}

// fold maps letters that expressions without case take for the same to one of them.
func fold(words string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, words)
}

// literalsOf returns expressions that are mere texts, each maybe in a group; nil if one is not.
func literalsOf(expressions []string, ignoreCase bool) []string {
	literals := make([]string, len(expressions))
	for i, one := range expressions {
		if inner, ok := strings.CutPrefix(one, "("); ok {
			one = strings.TrimSuffix(inner, ")")
		}
		if regexp.QuoteMeta(one) != one {
			return nil
		}
		if ignoreCase {
			one = fold(one)
		}
		literals[i] = one
	}
	return literals
}

// compile compiles expressions of which any may match, as whole words only if words is true. field
// is blamed if one is wrong.
func (f *fields) compile(field string, expressions []string, ignoreCase, words bool) *pattern {
	flags := ""
	if ignoreCase {
		flags = "(?i)"
	}
	each := make([]string, len(expressions))
	for i, one := range expressions {
		each[i] = "(?:" + widenWords(one) + ")"
		if _, err := regexp.Compile(each[i]); err != nil {
			f.fail(field, fmt.Sprintf("has the expression %q, which Go does not read: %s", one, reasonOf(err)))
			return nil
		}
	}
	group := "(" + strings.Join(each, "|") + ")"
	behind := ""
	if words {
		behind = "(?:$|[^" + wordCharacters + "])"
	}
	p := &pattern{literals: literalsOf(expressions, ignoreCase), ignoreCase: ignoreCase}
	if words {
		p.first = f.compileOne(field, flags+"(?:^|[^"+wordCharacters+"])"+group+behind)
		p.next = f.compileOne(field, flags+"[^"+wordCharacters+"]"+group+behind)
	} else {
		p.first = f.compileOne(field, flags+group)
	}
	return p
}

// compileOne compiles an expression of bounded size.
func (f *fields) compileOne(field, expression string) *regexp.Regexp {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		f.fail(field, "has an expression that Go does not read: "+reasonOf(err))
		return nil
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxProgram {
		f.fail(field, "is too large: use fewer or shorter expressions, or more rules")
		return nil
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		f.fail(field, "has an expression that Go does not read: "+reasonOf(err))
	}
	return compiled
}

// reasonOf returns why an expression is wrong, in words for the writer of a rule.
func reasonOf(err error) string {
	reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	for _, look := range []string{"(?=", "(?!", "(?<"} {
		if strings.Contains(reason, "invalid") && strings.Contains(reason, "`"+look) {
			return "look-ahead and look-behind are not supported"
		}
	}
	return reason
}

// widenWords lets \w and \W know the letters of all languages.
func widenWords(expression string) string {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		if c != '\\' || i+1 == len(expression) {
			switch {
			case c == '[' && !inClass:
				inClass = true
				if rest := expression[i+1:]; strings.HasPrefix(rest, "^]") || strings.HasPrefix(rest, "]") {
					end := strings.IndexByte(rest, ']') + 1 // a bracket that is a member of the class
					out.WriteString("[" + rest[:end])
					i += end
					continue
				}
			case c == ']':
				inClass = false
			}
			out.WriteByte(c)
			continue
		}
		i++
		switch next := expression[i]; {
		case next == 'w' && inClass:
			out.WriteString(wordCharacters)
		case next == 'w':
			out.WriteString("[" + wordCharacters + "]")
		case next == 'W' && !inClass:
			out.WriteString("[^" + wordCharacters + "]")
		default:
			out.WriteString(expression[i-1 : i+1])
		}
	}
	return out.String()
}

// find yields the groups of each match, as byte offsets; the expression itself is [2] to [3].
// Matches do not overlap, and are not empty.
func (p *pattern) find(s string) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if p.next == nil {
			for _, at := range p.first.FindAllStringSubmatchIndex(s, -1) {
				if at[3] > at[2] && !yield(at) {
					return
				}
			}
			return
		}
		for from, re := 0, p.first; from < len(s); re = p.next {
			at := re.FindStringSubmatchIndex(s[from:])
			if at == nil {
				return
			}
			for i := range at {
				if at[i] >= 0 {
					at[i] += from
				}
			}
			if at[3] > at[2] && !yield(at) {
				return
			}
			_, size := utf8.DecodeRuneInString(s[from:])
			from = max(at[3], from+size)
		}
	}
}

// exceptions are texts that a rule does not find.
type exceptions struct{ whole *regexp.Regexp }

// readExceptions reads expressions of whole findings that are none.
func (f *fields) readExceptions(ignoreCase bool) exceptions {
	given := f.list("exceptions")
	if len(given) == 0 {
		return exceptions{}
	}
	flags := ""
	if ignoreCase {
		flags = "(?i)"
	}
	return exceptions{f.compileOne("exceptions", flags+"^(?:"+widenWords(strings.Join(given, "|"))+")$")}
}

func (e exceptions) has(words string) bool { return e.whole != nil && e.whole.MatchString(words) }
