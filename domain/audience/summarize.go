package audience

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

var (
	//go:embed summarize.tmpl
	summaryWords string
	//go:embed summarize.json
	summarySchema json.RawMessage

	summaryPrompt = llm.MustPrompt("audience.summarize", summaryWords)
)

// The bounds of a summary: how many reactions a model is shown, the latest ones, how much of each, and how long its lists are.
const (
	mostShown     = 60
	shownRunes    = 600
	summaryTokens = 2000
	topEntries    = 5
	mostPillars   = 10
	contextRunes  = 2000
)

// shown is a reaction as a model is shown it.
type shown struct {
	Number          int // from 1
	Sentiment, Text string
	fact            *fact
}

// entry is something that several reactions have.
type entry struct {
	Text      string `json:"text"`
	Reactions []int  `json:"reactions"` // by their numbers
}

// digested is a model's answer.
type digested struct {
	Headline string  `json:"headline"`
	Context  string  `json:"context"`
	Themes   []entry `json:"themes"`
	Actions  []entry `json:"actions"`
	Risks    []entry `json:"risks"`
}

// brief is what a model is told of a scope.
type brief struct {
	*scope
	Category string
	Count    int
	Overall  model.ReactionSentiment
	Shown    []shown
}

func newBrief(c *scope) brief {
	b := brief{scope: c, Category: c.category, Count: len(c.facts), Overall: *overall(c.counts)}
	for _, f := range c.facts[max(0, len(c.facts)-mostShown):] {
		sentiment := string(model.ValueOr(f.Sentiment, model.ReactionSentimentNeutral))
		b.Shown = append(b.Shown, shown{len(b.Shown) + 1, sentiment, text.Truncate(f.Text, shownRunes), f})
	}
	return b
}

func summaryTask(b brief) (llm.Task, error) {
	task, err := summaryPrompt.Task(b)
	task.Schema, task.MaxTokens = summarySchema, summaryTokens
	task.Builtin = func(context.Context) (string, error) {
		raw, err := json.Marshal(builtinSummary(b))
		return string(raw), err
	}
	return task, err
}

// report works out what a scope's reactions say: sentences and what is alike by a model, every figure from the rows.
func (s *Service) report(ctx context.Context, c *scope, most llm.Limit) (*model.AudienceReport, string, error) {
	out := &model.AudienceReport{
		Headline: "No reactions yet.", OverallSentiment: overall(c.counts), TopThemes: []*model.AudienceTheme{}, TopActions: []*model.AudiencePoint{},
		TopRisks: []*model.AudiencePoint{}, PillarReception: []*model.PillarReception{}, DataWindow: c.window(),
		Context: "Nobody of this audience has reacted to the present text of a document that the filters let through.",
	}
	if len(c.facts) == 0 {
		return out, s.Engine.Model(), nil
	}
	b := newBrief(c)
	task, err := summaryTask(b)
	if err != nil {
		return nil, "", err
	}
	said, answer, err := llm.AskWithin[digested](ctx, s.Engine, most, task)
	if err != nil {
		return nil, "", err
	}
	out.Headline = text.Truncate(strings.TrimSpace(said.Headline), entryRunes)
	out.Context = text.Truncate(strings.TrimSpace(said.Context), contextRunes)
	for _, theme := range b.proven(said.Themes) {
		counts := model.StatusCounts{}
		for _, n := range theme.Reactions {
			count(&counts, model.ValueOr(b.Shown[n-1].fact.Sentiment, model.ReactionSentimentNeutral))
		}
		out.TopThemes = append(out.TopThemes, &model.AudienceTheme{Theme: theme.Text, Reactions: len(theme.Reactions), Sentiment: overall(counts)})
	}
	out.TopActions, out.TopRisks = pointsOf(b.proven(said.Actions)), pointsOf(b.proven(said.Risks))
	out.PillarReception = c.reception()
	return out, answer.Model, nil
}

