package proof

import (
	"regexp"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Source is what a subject of a comparison says.
type Source struct{ Subject, Quote string }

// contrast splits a sentence of a comparison into what it says of each subject.
var contrast = regexp.MustCompile(`(?i)[;:—–]|,?\s\b(?:while|whereas|but|während|aber|tandis que|alors que|mais|mientras que|pero)\s`)

// FaultOf returns why the sources do not prove a sentence of a comparison, or an empty text. What it
// says of a subject has to be proved by that subject's quotes alone; words of comparing, such as
// "both" and "agree", and the given texts need no proof.
func FaultOf(sentence string, sources []Source, given ...string) string {
	var carried []string // the subjects of a part that says nothing else: "Ines says:"
	for _, part := range splitParts(sentence, sources) {
		named := subjectsIn(part, sources)
		if len(named) == 0 {
			named = carried
		}
		carried = nil
		fault, isEmpty := faultOfPart(part, named, sources, given)
		if fault != "" {
			return fault
		}
		if isEmpty {
			carried = named
		}
	}
	return ""
}

// splitParts splits a sentence at words of contrast, and at commas before another subject.
func splitParts(sentence string, sources []Source) (parts []string) {
	for _, part := range contrast.Split(sentence, -1) {
		at := 0
		for i, r := range part {
			if r == ',' && slices.ContainsFunc(sources, func(s Source) bool {
				return strings.HasPrefix(strings.TrimSpace(part[i+1:]), s.Subject)
			}) {
				parts, at = append(parts, part[at:i]), i+1
			}
		}
		parts = append(parts, part[at:])
	}
	return parts
}

// subjectsIn returns the subjects that a text names by a word of their names.
func subjectsIn(said string, sources []Source) (named []string) {
	known := map[string]bool{}
	for _, w := range text.Words(said) {
		known[strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(w.Text, "’", "'"), "'s"))] = true
	}
	for _, source := range sources {
		isNamed := slices.ContainsFunc(text.Words(source.Subject), func(w text.Span) bool {
			return known[strings.ToLower(w.Text)] && !text.IsCommonWord(w.Text)
		})
		if isNamed && !slices.Contains(named, source.Subject) {
			named = append(named, source.Subject)
		}
	}
	return named
}

// faultOfPart returns why the quotes of the named subjects, or without any those of all, do not
// prove a part of a sentence. isEmpty reports whether it says nothing that needs a proof.
func faultOfPart(part string, named []string, sources []Source, given []string) (fault string, isEmpty bool) {
	var all []string
	subjects := map[string]bool{}
	for _, source := range sources {
		subjects[source.Subject] = true
		if len(named) == 0 || slices.Contains(named, source.Subject) {
			all = append(all, source.Quote)
		}
	}
	joined := strings.Join(all, "\n")
	if hasSentences(joined, part) {
		return "", false
	}
	free := slices.Concat(given, named)
	whole := newComparing(part, joined, "", free)
	if isEmpty = !slices.ContainsFunc(whole.said, func(w word) bool {
		return w.number != nil || w.content && !w.isGiven || hasAny(w.kinds, added)
	}); isEmpty {
		return "", true
	}
	for _, check := range []func() string{whole.newWord, whole.newAmount} {
		if fault := check(); fault != "" {
			return fault, false
		}
	}
	proved := map[string]string{} // the fault of each subject's best quote
	for _, source := range sources {
		if len(named) > 0 && !slices.Contains(named, source.Subject) {
			continue
		}
		known, seen := proved[source.Subject]
		if seen && known == "" {
			continue
		}
		c := newComparing(part, source.Quote, source.Subject, free)
		proved[source.Subject] = firstFault(c.changedKind, c.changedTense, c.changedRole)
	}
	first := ""
	for _, source := range sources {
		fault, seen := proved[source.Subject]
		switch {
		case seen && fault == "" && len(named) == 0:
			return "", false
		case fault != "" && first == "":
			first = fault
		}
	}
	return first, false
}

func hasAny(kinds []kind, of map[kind]int) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { _, ok := of[k]; return ok })
}

func firstFault(checks ...func() string) string {
	for _, check := range checks {
		if fault := check(); fault != "" {
			return fault
		}
	}
	return ""
}

// newComparing returns a claim of a comparison: words of comparing and the given texts need no
// proof.
func newComparing(part, quote, subject string, given []string) *claim {
	c := newClaim(part, quote, languageOf(quote+"\n"+part), []string{subject})
	free := map[string]bool{}
	for _, w := range text.Words(strings.Join(given, " ")) {
		free[keyOf(strings.ToLower(w.Text), c.language)] = true
	}
	for i := range c.said {
		w := &c.said[i]
		if w.is("plain") {
			w.kinds, w.content = nil, false
		}
		if free[w.key] || w.number != nil && slices.Contains(given, w.number.value) {
			w.isGiven = true
		}
	}
	return c
}
