package house

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/model"
)

// readers read what is special to each kind of rule, and return what looks for findings.
var readers = map[model.HouseRuleKind]func(*fields, *Rule) func(*search){
	model.HouseRuleKindExistence:      readExistence,
	model.HouseRuleKindSubstitution:   readSubstitution,
	model.HouseRuleKindOccurrence:     readOccurrence,
	model.HouseRuleKindCapitalization: readCapitalization,
	model.HouseRuleKindRepetition:     readRepetition,
	model.HouseRuleKindConditional:    readConditional,
	model.HouseRuleKindReadability:    readReadability,
}

func readExistence(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 1)
	tokens, raw := f.list("tokens"), f.list("raw")
	ignoreCase, nonword := f.flag("ignorecase"), f.flag("nonword")
	scopes, except := f.readScopes(), f.readExceptions(ignoreCase)
	var replacements []string
	if f.readAction("remove") != "" {
		replacements = []string{""}
	}
	if (len(tokens) == 0) == (len(raw) == 0) {
		f.fail("tokens", "must have a value, or raw, but not both")
		return nil
	}
	words := f.compile("tokens", tokens, ignoreCase, !nonword)
	if len(raw) > 0 {
		words = f.compile("raw", []string{strings.Join(raw, "")}, ignoreCase, false)
	}
	return func(s *search) {
		s.eachMatch(scopes, words, func(b *block, at []int) {
			if said := b.text[at[2]:at[3]]; !except.has(said) {
				s.add(b, at[2], at[3], replacements, said)
			}
		})
	}
}

// eachMatch calls yield with each match of a pattern, until the time is over.
func (s *search) eachMatch(scopes []string, words *pattern, yield func(b *block, at []int)) {
	for _, one := range s.units(scopes) {
		if s.isOver() {
			return
		}
		said := one.words()
		if !s.mayMatch(words, said) {
			continue
		}
		for at := range words.find(said) {
			for i := range at {
				if at[i] >= 0 {
					at[i] += one.start
				}
			}
			yield(one.block, at)
		}
	}
}

func readSubstitution(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 2)
	from, to := f.swaps()
	ignoreCase, nonword := f.flag("ignorecase"), f.flag("nonword")
	capitalize, scopes, except := f.flag("capitalize"), f.readScopes(), f.readExceptions(ignoreCase)
	f.readAction("replace")
	if f.err != nil {
		return nil
	}
	swaps := f.newSwaps(from, to)
	words := f.compile("swap", swaps.from, ignoreCase, !nonword)
	return func(s *search) {
		s.eachMatch(scopes, words, func(b *block, at []int) {
			said := b.text[at[2]:at[3]]
			better := swaps.replace(b.text, at)
			if capitalize && startsUpper(said) {
				for i := range better {
					better[i] = upperFirst(better[i])
				}
			}
			if !slices.Contains(better, said) && !except.has(said) {
				s.add(b, at[2], at[3], better, strings.Join(better, ", "), said)
			}
		})
	}
}

func readOccurrence(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 1)
	token, ignoreCase := f.text("token"), f.flag("ignorecase")
	most, least, scopes := f.count("max"), f.count("min"), f.readScopes()
	switch {
	case token == "":
		f.fail("token", "is required")
	case most == 0 && least == 0:
		f.fail("max", "is required, or min")
	case most > 0 && least > most:
		f.fail("min", "must not be greater than max")
	}
	words := f.compile("token", []string{token}, ignoreCase, false)
	isWrong := func(count int) bool { return count < least || most > 0 && count > most }
	return func(s *search) {
		if slices.Contains(scopes, "text") {
			s.countInText(words, most, isWrong)
			return
		}
		for _, one := range s.units(scopes) {
			if s.isOver() {
				return
			}
			count := 0
			for range words.find(one.words()) {
				count++
			}
			if isWrong(count) {
				s.add(one.block, one.start, one.end, nil, strconv.Itoa(count))
			}
		}
	}
}

// countInText adds a finding if a pattern is too often or too seldom in the whole text: at the first
// match that is too much, or about the whole text.
func (s *search) countInText(words *pattern, most int, isWrong func(int) bool) {
	count := 0
	var extra *block
	var place []int
	s.eachMatch([]string{"text"}, words, func(b *block, at []int) {
		if count++; count == most+1 {
			extra, place = b, at
		}
	})
	switch {
	case s.isOver() || !isWrong(count):
	case most > 0 && extra != nil:
		s.add(extra, place[2], place[3], nil, strconv.Itoa(count))
	default:
		s.addWhole(strconv.Itoa(count))
	}
}

func readRepetition(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 1)
	tokens, most, alpha := f.list("tokens"), f.count("max"), f.flag("alpha")
	ignoreCase := f.flag("ignorecase")
	scopes, except := f.readScopes(), f.readExceptions(ignoreCase)
	if len(tokens) == 0 {
		f.fail("tokens", "is required")
	}
	words := f.compile("tokens", tokens, ignoreCase, false)
	return func(s *search) {
		var before string
		var last *block
		start, count := 0, 0
		s.eachMatch(scopes, words, func(b *block, at []int) {
			said := b.text[at[2]:at[3]]
			isSame := last == b && (said == before || ignoreCase && strings.EqualFold(said, before))
			if !isSame || alpha && strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) }) {
				before, last, start, count = said, b, at[2], 0
				return
			}
			if count++; count > most && !except.has(b.text[start:at[3]]) {
				s.add(b, start, at[3], []string{before}, said)
				count, start = 0, at[2]
			}
		})
	}
}

func readConditional(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 1)
	first, second, ignoreCase := f.text("first"), f.text("second"), f.flag("ignorecase")
	scopes, except := f.readScopes(), f.readExceptions(ignoreCase)
	if first == "" || second == "" {
		f.fail("first", "is required, and second")
	}
	needs, has := f.compile("first", []string{first}, ignoreCase, false), f.compile("second", []string{second}, ignoreCase, false)
	if f.err == nil && has.first.NumSubexp() < 2 {
		f.fail("second", "must have a group for what it explains")
	}
	return func(s *search) {
		explained := map[string]bool{}
		s.eachMatch([]string{"text"}, has, func(b *block, at []int) {
			for i := 4; i+1 < len(at); i += 2 {
				if at[i] >= 0 {
					explained[b.text[at[i]:at[i+1]]] = true
				}
			}
		})
		s.eachMatch(scopes, needs, func(b *block, at []int) {
			if said := b.text[at[2]:at[3]]; !explained[said] && !except.has(said) {
				s.add(b, at[2], at[3], nil, said)
			}
		})
	}
}

func startsUpper(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

func upperFirst(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	if size == 0 || first == utf8.RuneError {
		return word
	}
	return string(unicode.ToUpper(first)) + word[size:]
}
