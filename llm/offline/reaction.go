package offline

import (
	"context"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Reaction asks for the passages of a text on the concerns of a persona.
type Reaction struct {
	Study    *Study
	Concerns []Concern
	Options  []string // options of the persona that only a text model follows
}

// ReactionAnswer is an extract in the form of a model's reaction. It has no risks and actions,
// because these are opinions.
type ReactionAnswer struct {
	Text    string   `json:"text"`
	Stance  string   `json:"stance"` // always neutral; the caller drops it
	Themes  []string `json:"themes"`
	Risks   []string `json:"risks"`
	Actions []string `json:"actions"`
	Quotes  []string `json:"quotes"`
}

// The limits of an extract.
const (
	mostPassages = 4
	mostNotFound = 4
	mostThemes   = 4
	passageRunes = 300
)

// Answer returns a ReactionAnswer.
func (r Reaction) Answer(context.Context) (any, []string, error) {
	return extractOf(r.Study, r.Study.Read(r.Concerns)), ignoredOptions(r.Options), nil
}

// extractOf returns a reading as an answer.
func extractOf(study *Study, found Reading) ReactionAnswer {
	out := ReactionAnswer{Stance: "neutral", Themes: []string{}, Risks: []string{}, Actions: []string{}, Quotes: []string{}}
	lines := []string{"There is no opinion: no text model is configured."}
	if len(found.Passages) > 0 {
		lines[0] = "This is an extract of the text, not an opinion: no text model is configured."
	}
	for _, p := range found.Passages[:min(len(found.Passages), mostPassages)] {
		said := text.Truncate(p.Text, passageRunes)
		lines = append(lines, "With words like “"+p.About+"”: “"+said+"”")
		out.Quotes = append(out.Quotes, said)
		if !slices.Contains(out.Themes, p.About) {
			out.Themes = append(out.Themes, p.About)
		}
	}
	for _, phrase := range text.Keyphrases(study.Content, mostThemes) {
		if len(out.Themes) < mostThemes {
			out.Themes = append(out.Themes, phrase.Text)
		}
	}
	out.Text = strings.Join(append(lines, found.describeRest()...), "\n")
	return out
}

// describeRest says for which words no passage was found, and if there is no passage at all.
func (r Reading) describeRest() []string {
	switch {
	case r.isForeign && len(r.Passages) == 0:
		return []string{"The persona's words are in another language than the text, so they cannot be compared."}
	case len(r.NotFound) > 0:
		return []string{notFound(r.NotFound[:min(len(r.NotFound), mostNotFound)], "; ")}
	case len(r.Passages) == 0:
		return []string{"No passage found with words of the persona's interests and concerns."}
	}
	return nil
}

// notFound says that no passage has the words. It does not say that no text is about them.
func notFound(words []string, separator string) string {
	return "No passage found with these words: " + strings.Join(words, separator) + "."
}
