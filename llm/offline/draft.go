package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Draft asks for the fields of a persona from texts by it or about it.
type Draft struct {
	Name     string
	Material []string
	Own      bool     // the persona wrote the material
	Wanted   []string // the fields to write, by their names in DraftAnswer
	Options  []string // options of the request that only a text model follows
}

// DraftAnswer holds the fields of a drafted persona. A field that no text shows is empty.
type DraftAnswer struct {
	Category           string `json:"category"`
	Description        string `json:"description"`
	CommunicationStyle string `json:"communication_style"`
	Concerns           string `json:"concerns"`
	Interests          string `json:"interests"`
	Tone               string `json:"tone"`
}

const mostInterests = 4

// Answer returns a DraftAnswer. It fails with engine_required without material.
func (d Draft) Answer(context.Context) (any, []string, error) {
	out, found := d.Fields()
	if !found {
		return nil, nil, Required("a persona without texts by it or about it")
	}
	written := map[string]string{
		"category": out.Category, "description": out.Description, "communication_style": out.CommunicationStyle,
		"concerns":  out.Concerns,
		"interests": out.Interests, "tone": out.Tone,
	}
	missing := slices.DeleteFunc(slices.Clone(d.Wanted), func(name string) bool { return written[name] != "" })
	warnings := ignoredOptions(d.Options)
	if len(missing) > 0 {
		warnings = append(warnings, "not written without a text model: "+strings.Join(missing, ", "))
	}
	return out, warnings, nil
}

// Fields returns the material's key phrases as interests, and the measured style of own texts;
// false without material.
func (d Draft) Fields() (out DraftAnswer, found bool) {
	all := strings.Join(d.Material, "\n\n")
	var subjects []string
	for _, phrase := range text.Keyphrases(all, 2*mostInterests) {
		if len(subjects) < mostInterests && text.Overlap(phrase.Text, d.Name) == 0 {
			subjects = append(subjects, phrase.Text)
		}
	}
	if len(subjects) == 0 {
		return out, false
	}
	out = DraftAnswer{Interests: strings.Join(subjects, ", ")}
	out.Description = fmt.Sprintf("Documents that mention %s are on %s.", d.Name, out.Interests)
	if d.Own {
		out.Description = fmt.Sprintf("The texts of %s are on %s.", d.Name, out.Interests)
		out.CommunicationStyle = describeStyle(all)
	}
	return out, true
}

// describeStyle returns the measured style of texts.
func describeStyle(all string) string {
	words, sentences := len(text.Words(all)), len(text.Sentences(all))
	style := fmt.Sprintf("Sentences of about %d words", words/max(1, sentences))
	if strings.Contains(all, "?") {
		style += ", with questions"
	}
	personal := func(w text.Span) bool { return slices.Contains([]string{"i", "we"}, strings.ToLower(w.Text)) }
	if slices.ContainsFunc(text.Words(all), personal) {
		style += ", in the first person"
	}
	return style + "."
}

// Claims asks for statements of a persona in documents.
type Claims struct {
	Name      string
	Concerns  []Concern
	Documents []string
	Most      int
}

// ClaimsAnswer holds statements with the passages that show them.
type ClaimsAnswer struct {
	Statements []Claim `json:"statements"`
}

// Claim is a statement with its passage.
type Claim struct {
	Statement string `json:"statement"`
	Quote     string `json:"quote"`
	Document  int    `json:"document"` // its number in the prompt, from 1
}

// Answer returns the sentences that name the persona, then the sentences on its concerns.
func (c Claims) Answer(context.Context) (any, []string, error) {
	var named, touching []Claim
	for i, content := range c.Documents {
		for _, s := range text.Prose(content) {
			claim := Claim{text.Plain(s.Text), s.Text, i + 1}
			if text.Covered(c.Name, s.Text) == 1 {
				named = append(named, claim)
			} else if slices.ContainsFunc(c.Concerns, func(concern Concern) bool { return concern.Mentioned(s.Text) }) {
				touching = append(touching, claim)
			}
		}
	}
	all := append(named, touching...)
	return ClaimsAnswer{append([]Claim{}, all[:min(len(all), c.Most)]...)}, nil, nil
}
