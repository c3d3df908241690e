package audience

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/fact"
	"rostrum/llm/text/proof"
	"rostrum/model"
	"rostrum/model/optional"
)

var (
	//go:embed summarize.tmpl
	summaryWords string
	//go:embed summarize.json
	summarySchema json.RawMessage

	summaryPrompt = llm.MustPrompt("audience.summarize", summaryWords)
)

// Limits of a summary: the number and length of reactions in the prompt, and of the answer's lists.
const (
	mostShown     = 60
	shownRunes    = 600
	summaryTokens = 2000
	topEntries    = 5
	mostPillars   = 10
	contextRunes  = 2000
)

// numberedReaction is a reaction in the prompt.
type numberedReaction struct {
	Number          int    // from 1
	Sentiment, Text string // the sentiment is "no rating" without one
	fact            *documentReaction
}

// summaryBrief is the prompt's data.
type summaryBrief struct {
	*summaryScope
	Category string
	Count    int
	Overall  *model.ReactionSentiment // nil without opinions
	Shown    []numberedReaction
}

func newBrief(c *summaryScope) summaryBrief {
	b := summaryBrief{summaryScope: c, Category: c.category, Count: len(c.facts), Overall: overallSentiment(c.counts)}
	for _, f := range c.facts[max(0, len(c.facts)-mostShown):] {
		_, sentiment := f.opinion()
		b.Shown = append(b.Shown, numberedReaction{len(b.Shown) + 1, string(optional.ValueOr(sentiment, "no rating")),
			text.Truncate(f.Text, shownRunes), f})
	}
	return b
}

func summaryTask(b summaryBrief) (llm.Task, error) {
	task, err := summaryPrompt.Task(b)
	task.Schema, task.MaxTokens = summarySchema, summaryTokens
	task.Input = b.offlineSummary()
	return task, err
}

// makeReport summarizes the reactions of a scope. The model writes sentences and groups entries;
// all figures come from the rows. The evidence is the reactions of its entries. It returns the
// model's error.
func (s *Service) makeReport(ctx context.Context, c *summaryScope, most llm.Limit) (*model.AudienceReport,
	*model.SummaryEvidence, string, error) {
	out := &model.AudienceReport{
		Headline: "No reactions yet.", OverallSentiment: overallSentiment(c.counts),
		TopThemes: []*model.AudienceTheme{}, TopActions: []*model.AudiencePoint{},
		TopRisks: []*model.AudiencePoint{}, PillarReception: []*model.PillarReception{}, DataWindow: c.dataWindow(),
		Context: "Nobody of this audience has reacted to the present text of a document that the filters let through.",
	}
	if len(c.facts) == 0 {
		return out, &model.SummaryEvidence{}, s.Engine.Model(), nil
	}
	b := newBrief(c)
	task, err := summaryTask(b)
	if err != nil {
		return nil, nil, "", err
	}
	said, answer, err := llm.AskWithin[offline.SummaryAnswer](ctx, s.Engine, most, task)
	if err != nil {
		return nil, nil, "", err
	}
	if out.Headline = b.keepCounted(text.Truncate(strings.TrimSpace(said.Headline), entryRunes)); out.Headline == "" {
		return nil, nil, "", errs.New(errs.ModelFailed, "the text model's headline has a number that no reaction has")
	}
	out.Context = b.keepCounted(text.Truncate(strings.TrimSpace(said.Context), contextRunes))
	themes, actions, risks := b.verifyEntries(said.Themes), b.verifyEntries(said.Actions), b.verifyEntries(said.Risks)
	for _, theme := range themes {
		counts := model.StatusCounts{}
		for _, n := range theme.Reactions {
			addSentiment(&counts, b.Shown[n-1].fact)
		}
		out.TopThemes = append(out.TopThemes, &model.AudienceTheme{Theme: theme.Text,
			ReactionCount: len(theme.Reactions), Sentiment: overallSentiment(counts)})
	}
	out.TopActions, out.TopRisks = pointsOf(actions), pointsOf(risks)
	out.PillarReception = c.pillarReceptions()
	return out, &model.SummaryEvidence{
		Themes: b.reactionsOf(themes), Actions: b.reactionsOf(actions), Risks: b.reactionsOf(risks),
		Quotes: b.quotesOf(themes),
	}, answer.Model, nil
}

