package persona

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/model"
)

// The bounds of what a reply is grounded in, in tokens of about four characters.
const (
	contextBudget  = 2000
	materialBudget = 8000 // of a document that is to be read
	passageTokens  = 120
	readRunes      = 200_000 // of one document that passages are taken from
	candidateDocs  = 20
	shownDropped   = 20
	leastFit       = 0.2 // of a question, for a passage to fit it
)

// Why a passage was carried or dropped.
const (
	reasonDocument   = "document"
	reasonFits       = "fits"
	reasonOverBudget = "over_budget"
	reasonOffTopic   = "off_topic"
)

// passage is a part of a document that may be carried.
type passage struct {
	item *model.GroundedContextItem
	Text string
}

// Titled is the passage under its document's title, as a model is shown it.
func (p passage) Titled() string { return p.item.Title + "\n" + p.Text }

func tokens(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// gather takes from documents what speaks of a question: from those that are named, or else from the workspace's that share its words.
func (s *Service) gather(ctx context.Context, workspaceID, question string, named []string) ([]passage, *model.GroundedContextSelection, error) {
	var docs []*model.Document
	var err error
	if len(named) > 0 {
		docs, err = s.documents.ByIDs(ctx, workspaceID, named, readColumns...)
	} else {
		docs, err = s.documents.Mentioning(ctx, workspaceID, telling(question), candidateDocs, readColumns...)
	}
	if err != nil {
		return nil, nil, err
	}
	carried, selection := pick(passagesOf(docs, question), len(named) > 0)
	return carried, selection, nil
}

var readColumns = []string{"id", "title", "content"}

// telling lists the words of a question that are not too common to look for, each once.
func telling(question string) []string {
	var words []string
	language := languageOf(question)
	for _, word := range text.Words(question) {
		lower := strings.ToLower(word.Text)
		if len(text.Stems(lower, language)) > 0 && !slices.Contains(words, lower) {
			words = append(words, lower)
		}
		if len(words) == 24 {
			break
		}
	}
	return words
}

// languageOf is the language that a question and what is held against it are stemmed in; one that is too short to tell counts as English.
func languageOf(question string) string {
	return cmp.Or(text.Language(question), "en")
}

// passagesOf cuts documents into passages and scores each by how much of the question it speaks of; rare words count more.
func passagesOf(docs []*model.Document, question string) []passage {
	var all []passage
	var stems [][]string
	seen := map[string]int{}
	language := languageOf(question)
	for _, doc := range docs {
		for _, p := range cut(doc) {
			own := slices.Compact(slices.Sorted(slices.Values(text.Stems(p.Text, language))))
			for _, stem := range own {
				seen[stem]++
			}
			all, stems = append(all, p), append(stems, own)
		}
	}
	wanted := slices.Compact(slices.Sorted(slices.Values(text.Stems(question, language))))
	rarity := func(stem string) float64 { return math.Log(1 + float64(len(all)+1)/float64(seen[stem]+1)) }
	total := 0.0
	for _, stem := range wanted {
		total += rarity(stem)
	}
	for i, p := range all {
		for _, stem := range wanted {
			if _, found := slices.BinarySearch(stems[i], stem); found {
				p.item.Score += rarity(stem) / total
			}
		}
		p.item.Score = math.Round(p.item.Score*100) / 100
	}
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.item.Score, a.item.Score) })
	return all
}

// cut joins a document's sentences to passages of at most passageTokens; one sentence is never cut.
func cut(doc *model.Document) []passage {
	content := []rune(model.ValueOr(doc.Content, ""))
	content = content[:min(len(content), readRunes)]
	var out []passage
	start, end := 0, 0
	flush := func() {
		if end > start {
			part := string(content[start:end])
			out = append(out, passage{&model.GroundedContextItem{
				DocumentID: doc.ID, Title: doc.Title, Start: start, End: end, Tokens: tokens(part),
			}, part})
		}
	}
	for _, sentence := range text.Sentences(string(content)) {
		if end > start && sentence.End-start > passageTokens*4 {
			flush()
			start = sentence.Start
		}
		if end == start {
			start = sentence.Start
		}
		end = sentence.End
	}
	flush()
	return out
}

// pick carries the best passages that the budget has room for. What does not speak of the question is told of only when its document was named.
func pick(all []passage, named bool) ([]passage, *model.GroundedContextSelection) {
	selection := &model.GroundedContextSelection{
		BudgetTokens: contextBudget, Items: []*model.GroundedContextItem{}, Dropped: []*model.GroundedContextItem{},
	}
	var carried []passage
	for _, p := range all {
		switch {
		case p.item.Score < leastFit && !named:
			continue
		case p.item.Score < leastFit:
			p.item.Reason = reasonOffTopic
		case selection.UsedTokens+p.item.Tokens > contextBudget:
			p.item.Reason = reasonOverBudget
		default:
			p.item.Reason = reasonFits
			selection.UsedTokens += p.item.Tokens
			selection.Items = append(selection.Items, p.item)
			carried = append(carried, p)
			continue
		}
		if len(selection.Dropped) < shownDropped {
			selection.Dropped = append(selection.Dropped, p.item)
		}
	}
	if len(selection.Items)+len(selection.Dropped) == 0 {
		return nil, nil
	}
	return carried, selection
}

// suggest tells what would ground an answer when most of what is asked stands neither in the persona nor in what was carried.
func suggest(question, corpus string) *model.GroundedContextSuggestion {
	language := languageOf(question)
	known := text.Stems(corpus, language)
	var missing []string
	words := telling(question)
	for _, word := range words {
		if covered(text.Stems(word, language), known) == 0 {
			missing = append(missing, word)
		}
	}
	if len(words) == 0 || float64(len(missing)) < 0.75*float64(len(words)) {
		return nil
	}
	return &model.GroundedContextSuggestion{
		Message:      "neither the persona nor the workspace's documents speak of this: add a document about it, or name one in context_document_ids",
		MissingTerms: missing,
	}
}
