package offline

import (
	"slices"
	"strings"
	"unicode"

	"rostrum/llm/text"
)

// mostMarks is the number of words of a line that marks a document: "STRICTLY CONFIDENTIAL".
const mostMarks = 6

// findBoolean returns true or false if a line of capitals has the auto-tag's name, or a sentence
// says that the document is or is not of it. Other mentions decide nothing.
func (d *taggedText) findBoolean(t Tag) TagClaim {
	subject := d.subjectOf(t)
	for _, s := range d.sentences[d.inTitle:] {
		for from := range s.tokens {
			to := phraseEnd(s.tokens, from, subject)
			if to < 0 || text.Asks(s.Text) || !isMark(s, to) && !d.describesDocument(s, from, to) {
				continue
			}
			is := "true"
			if slices.ContainsFunc(s.tokens[:from], d.words.isNegation) {
				is = "false"
			}
			return TagClaim{Value: is, Confidence: decidedTag, Quote: s.Text}
		}
	}
	return TagClaim{}
}

// isMark reports whether a sentence is a short line in capitals and the token ends the line or a
// part of it.
func isMark(s sentence, at int) bool {
	if len(s.tokens) > mostMarks || strings.ContainsFunc(s.Text, unicode.IsLower) ||
		!strings.ContainsFunc(s.Text, unicode.IsUpper) {
		return false
	}
	return at == len(s.tokens)-1 || strings.TrimSpace(
		string([]rune(s.Text)[s.tokens[at].End:s.tokens[at+1].Start])) != ""
}

// describesDocument reports whether a sentence has the document as its subject, a form of "be", and
// the tokens as its predicate.
func (d *taggedText) describesDocument(s sentence, from, to int) bool {
	if to != len(s.tokens)-1 || slices.ContainsFunc(s.tokens, d.words.isHedge) {
		return false
	}
	subject, verb := false, false
	for _, token := range s.tokens[:from] {
		switch {
		case d.words.has("document", token):
			subject = true
		case d.words.has("be", token):
			verb = true
		case !token.Stop && !d.words.isNegation(token):
			return false
		}
	}
	return subject && verb
}

// clearFeeling is the absolute sentiment from which a sentence is positive or negative.
const clearFeeling = 0.3

// findSentiment returns positive or negative if a sentence is clearly so and none is clearly
// otherwise. It is doubtful, because words do not show irony.
func (d *taggedText) findSentiment(t Tag) TagClaim {
	good, bad, quote, most := 0, 0, "", 0.0
	for _, s := range d.sentences[d.inTitle:] {
		feeling := text.Sentiment(s.Text)
		switch {
		case feeling >= clearFeeling:
			good++
		case feeling <= -clearFeeling:
			bad++
		}
		if feeling*feeling > most {
			most, quote = feeling*feeling, s.Text
		}
	}
	found := TagClaim{Value: "positive", Confidence: doubtfulTag, Quote: quote}
	if bad > good {
		found.Value = "negative"
	}
	listed := len(t.Allowed) == 0 || slices.ContainsFunc(t.Allowed,
		func(one string) bool { return strings.EqualFold(one, found.Value) })
	if good > 0 == (bad > 0) || !listed {
		return TagClaim{}
	}
	return found
}
