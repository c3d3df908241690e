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

// ReactionAnswer is an extract in the form of a model's reaction.
type ReactionAnswer struct {
	Text    string   `json:"text"`
	Themes  []string `json:"themes"`
	Risks   []string `json:"risks"`
	Actions []string `json:"actions"`
	Quotes  []string `json:"quotes"`
}

// The limits of an extract.
const (
	mostPassages = 4
	mostMissing  = 4
	mostThemes   = 4
	passageRunes = 300
)

// Answer returns a ReactionAnswer.
func (r Reaction) Answer(context.Context) (any, []string, error) {
	return extractOf(r.Study, r.Study.Read(r.Concerns)), ignoredOptions(r.Options), nil
}

// extractOf returns a reading as an answer.
func extractOf(study *Study, found Reading) ReactionAnswer {
	out := ReactionAnswer{Themes: []string{}, Risks: []string{}, Actions: []string{}, Quotes: []string{}}
	lines := []string{"This is an extract of the text, not an opinion: no text model is configured."}
	for _, p := range firstPassages(found.Passages) {
		lines = append(lines, p.describe())
		out.Quotes = append(out.Quotes, p.Text)
		if !slices.Contains(out.Themes, p.About) {
			out.Themes = append(out.Themes, p.About)
		}
		if p.Value < 0 {
			out.Risks = append(out.Risks, p.About+": "+p.Text)
		}
	}
	if len(found.Passages) == 0 {
		lines = append(lines, "It mentions none of the persona's interests and concerns.")
	}
	if missing := found.Missing[:min(len(found.Missing), mostMissing)]; len(missing) > 0 {
		lines = append(lines, "It does not mention: "+strings.Join(missing, "; ")+".")
		for _, phrase := range missing {
			out.Actions = append(out.Actions, "Say what this means for "+phrase)
		}
	}
	for _, phrase := range text.Keyphrases(study.Content, mostThemes) {
		if len(out.Themes) < mostThemes {
			out.Themes = append(out.Themes, phrase.Text)
		}
	}
	out.Text = strings.Join(lines, "\n")
	return out
}

// firstPassages returns the first passages with shortened texts.
func firstPassages(all []Passage) []Passage {
	out := slices.Clone(all[:min(len(all), mostPassages)])
	for i := range out {
		out[i].Text = text.Truncate(out[i].Text, passageRunes)
	}
	return out
}

// describe returns the passage with the concern that it is on.
func (p Passage) describe() string {
	change := ""
	switch {
	case p.Value > 0:
		change = " (improves)"
	case p.Value < 0:
		change = " (worsens)"
	}
	return "On " + p.About + change + ": “" + p.Text + "”"
}
