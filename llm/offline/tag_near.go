package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/llm/text/value"
)

// The numbers of words between the words of a name, and between them and their value.
const (
	nameGap  = 4
	valueGap = 8
)

// findNumber returns the number next to the words of the auto-tag's name. Percentages count only if
// the auto-tag asks for one. Changes ("by 20 million") and earlier values ("from 36 million") do
// not count.
func (d *taggedText) findNumber(t Tag) TagClaim {
	wantsPercent := strings.Contains(t.Name+t.Description, "%") ||
		slices.ContainsFunc(text.Tokens(t.Name+" "+t.Description, d.language), func(w text.Token) bool {
			return d.words.has("percent", w) || d.words.others["percent"][w.Stem]
		})
	return d.findQuantity(t, func(s sentence) []value.Quantity {
		dates := value.Dates(s.Text)
		return slices.DeleteFunc(value.Numbers(s.Text), func(q value.Quantity) bool {
			isDate := slices.ContainsFunc(dates, func(date value.Quantity) bool {
				return q.Start < date.End && q.End > date.Start
			})
			return isDate || q.Percent != wantsPercent || isYear(s.Text[q.Start:q.End]) || d.isChange(s.Text[:q.Start])
		})
	})
}

func isYear(said string) bool {
	return len(said) == 4 && (strings.HasPrefix(said, "19") || strings.HasPrefix(said, "20"))
}

// isChange reports whether the words ahead of a number make it a change or an earlier value.
func (d *taggedText) isChange(before string) bool {
	tokens := text.Tokens(before, d.language)
	for len(tokens) > 0 && d.words.bounds[strings.ToLower(tokens[len(tokens)-1].Text)] &&
		d.words.direction(tokens[len(tokens)-1]) == 0 {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) == 0 {
		return false
	}
	last := tokens[len(tokens)-1]
	return d.words.has("previous", last) || d.words.has("step", last) || d.words.direction(last) != 0
}

// findDate returns the date next to the words of the auto-tag's name.
func (d *taggedText) findDate(t Tag) TagClaim {
	return d.findQuantity(t, func(s sentence) []value.Quantity { return value.Dates(s.Text) })
}

// findQuantity returns the quantity of a sentence with the words of the auto-tag's name. It is
// doubtful if the sentence has another quantity, or another company's or person's name in between.
// It is also doubtful if another sentence has the same words without the quantity.
func (d *taggedText) findQuantity(t Tag, quantities func(sentence) []value.Quantity) TagClaim {
	subject := d.subjectOf(t)
	out, others := TagClaim{}, false
	for _, s := range d.sentences[d.inTitle:] {
		from, to := findNear(s.tokens, subject)
		if from < 0 {
			continue
		}
		all := quantities(s)
		near := slices.IndexFunc(all, func(q value.Quantity) bool { return tokensBetween(s, from, to, q) <= valueGap })
		switch {
		case near < 0 || !d.isStatement(s):
			others = true
		case out.Value == "":
			out = TagClaim{Value: all[near].Value, Confidence: decidedTag, Quote: s.Text}
			others = others || d.namesAnother(s, to, all[near]) ||
				slices.ContainsFunc(all, func(q value.Quantity) bool { return q.Value != out.Value })
		case out.Value != all[near].Value:
			others = true
		}
	}
	if others && out.Value != "" {
		out.Confidence = doubtfulTag
	}
	return out
}

// namesAnother reports whether a name is between a token and a quantity, for example "revenue at
// Marrow Dairy was 90 million".
func (d *taggedText) namesAnother(s sentence, at int, q value.Quantity) bool {
	runes := []rune(s.Text)
	start := utf8.RuneCountInString(s.Text[:q.Start])
	if start <= s.tokens[at].End {
		return false
	}
	between := string(runes[s.tokens[at].End:start])
	return slices.ContainsFunc(text.Names("x "+between),
		func(name text.Span) bool { return !strings.EqualFold(name.Text, d.Company) })
}

// findNear returns the first and last token of stems that are close together, in any order, or -1.
func findNear(tokens []text.Token, stems []string) (from, to int) {
	if len(stems) == 0 {
		return -1, -1
	}
	for from = range tokens {
		seen := map[string]bool{}
		for to = from; to < min(len(tokens), from+len(stems)+nameGap); to++ {
			if slices.Contains(stems, tokens[to].Stem) {
				seen[tokens[to].Stem] = true
			}
			if len(seen) == len(stems) {
				return from, to
			}
			if len(seen) == 0 {
				break
			}
		}
	}
	return -1, -1
}

// tokensBetween returns the number of words between tokens and a quantity.
func tokensBetween(s sentence, from, to int, q value.Quantity) int {
	start, end := utf8.RuneCountInString(s.Text[:q.Start]), utf8.RuneCountInString(s.Text[:q.End])
	between := 0
	for i, token := range s.tokens {
		if i > to && token.End <= start || i < from && token.Start >= end {
			between++
		}
	}
	return between
}

// findParty returns the person or company that an apposition connects with the auto-tag's name, for
// example "Ines Okafor, chief executive" or "rival Saltmarsh". If the auto-tag asks for the
// document's own company or executive, it returns the attributed one, if the text has the name.
func (d *taggedText) findParty(t Tag, kind value.Kind) TagClaim {
	subject := d.subjectOf(t)
	if name := d.attributedName(t, kind); name != "" {
		if span, ok := text.Locate(d.Text, name); ok {
			return TagClaim{Value: name, Confidence: decidedTag, Quote: span.Text}
		}
	}
	return d.findConnected(subject, func(s sentence, from, to int) string {
		for _, name := range []string{nameAhead(s, from), nameAfter(s, to)} {
			isCommon := kind == value.Company && d.language == "de" && !strings.Contains(name, " ")
			if name != "" && !isCommon && d.isPerson(name) == (kind == value.Person) {
				return name
			}
		}
		return ""
	})
}

