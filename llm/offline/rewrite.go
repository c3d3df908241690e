package offline

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"rostrum/llm/text"
	"rostrum/llm/text/fact"
	"rostrum/llm/text/style"
)

// Restyling asks for a text without markers of machine style.
type Restyling struct {
	Text    string
	Options []string // options of the request that only a text model follows
}

// Answer returns the text; its facts and all else are unchanged.
func (r Restyling) Answer(context.Context) (any, []string, error) {
	return style.Rewrite(r.Text), ignoredOptions(r.Options), nil
}

// Rewriting asks for new wordings of parts of a text.
type Rewriting struct {
	Parts   []RewritePart
	Options []string // options of the request that only a text model follows
}

// RewritePart is a part to rewrite and what is asked of it.
type RewritePart struct {
	Text    string
	Actions []string
}

// Wordings is the answer to Rewriting, in the form of the model's.
type Wordings struct {
	Parts []PartWording `json:"parts"`
}

// PartWording is the wording of a part, numbered from 1.
type PartWording struct {
	Part int    `json:"part"`
	Text string `json:"text"`
}

// Answer returns the parts without markers of machine style. Shorter ones lose their lower-ranked
// sentences, and simpler ones get shorter sentences. Actions that ask for anything else are
// ignored.
func (r Rewriting) Answer(context.Context) (any, []string, error) {
	out, ignored := Wordings{Parts: []PartWording{}}, slices.Clone(r.Options)
	for i, part := range r.Parts {
		said := part.Text
		for _, action := range part.Actions {
			asked := strings.ToLower(action)
			shorter := containsAny(asked, "short", "concise", "brief", "trim", "condense", "kürz", "court", "breve")
			simpler := containsAny(asked, "short", "simpl", "clear", "plain", "split", "einfach", "clair", "claro")
			if shorter {
				said = condense(said)
			}
			if simpler {
				said = splitSemicolons(said)
			}
			if name := "“" + action + "”"; !shorter && !simpler && !slices.Contains(ignored, name) {
				ignored = append(ignored, name)
			}
		}
		out.Parts = append(out.Parts, PartWording{i + 1, style.Rewrite(said)})
	}
	return out, ignoredOptions(ignored), nil
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
}

// condense returns the text without lower-ranked sentences, but keeps sentences with facts.
func condense(s string) string {
	pieces := text.Pieces(s)
	if len(pieces) < 2 {
		return s
	}
	ranked := text.Rank(s, (len(pieces)+1)/2)
	kept := slices.DeleteFunc(slices.Clone(pieces), func(piece string) bool {
		main := slices.ContainsFunc(ranked, func(r text.Span) bool { return r.Text == strings.TrimSpace(piece) })
		return !main && len(fact.Extract(piece)) == 0
	})
	return strings.Join(kept, "")
}

// splitSemicolons makes sentences of the clauses between semicolons.
func splitSemicolons(s string) string {
	clauses := strings.Split(s, "; ")
	for i, clause := range clauses[1:] {
		word, _, _ := strings.Cut(clause, " ")
		if runes := []rune(clause); strings.ToLower(word) == word && len(runes) > 0 {
			clauses[i+1] = string(unicode.ToUpper(runes[0])) + string(runes[1:])
		}
	}
	return strings.Join(clauses, ". ")
}
