package tag

import (
	"encoding/json"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
)

// The bounds of what the built-in engine looks at.
const (
	maxPassages = 40
	minPassage  = 40  // characters
	maxPassage  = 600 // characters
	maxQuote    = 300 // characters
	leastSure   = 0.3 // what is less sure is not said at all
)

// builtin is the deterministic answer: allowed values and values in use are found as they stand or else by the stems of
// their words, the rest by the nearest example, by who the document is attributed to, by its tone, and by its keyphrases.
func builtin(doc *model.Document, tags []*definition) (string, error) {
	p := &page{doc: doc, content: model.ValueOr(doc.Content, "")}
	answer := said{Values: []claim{}}
	for i, t := range tags {
		c := p.best(t)
		if c.Confidence >= leastSure {
			c.Tag = keyAt(i)
			answer.Values = append(answer.Values, c)
		}
	}
	out, err := json.Marshal(answer)
	return string(out), err
}

// page is a document as the built-in engine reads it; what several auto-tags need is worked out once.
type page struct {
	doc      *model.Document
	content  string
	language string
	lines    []line
}

// line is a sentence, or the title, with the stems of its words.
type line struct {
	text  string
	stems map[string]bool
}

// best is the surest of what the methods that fit the auto-tag say; the first of equals.
func (p *page) best(t *definition) claim {
	claims := []claim{p.byExample(t)}
	switch {
	case t.Manual:
	case len(t.AllowedValues) > 0:
		claims = append(claims, p.byWords(t.AllowedValues)...)
		claims = append(claims, p.byTone(t)...)
	case t.TagType == "executive":
		claims = append(claims, p.attributed(p.doc.Executive))
	case t.TagType == "company":
		claims = append(claims, p.attributed(p.doc.Company))
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

// byExample takes the value of the nearest example.
func (p *page) byExample(t *definition) claim {
	if t.index == nil {
		return claim{}
	}
	at, likeness, passage := t.nearest(p.doc)
	if at < 0 {
		return claim{}
	}
	return claim{Value: t.examples[at].Value, Confidence: sure(likeness), Quote: cut(passage, maxQuote)}
}

// sure turns a likeness of texts into a confidence: short texts of one kind share few words, so a likeness of 0.3 is as good as even.
func sure(likeness float64) float64 {
	far := 1 - likeness
	return min(1-far*far, 1)
}

// nearest is the example that any passage of the document is most like; -1 when it is like none.
func (t *definition) nearest(doc *model.Document) (at int, likeness float64, passage string) {
	at = -1
	for _, p := range passages(doc) {
		if i, how := t.index.Nearest(p); i >= 0 && how > likeness {
			at, likeness, passage = i, how, p
		}
	}
	return at, likeness, passage
}

// passages are the beginning of a document and its paragraphs.
func passages(doc *model.Document) []string {
	content := model.ValueOr(doc.Content, "")
	list := []string{beginning(content, maxPassage)}
	for paragraph := range strings.Lines(content) {
		paragraph = strings.TrimSpace(paragraph)
		if len(list) < maxPassages && len(paragraph) >= minPassage && !strings.HasPrefix(list[0], paragraph) {
			list = append(list, beginning(paragraph, maxPassage))
		}
	}
	return list
}

// read gives the document's title and sentences, each with its stems.
func (p *page) read() []line {
	if p.lines != nil {
		return p.lines
	}
	if p.language = text.Language(p.content); p.language == "" {
		p.language = "en"
	}
	p.lines = []line{p.line(p.doc.Title)}
	for _, s := range text.Sentences(cut(p.content, maxRead)) {
		p.lines = append(p.lines, p.line(s.Text))
	}
	return p.lines
}

func (p *page) line(sentence string) line {
	l := line{text: sentence, stems: map[string]bool{}}
	for _, stem := range text.Stems(sentence, p.language) {
		l.stems[stem] = true
	}
	return l
}

// attributed takes who the document is attributed to, where the text names them.
func (p *page) attributed(name *string) claim {
	if name == nil {
		return claim{}
	}
	if place, ok := text.Locate(p.content, *name); ok {
		return claim{Value: *name, Confidence: 0.8, Quote: place.Text}
	}
	return claim{}
}
