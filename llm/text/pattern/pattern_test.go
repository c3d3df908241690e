package pattern

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
)

func TestReadLiterals(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][]string{
		`(?i)said|says|told`:            {"SAID", "SAYS", "TOLD"},
		`\p{Lu}\w+,? (said|wrote) that`: {", SAID THAT", ", WROTE THAT", " SAID THAT", " WROTE THAT"},
		`(?i)(log|sign) ?in to .{1,9}`:  {"LOG IN TO ", "LOGIN TO ", "SIGN IN TO ", "SIGNIN TO "},
		`subscri(be|ption)+`:            {"SUBSCRI"},
		`(abonnent|mitglied){1,2}`:      {"ABONNENT", "MITGLIED"},
		`a|subscribe`:                   nil,
		`(subscribe)?`:                  nil,
		`(subscribe)*x`:                 nil,
		`.{3,}`:                         nil,
	} {
		got := literalsOf(expression)
		slices.Sort(want)
		if !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
			t.Errorf("the literals of %s are %q, want %q", expression, got, want)
		}
	}
}

// TestPattern_fold compares letters that are equal in another case beyond ASCII: the long s and the
// Kelvin sign.
func TestPattern_fold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"paßwort": false, "paſſwort": true, "PASSWORT": true,
		"10 \u212aelvin": true, "kel vin": false} {
		if got := New(`(?i)passwort|kelvin`).MatchString(text); got != want {
			t.Errorf("%q matches: %t", text, got)
		}
	}
}

// FuzzPattern compares a pattern with the regular expression alone.
func FuzzPattern(f *testing.F) {
	for _, expression := range []string{`(?i)sub(scribe|mit) to .{0,9}read|日本(語)?`, `[ab]cd?e|f(gh)+i`,
		`\bword\b|^line$`, `(?i)k[sſ]t.{2}(x|yz)`} {
		f.Add(expression, "Subscribe to this and READ 日本 bcde fghghi WORD \u212aStxx")
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		plain, err := regexp.Compile(expression)
		if err != nil || len(expression) > 200 {
			return // most inputs of the fuzzer are no expressions
		}
		p := New(expression)
		if got, want := p.MatchString(text), plain.MatchString(text); got != want {
			t.Errorf("%q in %q: %t, want %t; its literals are %q", expression, text, got, want, p.literals)
		}
		if got, want := p.FindAllString(text, 3), plain.FindAllString(text, 3); !slices.Equal(got, want) {
			t.Errorf("%q in %q: %q, want %q", expression, text, got, want)
		}
		if got, want := p.FindAllStringSubmatch(text, 3),
			plain.FindAllStringSubmatch(text, 3); !reflect.DeepEqual(got, want) {
			t.Errorf("%q in %q: %q, want %q", expression, text, got, want)
		}
	})
}

func literalsOf(expression string) []string {
	p := New(expression)
	p.once.Do(p.compile)
	return p.literals
}
