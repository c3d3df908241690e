package offline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Summary asks for the entries that reactions have in common.
type Summary struct {
	Overall   string // sentiment of the audience; empty without opinions
	Opinions  int    // number of reactions that the sentiment rests on
	Count     int    // number of reactions
	Reactions []SummarizedReaction
	Context   string // extent of the data
}

// SummarizedReaction is a reaction with its number.
type SummarizedReaction struct {
	Number                 int
	Themes, Actions, Risks []string
}

// SharedEntry is an entry that several reactions have in common.
type SharedEntry struct {
	Text      string `json:"text"`
	Reactions []int  `json:"reactions"` // their numbers
}

// SummaryAnswer is a summary in the form of the model's answer.
type SummaryAnswer struct {
	Headline string        `json:"headline"`
	Context  string        `json:"context"`
	Themes   []SharedEntry `json:"themes"`
	Actions  []SharedEntry `json:"actions"`
	Risks    []SharedEntry `json:"risks"`
}

// mostShared is the maximum number of entries in each list of a summary.
const mostShared = 5

// Answer returns a SummaryAnswer: the entries by their number of reactions. Entries with the same
// stems are one.
func (s Summary) Answer(context.Context) (any, []string, error) {
	out := SummaryAnswer{
		Themes:  s.share(func(r SummarizedReaction) []string { return r.Themes }),
		Actions: s.share(func(r SummarizedReaction) []string { return r.Actions }),
		Risks:   s.share(func(r SummarizedReaction) []string { return r.Risks }),
		Context: s.Context,
	}
	out.Headline = "No reaction has a rating, so the audience's view is not known"
	if s.Overall != "" {
		out.Headline = fmt.Sprintf("The audience's view is %s, by the ratings of %d of %d reactions", s.Overall, s.Opinions,
			s.Count)
	}
	if len(out.Themes) > 0 {
		out.Headline += "; the most frequent theme is " + out.Themes[0].Text
	}
	out.Headline += "."
	return out, nil, nil
}

func (s Summary) share(entries func(SummarizedReaction) []string) []SharedEntry {
	all := []SharedEntry{}
	at := map[string]int{}
	for _, r := range s.Reactions {
		for _, words := range entries(r) {
			stems := text.Stems(words, "en")
			slices.Sort(stems)
			key := strings.Join(slices.Compact(stems), " ")
			i, known := at[key]
			if !known {
				i, at[key] = len(all), len(all)
				all = append(all, SharedEntry{Text: words})
			}
			all[i].Reactions = append(all[i].Reactions, r.Number)
		}
	}
	slices.SortStableFunc(all, func(x, y SharedEntry) int { return cmp.Compare(len(y.Reactions), len(x.Reactions)) })
	return all[:min(len(all), mostShared)]
}
