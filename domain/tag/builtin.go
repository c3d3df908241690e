package tag

import (
	"encoding/json"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/optional"
)

// The limits of the built-in engine.
const (
	maxPassages   = 40
	minPassage    = 40  // characters
	maxPassage    = 600 // characters
	maxQuote      = 300 // characters
	minConfidence = 0.3 // claims below this confidence are dropped
)

// answerBuiltin returns a deterministic answer as JSON. Allowed and known values are found verbatim or by their stems; other values come
// from the nearest example, the document's attribution, its tone and its keyphrases.
func answerBuiltin(doc *model.Document, tags []*tagDefinition) (string, error) {
	p := &documentText{doc: doc, content: optional.ValueOr(doc.Content, "")}
	answer := modelAnswer{Values: []claim{}}
	for i, t := range tags {
		c := p.bestClaim(t)
		if c.Confidence >= minConfidence {
			c.Tag = promptKey(i)
			answer.Values = append(answer.Values, c)
		}
	}
	out, err := json.Marshal(answer)
	return string(out), err
}

// documentText is a document for the built-in engine, with data computed once for all auto-tags.
type documentText struct {
	doc      *model.Document
	content  string
	language string
	lines    []textLine
}

// textLine is a sentence, or the title, with the stems of its words.
type textLine struct {
	text  string
	stems map[string]bool
}

// bestClaim returns the claim with the highest confidence of all methods that fit the auto-tag; the first of equals.
func (p *documentText) bestClaim(t *tagDefinition) claim {
	claims := []claim{p.byExample(t)}
	switch {
	case t.Manual:
	case len(t.AllowedValues) > 0:
		claims = append(claims, p.byWords(t.AllowedValues)...)
		claims = append(claims, p.byTone(t)...)
	case t.TagType == "executive":
		claims = append(claims, p.byAttribution(p.doc.Executive))
	case t.TagType == "company":
		claims = append(claims, p.byAttribution(p.doc.Company))
	case t.TagType == "sentiment":
		claims = append(claims, p.byTone(t)...)
	default:
		claims = append(claims, p.byWords(t.known)...)
		claims = append(claims, p.byPhrase(t))
	}
	return slices.MaxFunc(claims, func(a, b claim) int {
		switch {
		case a.Confidence > b.Confidence:
			return 1
		case a.Confidence < b.Confidence:
			return -1
		}
		return 0
	})
}

// byExample returns the value of the nearest example.
func (p *documentText) byExample(t *tagDefinition) claim {
	if t.index == nil {
		return claim{}
	}
	at, similarity, passage := t.nearestExample(p.doc)
	if at < 0 {
		return claim{}
	}
	return claim{Value: t.examples[at].Value, Confidence: toConfidence(similarity), Quote: truncateText(passage, maxQuote)}
}

// toConfidence converts a similarity of texts to a confidence. Short texts of the same kind share few words, so a similarity of 0.3 maps to
// about 0.5.
func toConfidence(similarity float64) float64 {
	far := 1 - similarity
	return min(1-far*far, 1)
}

// nearestExample returns the index of the example most similar to any passage of the document; -1 if none is similar.
func (t *tagDefinition) nearestExample(doc *model.Document) (at int, similarity float64, passage string) {
	at = -1
	for _, p := range documentPassages(doc) {
		if i, score := t.index.Nearest(p); i >= 0 && score > similarity {
			at, similarity, passage = i, score, p
		}
	}
	return at, similarity, passage
}

// documentPassages returns the beginning of a document and its paragraphs.
func documentPassages(doc *model.Document) []string {
	content := optional.ValueOr(doc.Content, "")
	list := []string{truncateAtWord(content, maxPassage)}
	for paragraph := range strings.Lines(content) {
		paragraph = strings.TrimSpace(paragraph)
		if len(list) < maxPassages && len(paragraph) >= minPassage && !strings.HasPrefix(list[0], paragraph) {
			list = append(list, truncateAtWord(paragraph, maxPassage))
		}
	}
	return list
}

// readLines returns the document's title and sentences with their stems.
func (p *documentText) readLines() []textLine {
	if p.lines != nil {
		return p.lines
	}
	if p.language = text.Language(p.content); p.language == "" {
		p.language = "en"
	}
	p.lines = []textLine{p.newLine(p.doc.Title)}
	for _, s := range text.Sentences(truncateText(p.content, maxRead)) {
		p.lines = append(p.lines, p.newLine(s.Text))
	}
	return p.lines
}

func (p *documentText) newLine(sentence string) textLine {
	l := textLine{text: sentence, stems: map[string]bool{}}
	for _, stem := range text.Stems(sentence, p.language) {
		l.stems[stem] = true
	}
	return l
}

// byAttribution returns the name that the document is attributed to if the text contains it.
func (p *documentText) byAttribution(name *string) claim {
	if name == nil {
		return claim{}
	}
	if place, ok := text.Locate(p.content, *name); ok {
		return claim{Value: *name, Confidence: 0.8, Quote: place.Text}
	}
	return claim{}
}