// proven keeps the entries that some of the shown reactions have, each reaction once, most shared first.
func (b brief) proven(entries []entry) []entry {
	var out []entry
	for _, e := range entries {
		e.Text = text.Truncate(strings.Join(strings.Fields(e.Text), " "), entryRunes)
		e.Reactions = slices.DeleteFunc(slices.Clone(e.Reactions), func(n int) bool { return n < 1 || n > len(b.Shown) })
		slices.Sort(e.Reactions)
		e.Reactions = slices.Compact(e.Reactions)
		if e.Text != "" && len(e.Reactions) > 0 {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(x, y entry) int { return cmp.Compare(len(y.Reactions), len(x.Reactions)) })
	return out[:min(len(out), topEntries)]
}

func pointsOf(entries []entry) []*model.AudiencePoint {
	out := []*model.AudiencePoint{}
	for _, e := range entries {
		out = append(out, &model.AudiencePoint{Text: e.Text, Reactions: len(e.Reactions)})
	}
	return out
}

// window is what a scope spans.
func (c *scope) window() *model.DataWindow {
	w := &model.DataWindow{Reactions: len(c.facts)}
	documents, personas := map[string]bool{}, map[string]bool{}
	for _, f := range c.facts {
		documents[*f.DocumentID], personas[f.PersonaID] = true, true
		at := f.date()
		if w.From == nil || at.Before(*w.From) {
			w.From = &at
		}
		if w.To == nil || at.After(*w.To) {
			w.To = &at
		}
	}
	w.Documents, w.Personas = len(documents), len(personas)
	return w
}

// reception works out how the documents of each pillar were taken, those of most reactions first.
func (c *scope) reception() []*model.PillarReception {
	byPillar := map[string][]*fact{}
	for _, f := range c.facts {
		for _, pillar := range c.pillars[*f.DocumentID] {
			byPillar[pillar] = append(byPillar[pillar], f)
		}
	}
	out := []*model.PillarReception{}
	for pillar, facts := range byPillar {
		out = append(out, received(pillar, facts))
	}
	slices.SortFunc(out, func(a, b *model.PillarReception) int {
		return cmp.Or(cmp.Compare(b.Reactions, a.Reactions), cmp.Compare(a.Pillar, b.Pillar))
	})
	return out[:min(len(out), mostPillars)]
}

func received(pillar string, facts []*fact) *model.PillarReception {
	out := &model.PillarReception{Pillar: pillar, Reactions: len(facts)}
	counts, documents, sum := model.StatusCounts{}, map[string]bool{}, 0.0
	for _, f := range facts {
		count(&counts, model.ValueOr(f.Sentiment, model.ReactionSentimentNeutral))
		documents[*f.DocumentID] = true
		sum += model.ValueOr(f.Rating, 0)
	}
	out.Documents, out.Sentiment = len(documents), overall(counts)
	out.AverageRating = rounded(sum / float64(len(facts)))
	return out
}

// builtinSummary is the built-in engine's answer: what the reactions list themselves, joined where it is said with the same stems.
func builtinSummary(b brief) digested {
	pick := func(of func(*fact) []string) []entry {
		var all []entry
		at := map[string]int{}
		for _, one := range b.Shown {
			for _, words := range of(one.fact) {
				stems := text.Stems(words, "en")
				slices.Sort(stems)
				key := strings.Join(slices.Compact(stems), " ")
				i, known := at[key]
				if !known {
					i, at[key] = len(all), len(all)
					all = append(all, entry{Text: words})
				}
				all[i].Reactions = append(all[i].Reactions, one.Number)
			}
		}
		slices.SortStableFunc(all, func(x, y entry) int { return cmp.Compare(len(y.Reactions), len(x.Reactions)) })
		return append([]entry{}, all[:min(len(all), topEntries)]...)
	}
	out := digested{
		Themes: pick(func(f *fact) []string { return f.Themes }), Actions: pick(func(f *fact) []string { return f.Actions }),
		Risks: pick(func(f *fact) []string { return f.Risks }),
	}
	w := b.window()
	out.Headline = fmt.Sprintf("The audience's view is %s.", b.Overall)
	if len(out.Themes) > 0 {
		out.Headline = fmt.Sprintf("The audience's view is %s; most is said about %s.", b.Overall, lowerFirst(out.Themes[0].Text))
	}
	out.Context = fmt.Sprintf("Reactions: %d, personas: %d, documents: %d. For it: %d, against it: %d, both: %d, neither: %d.", w.Reactions,
		w.Personas, w.Documents, b.counts.Positive, b.counts.Negative, b.counts.Mixed, b.counts.Neutral)
	if len(out.Risks) > 0 {
		out.Context += " The risk seen most: " + strings.TrimRight(out.Risks[0].Text, ".") + "."
	}
	return out
}
