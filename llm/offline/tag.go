package offline

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
	"rostrum/llm/text/value"
)

// Tagging asks for the values of auto-tags in a document.
type Tagging struct {
	Title, Text        string
	Company, Executive string // of the document's attribution; may be empty
	Tags               []Tag
}

// Tag is an auto-tag.
type Tag struct {
	Key                     string
	Name, Type, Description string
	Allowed                 []string // the only values; empty for any
	Known                   []string // values in use
	Manual                  bool     // the only value is found by examples
	Nearest                 *Neighbor
}

// Neighbor is the example most similar to the document.
type Neighbor struct {
	Value, Passage string
	Similarity     float64 // 0 to 1
}

// TagClaim is the value of an auto-tag in the form of the model's answer.
type TagClaim struct {
	Tag        string  `json:"tag"`
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"`
	Quote      string  `json:"quote"`
}

// TaggingAnswer holds the values of auto-tags that the document's words decide.
type TaggingAnswer struct {
	Values []TagClaim `json:"values"`
}

// The confidence in values, rounded from the share that was right in bench/quality/tag/dev.txt. Words
// decide a decided value. A person reviews a doubtful one, for example because passages differ.
const (
	decidedTag  = 0.9
	doubtfulTag = 0.4
)

// The limits of reading a document.
const (
	mostTagged = 24_000 // characters
	tagQuote   = 300    // characters
)

// taggedText is a document prepared for any number of auto-tags.
type taggedText struct {
	Tagging
	language  string
	words     *lexicon
	sentences []sentence // the title's first
	inTitle   int        // the number of these
	people    []string
}

// Answer returns a TaggingAnswer.
func (t Tagging) Answer(context.Context) (any, []string, error) {
	d := newTaggedText(t)
	out := TaggingAnswer{Values: []TagClaim{}}
	for _, tag := range t.Tags {
		if found := d.findValue(tag); found.Value != "" {
			found.Tag, found.Quote = tag.Key, text.Truncate(found.Quote, tagQuote)
			out.Values = append(out.Values, found)
		}
	}
	return out, nil, nil
}

func newTaggedText(t Tagging) *taggedText {
	t.Text = text.Truncate(t.Text, mostTagged)
	d := &taggedText{Tagging: t, language: text.Language(t.Text)}
	if d.language == "" {
		d.language = "en"
	}
	d.words = lexiconOf(d.language)
	d.sentences = readSentences(text.Sentences(t.Title), d.language)
	d.inTitle = len(d.sentences)
	d.sentences = append(d.sentences, readSentences(text.Sentences(t.Text), d.language)...)
	d.people = speaker.Read(speaker.Source{Title: t.Title, Text: t.Text}).People()
	return d
}

// findValue returns the value that the document's words decide, else a similar example's, else an
// empty claim.
func (d *taggedText) findValue(t Tag) TagClaim {
	if t.Manual {
		return byExample(t)
	}
	found := d.findLabelled(t)
	if found.Value == "" {
		found = d.findByKind(t)
	}
	if similar := byExample(t); similar.Confidence > found.Confidence {
		return similar
	}
	return found
}

func (d *taggedText) findByKind(t Tag) TagClaim {
	kind := value.KindOf(t.Type)
	switch {
	case kind == value.Boolean:
		return d.findBoolean(t)
	case kind == value.Sentiment:
		return d.findSentiment(t)
	case len(t.Allowed) > 0:
		return d.findListed(t, t.Allowed)
	case kind == value.Number:
		return d.findNumber(t)
	case kind == value.Date:
		return d.findDate(t)
	case kind == value.Person || kind == value.Company:
		return d.findParty(t, kind)
	case kind == value.Place:
		return d.findPlace(t)
	case kind == value.Text:
		return d.findListed(t, t.Known)
	}
	return TagClaim{}
}

// byExample returns the value of the most similar example. Short texts of the same kind share few
// words, so a similarity of 0.3 is a confidence of about 0.5.
func byExample(t Tag) TagClaim {
	if t.Nearest == nil {
		return TagClaim{}
	}
	far := 1 - t.Nearest.Similarity
	return TagClaim{Value: t.Nearest.Value, Confidence: min(1-far*far, 1), Quote: t.Nearest.Passage}
}

var labelMark = regexp.MustCompile(`^[\s>#*_-]*([^:：\n]{1,80}?)[\s*_]*[:：][*_]*\s*(\S[^\n]*)$`)

// longestLabelled is the number of words of a value after its label; longer lines are prose.
const longestLabelled = 12

// findLabelled returns the value of a line that begins with the name of the auto-tag and a colon.
func (d *taggedText) findLabelled(t Tag) TagClaim {
	kind := value.KindOf(t.Type)
	for line := range strings.Lines(d.Text) {
		parts := labelMark.FindStringSubmatch(strings.TrimSpace(line))
		if parts == nil || !slices.Equal(text.Stems(parts[1], d.language), text.Stems(t.Name, d.language)) ||
			len(text.Words(parts[2])) > longestLabelled {
			continue
		}
		said := strings.TrimRight(text.Plain(parts[2]), ". ")
		if kind == value.Company && !startsUpper(said) {
			continue
		}
		if len(t.Allowed) > 0 && !slices.ContainsFunc(t.Allowed,
			func(one string) bool { return strings.EqualFold(one, said) }) {
			continue
		}
		if canonical, reason := value.Read(kind, said); reason == "" && kind != value.Sentiment {
			return TagClaim{Value: canonical, Confidence: decidedTag, Quote: strings.TrimSpace(line)}
		}
	}
	return TagClaim{}
}

// subjectOf returns the stems of an auto-tag's name, for example "plant" for "Plant location". It
// leaves out notes in brackets and words for the kind of values.
func (d *taggedText) subjectOf(t Tag) []string {
	name, _, _ := strings.Cut(t.Name, "(")
	var stems []string
	for _, token := range text.Tokens(name, d.language) {
		if !token.Stop && !d.words.has("generic", token) {
			stems = append(stems, token.Stem)
		}
	}
	return stems
}

// isStatement reports whether a sentence states something. Questions and negated sentences do not.
func (d *taggedText) isStatement(s sentence) bool {
	return !text.Asks(s.Text) && !slices.ContainsFunc(s.tokens, d.words.isNegation)
}