// findConnected returns the name connected with the stems. It is doubtful if the stems occur
// elsewhere with another name or without one.
func (d *taggedText) findConnected(stems []string, nameOf func(s sentence, from, to int) string) TagClaim {
	out, others := TagClaim{}, false
	for _, s := range d.sentences[d.inTitle:] {
		for from := range s.tokens {
			to := phraseEnd(s.tokens, from, stems)
			if to < 0 {
				continue
			}
			name := nameOf(s, from, to)
			switch {
			case name == "" || !d.isStatement(s):
				others = true
			case out.Value == "":
				out = TagClaim{Value: name, Confidence: decidedTag, Quote: s.Text}
			case !strings.EqualFold(out.Value, name):
				others = true
			}
		}
	}
	if others && out.Value != "" {
		out.Confidence = doubtfulTag
	}
	return out
}

// attributedName returns the document's attributed name if the auto-tag asks for it, else "".
func (d *taggedText) attributedName(t Tag, kind value.Kind) string {
	general := slices.ContainsFunc(text.Tokens(t.Name, d.language),
		func(w text.Token) bool { return d.words.has("company", w) })
	switch {
	case kind == value.Company && (general || strings.EqualFold(strings.TrimSpace(t.Name), t.Type)):
		return d.Company
	case strings.EqualFold(strings.TrimSpace(t.Type), "executive"):
		return d.Executive
	}
	return ""
}

func (d *taggedText) isPerson(name string) bool {
	return slices.ContainsFunc(d.people, func(known string) bool { return strings.EqualFold(known, name) })
}

// phraseEnd returns the last token of stems that follow one another from a token on, with only stop
// words in between, or -1.
func phraseEnd(tokens []text.Token, from int, stems []string) int {
	found := 0
	for i := from; i < len(tokens) && found < len(stems); i++ {
		switch {
		case tokens[i].Stem == stems[found] && (found == 0 || !tokens[i].AfterBreak):
			if found++; found == len(stems) {
				return i
			}
		case found == 0 || !tokens[i].Stop:
			return -1
		}
	}
	return -1
}

// mostNameWords is the number of words of a name.
const mostNameWords = 5

// nameAfter returns the capitalized words after a token: "rival Saltmarsh", "the operator, Vale
// Trains, has".
func nameAfter(s sentence, at int) string {
	from := at + 1
	if from >= len(s.tokens) {
		return ""
	}
	runes := []rune(s.Text)
	gap := string(runes[s.tokens[at].End:s.tokens[from].Start])
	end := from
	for end < len(s.tokens) && end-from < mostNameWords && startsUpper(s.tokens[end].Text) &&
		(end == from || string(runes[s.tokens[end-1].End:s.tokens[end].Start]) == " ") {
		end++
	}
	if end == from {
		return ""
	}
	closed := end == len(s.tokens) || strings.ContainsRune(",.;)", runes[s.tokens[end-1].End])
	if gap != " " && !(gap == ", " && closed) {
		return ""
	}
	return withoutPossessive(string(runes[s.tokens[from].Start:s.tokens[end-1].End]))
}

// nameAhead returns the capitalized words ahead of a token and a comma or bracket: "Elena Voss, its
// founder".
func nameAhead(s sentence, at int) string {
	runes := []rune(s.Text)
	last := at - 1
	for last > at-3 && last >= 0 && s.tokens[last].Stop && !startsUpper(s.tokens[last].Text) {
		last--
	}
	if last < 0 || !slices.Contains([]string{",", " ("},
		strings.TrimRight(string(runes[s.tokens[last].End:s.tokens[last+1].Start]), " ")) &&
		string(runes[s.tokens[last].End:s.tokens[last+1].Start]) != " (" {
		return ""
	}
	from := last + 1
	for from > 0 && last+1-from < mostNameWords && startsUpper(s.tokens[from-1].Text) &&
		(from == last+1 || string(runes[s.tokens[from-1].End:s.tokens[from].Start]) == " ") {
		from--
	}
	if from > last {
		return ""
	}
	return withoutPossessive(string(runes[s.tokens[from].Start:s.tokens[last].End]))
}

func withoutPossessive(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
}

func startsUpper(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

// placeGap is the number of words between the auto-tag's words and the preposition of a place.
const placeGap = 2

// findPlace returns the capitalized words after a preposition of place next to the auto-tag's
// words, for example "the plant in Halverton".
func (d *taggedText) findPlace(t Tag) TagClaim {
	return d.findConnected(d.subjectOf(t), func(s sentence, _, to int) string {
		for at := to + 1; at < min(len(s.tokens), to+2+placeGap); at++ {
			if !d.words.has("locative", s.tokens[at]) || s.tokens[at].AfterBreak {
				continue
			}
			name := nameAfter(s, at)
			isDate := slices.ContainsFunc(value.Dates(s.Text),
				func(q value.Quantity) bool { return strings.Contains(s.Text[q.Start:q.End], name) })
			isOther := at+1 < len(s.tokens) && d.words.has("noplace", s.tokens[at+1])
			if isDate || isOther || strings.EqualFold(name, d.Company) || d.isPerson(name) {
				return ""
			}
			return name
		}
		return ""
	})
}
