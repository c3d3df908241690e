package offline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rostrum/llm/text"
)

// Comparison asks for a comparison of the statements of several subjects.
type Comparison struct {
	Question   string // may be empty
	Statements []Statement
}

// Statement is a statement of a subject, with its number.
type Statement struct {
	Number        int
	Subject, Text string
}

// SupportedSentence is a sentence with the numbers of the statements that support it.
type SupportedSentence struct {
	Text       string `json:"text"`
	Statements []int  `json:"signals"`
}

// ComparisonAnswer is a comparison in the form of the model's answer.
type ComparisonAnswer struct {
	Summaries    []SubjectSummary    `json:"summaries"`
	AtAGlance    []SupportedSentence `json:"at_a_glance"`
	Similarities []SupportedSentence `json:"similarities"`
	Differences  []SupportedSentence `json:"differences"`
	Unique       []SupportedSentence `json:"unique_perspectives"`
	Matrix       []ComparisonCell    `json:"matrix"`
	Attack       []SupportedSentence `json:"attack"`
	Defend       []SupportedSentence `json:"defend"`
	Whitespace   []SupportedSentence `json:"whitespace"`
}

// SubjectSummary is the summary of a subject's statements.
type SubjectSummary struct {
	Subject   string              `json:"subject"`
	Sentences []SupportedSentence `json:"sentences"`
}

// ComparisonCell is the position of a subject on a theme.
type ComparisonCell struct {
	Theme   string `json:"theme"`
	Subject string `json:"subject"`
	Stance  string `json:"stance"`
	SupportedSentence
}

// Limits of a comparison: the similarity from which statements are alike, and up to which one has
// no counterpart.
const (
	alikeFrom  = 0.5
	uniqueUpTo = 0.2
	mostUnique = 2 // per subject
)

// Answer returns the statements that answer the question, the ones of different subjects that are
// alike, and the ones without a counterpart. It judges no stances and fills no map of attack and
// defence.
func (c Comparison) Answer(context.Context) (any, []string, error) {
	none := []SupportedSentence{}
	out := ComparisonAnswer{
		Summaries: []SubjectSummary{}, AtAGlance: c.findAnswers(), Similarities: none, Differences: none, Unique: none,
		Matrix: []ComparisonCell{},
		Attack: none, Defend: none, Whitespace: none,
	}
	count := map[string]int{}
	for i, one := range c.Statements {
		nearest := 0.0
		for j, other := range c.Statements {
			if other.Subject == one.Subject {
				continue
			}
			likeness := text.Overlap(one.Text, other.Text)
			if nearest = max(nearest, likeness); likeness >= alikeFrom && i < j {
				out.Similarities = append(out.Similarities, SupportedSentence{
					fmt.Sprintf("%s: %s %s: %s", one.Subject, one.Text, other.Subject, other.Text),
					[]int{one.Number, other.Number},
				})
			}
		}
		if nearest < uniqueUpTo && count[one.Subject] < mostUnique {
			count[one.Subject]++
			out.Unique = append(out.Unique, SupportedSentence{one.Subject + " alone says: " + one.Text,
				[]int{one.Number}})
		}
	}
	return out, nil, nil
}

// findAnswers returns the statements with the question's names and most other words, best first.
func (c Comparison) findAnswers() []SupportedSentence {
	type answer struct {
		Statement
		share float64
	}
	var all []answer
	language := text.Language(c.Question)
	wanted, names := questionWords(c.Question, language)
	for _, s := range c.Statements {
		if share := shareOf(wanted, names, text.Tokens(s.Text, language), nil); share >= leastMatch {
			all = append(all, answer{s, share})
		}
	}
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(b.share, a.share) })
	out := []SupportedSentence{}
	for _, a := range all[:min(len(all), mostAnswers)] {
		out = append(out, SupportedSentence{a.Subject + " says: " + a.Text, []int{a.Number}})
	}
	return out
}