// verifyEntries returns the entries that shown reactions back, most shared first.
func (b summaryBrief) verifyEntries(entries []offline.SharedEntry) []offline.SharedEntry {
	var out []offline.SharedEntry
	for _, e := range entries {
		e.Text = text.Truncate(strings.Join(strings.Fields(e.Text), " "), entryRunes)
		e.Reactions = slices.DeleteFunc(slices.Clone(e.Reactions),
			func(n int) bool { return n < 1 || n > len(b.Shown) || !b.Shown[n-1].backs(e.Text) })
		slices.Sort(e.Reactions)
		e.Reactions = slices.Compact(e.Reactions)
		if e.Text != "" && len(e.Reactions) > 0 {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(x, y offline.SharedEntry) int {
		return cmp.Compare(len(y.Reactions), len(x.Reactions))
	})
	return out[:min(len(out), topEntries)]
}

// backs reports whether a reaction's text or lists concern an entry of a summary. A reaction in
// another language always does, because words cannot be compared.
func (r numberedReaction) backs(entry string) bool {
	evidence := strings.Join(slices.Concat([]string{r.fact.Text}, r.fact.Themes, r.fact.Actions, r.fact.Risks), "\n")
	return proof.Related(evidence, entry) || !slices.Contains([]string{"en", ""}, text.Language(r.fact.Text))
}

// keepCounted removes sentences with a number that neither a reaction nor a count has.
func (b summaryBrief) keepCounted(said string) string {
	known := []string{b.dataText()}
	for _, one := range b.Shown {
		known = slices.Concat(known, []string{one.Text}, one.fact.Themes, one.fact.Actions, one.fact.Risks)
	}
	var kept []string
	for _, sentence := range text.Sentences(said) {
		if len(fact.Added(sentence.Text, known...)) == 0 {
			kept = append(kept, sentence.Text)
		}
	}
	return strings.Join(kept, " ")
}

// dataText returns a sentence with all counts.
func (b summaryBrief) dataText() string {
	w := b.dataWindow()
	said := fmt.Sprintf("Reactions: %d, personas: %d, documents: %d. Opinions: %d.", w.Reactions, w.Personas, w.Documents,
		b.counts.Opinions())
	if b.counts.Opinions() == 0 {
		return said
	}
	return said + fmt.Sprintf(" For it: %d, against it: %d, both: %d, neither: %d.", b.counts.Positive, b.counts.Negative,
		b.counts.Mixed, b.counts.Neutral)
}

func pointsOf(entries []offline.SharedEntry) []*model.AudiencePoint {
	out := []*model.AudiencePoint{}
	for _, e := range entries {
		out = append(out, &model.AudiencePoint{Text: e.Text, ReactionCount: len(e.Reactions)})
	}
	return out
}

// dataWindow returns the extent of the data.
func (c *summaryScope) dataWindow() *model.DataWindow {
	w := &model.DataWindow{Reactions: len(c.facts)}
	documents, personas := map[string]bool{}, map[string]bool{}
	for _, f := range c.facts {
		documents[*f.DocumentID], personas[f.PersonaID] = true, true
		at := f.publishedAt()
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

// pillarReceptions returns the reception of the documents of each pillar, most reactions first.
func (c *summaryScope) pillarReceptions() []*model.PillarReception {
	byPillar := map[string][]*documentReaction{}
	for _, f := range c.facts {
		for _, pillar := range c.pillars[*f.DocumentID] {
			byPillar[pillar] = append(byPillar[pillar], f)
		}
	}
	out := []*model.PillarReception{}
	for pillar, facts := range byPillar {
		out = append(out, receptionOf(pillar, facts))
	}
	slices.SortFunc(out, func(a, b *model.PillarReception) int {
		return cmp.Or(cmp.Compare(b.Reactions, a.Reactions), cmp.Compare(a.Pillar, b.Pillar))
	})
	return out[:min(len(out), mostPillars)]
}

func receptionOf(pillar string, facts []*documentReaction) *model.PillarReception {
	out := &model.PillarReception{Pillar: pillar, Reactions: len(facts)}
	counts, documents, ratings := model.StatusCounts{}, map[string]bool{}, []float64{}
	for _, f := range facts {
		addSentiment(&counts, f)
		documents[*f.DocumentID] = true
		if rating, _ := f.opinion(); rating != nil {
			ratings = append(ratings, *rating)
		}
	}
	out.Documents, out.Sentiment, out.AverageRating = len(documents), overallSentiment(counts), averageOf(ratings)
	return out
}

// offlineSummary returns the reactions for the offline engine.
func (b summaryBrief) offlineSummary() offline.Summary {
	out := offline.Summary{Overall: string(optional.ValueOr(b.Overall, "")), Opinions: b.counts.Opinions(), Count: b.Count,
		Context: b.dataText()}
	for _, one := range b.Shown {
		out.Reactions = append(out.Reactions, offline.SummarizedReaction{Number: one.Number, Themes: one.fact.Themes,
			Actions: one.fact.Actions, Risks: one.fact.Risks})
	}
	return out
}
