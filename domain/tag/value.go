package tag

import (
	"slices"
	"strings"

	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/command"
	"rostrum/llm/text/proof"
	"rostrum/llm/text/value"
	"rostrum/model"
	"rostrum/model/optional"
)

// notAllowed is the reason to refuse a value that is not listed.
const notAllowed = "is not an allowed value"

// readValue returns a value as the auto-tag stores it, or the reason why it cannot. A value must be
// allowed or readable by its type; every item of a list must be allowed.
func readValue(t *model.AutoTag, said string) (stored, reason string) {
	kind := value.KindOf(t.TagType)
	if len(choicesOf(t)) > 0 && kind == value.List {
		items := value.Items(said)
		for i, item := range items {
			var ok bool
			if items[i], ok = allowedSpelling(t, item); !ok {
				return "", notAllowed
			}
		}
		said = strings.Join(items, "; ")
	} else if spelling, ok := allowedSpelling(t, said); !ok || len(choicesOf(t)) > 0 {
		if !ok {
			return "", notAllowed
		}
		return spelling, ""
	}
	return value.Read(kind, said)
}

// doubtful is the highest confidence of a value that its quote does not prove. It is below the
// default of AutoTag.minConfidence, so a person reviews the value.
const doubtful = 0.4

// validateClaim returns the finding of a claim, or the reason to refuse it: the auto-tag does not
// allow the value, or the text does not contain it where it must. A listed value without a proof is
// doubtful.
func (t *tagDefinition) validateClaim(doc *model.Document, c offline.TagClaim) (f finding, reason string) {
	stored, reason := t.resolveValue(c.Value)
	if reason != "" {
		return finding{}, reason
	}
	if len([]rune(stored)) > maxValue {
		return finding{}, "is too long"
	}
	f = finding{TagID: t.ID, Value: stored, Confidence: roundScore(min(max(c.Confidence, 0), 1))}
	content := command.Blank(optional.ValueOr(doc.Content, ""))
	place, ok := locateFirst(content, strings.ToValidUTF8(c.Quote, ""), sanitizeText(c.Quote), sanitizeText(c.Value))
	if ok {
		f.Quote, f.Start, f.End = &place.Text, &place.Start, &place.End
	}
	switch {
	case !ok && len(choicesOf(t.AutoTag)) == 0:
		return finding{}, "has no quote in the text"
	case len(choicesOf(t.AutoTag)) == 0 && !isStated(value.KindOf(t.TagType), stored, place.Text, content):
		return finding{}, "is not in the text that it was quoted from"
	case !ok || !t.isProved(stored, place.Text):
		f.Confidence = min(f.Confidence, doubtful)
	}
	return f, ""
}

// isStated reports whether the quote has a number or a date, and the text a name.
func isStated(kind value.Kind, stored, quote, content string) bool {
	same := func(q value.Quantity) bool { return q.Value == stored }
	switch kind {
	case value.Number:
		return slices.ContainsFunc(value.Numbers(quote), same)
	case value.Date:
		return slices.ContainsFunc(value.Dates(quote), same)
	case value.Person, value.Place:
		_, found := text.Locate(content, stored)
		return found
	}
	return true
}

// isProved reports whether a quote concerns a value. A judgement, and a value that is listed or in
// use, needs a statement or words of the value. Any other value needs its words, and a name all or
// a part of it. isStated proves numbers and dates.
func (t *tagDefinition) isProved(stored, quote string) bool {
	known := append(slices.Clone(t.known), choicesOf(t.AutoTag)...)
	for _, e := range t.examples {
		known = append(known, e.Value)
	}
	switch value.KindOf(t.TagType) {
	case value.Number, value.Date:
		return true
	case value.Person, value.Place:
		return text.Covered(stored, quote) > 0
	case value.Boolean, value.Sentiment:
		return text.Tells(quote)
	}
	if slices.Contains(known, stored) {
		return text.Tells(quote) || text.Covered(stored, quote) > 0
	}
	return proof.Supported(stored, quote)
}

// resolveValue returns the value that a model means, or the reason to refuse it.
func (t *tagDefinition) resolveValue(said string) (stored, reason string) {
	seen := sanitizeText(said)
	if seen == "" {
		return "", "is blank"
	}
	if stored, reason = readValue(t.AutoTag, seen); reason == "" {
		return stored, ""
	}
	if listed, ok := allowedSpelling(t.AutoTag, said); ok && len(choicesOf(t.AutoTag)) > 0 {
		return listed, "" // a listed value may contain characters that sanitizeText removes
	}
	return "", reason
}
