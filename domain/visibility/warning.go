package visibility

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// Material is published outside the workspace: by a link, an export or a webhook.
type Material struct {
	Addresses []string // destinations
	Text      string   // without markup
}

// Embargoed is a text under embargo.
type Embargoed struct {
	Name           string // the kind and the id, for the warning
	Title, Content string
	Addresses      [3]string // URLs of its source; "" if there are fewer
	Until          time.Time
}

// The lengths, in letters and digits, from which a title or a sentence identifies a text.
const (
	minTitle    = 16
	minSentence = 30
)

// Warnings returns for each material a warning per text under embargo that it leads to, or has the
// title or a sentence of.
func Warnings(materials []Material, texts []Embargoed) [][]string {
	out := make([][]string, len(materials))
	prepared := make([][]string, len(texts))
	for i, t := range texts {
		prepared[i] = t.passages()
	}
	for i, m := range materials {
		out[i] = []string{}
		shared := lettersOf(m.Text)
		for j, t := range texts {
			hasPassage := shared != "" && slices.ContainsFunc(prepared[j],
				func(passage string) bool { return strings.Contains(shared, passage) })
			if hasPassage || t.isAddressed(m.Addresses) {
				out[i] = append(out[i], fmt.Sprintf("%s is under embargo until %s", t.Name,
					t.Until.UTC().Format(time.RFC3339)))
			}
		}
	}
	return out
}

// isAddressed reports whether one of the addresses is an address of the text.
func (t Embargoed) isAddressed(addresses []string) bool {
	return slices.ContainsFunc(addresses, func(address string) bool {
		address = strings.TrimRight(address, "/")
		return address != "" && slices.ContainsFunc(t.Addresses[:],
			func(own string) bool { return strings.TrimRight(own, "/") == address })
	})
}

// passages returns the parts that identify the text: title and sentences, unless they are too
// short.
func (t Embargoed) passages() (out []string) {
	if title := lettersOf(t.Title); utf8.RuneCountInString(title) >= minTitle {
		out = append(out, title)
	}
	for _, sentence := range text.Sentences(t.Content) {
		if letters := lettersOf(sentence.Text); utf8.RuneCountInString(letters) >= minSentence {
			out = append(out, letters)
		}
	}
	return out
}

// lettersOf returns a text's letters and digits in lower case, so that markup and line breaks do
// not matter.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
