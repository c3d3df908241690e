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
	"rostrum/model/optional"
)

// Limits of the context of a reply. A token has about four characters.
const (
	contextBudget   = 2000
	materialBudget  = 8000 // tokens of the document to be read
	maxCandidates   = 20
	maxDropped      = 20
	minPassageScore = 0.2 // minimum score of a relevant passage
)

// passage is a part of a document that may be added to a prompt.
type passage struct {
	item *model.GroundedContextItem
	Text string
}

// Titled returns the passage under the title of its document, as shown to a model.
func (p passage) Titled() string { return p.item.Title + "\n" + p.Text }

func countTokens(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// gatheredContext is the part of the documents that a prompt has.
type gatheredContext struct {
	passages  []passage
	selection *model.GroundedContextSelection
	documents int    // that have words of the question, or are named
	warning   string // lists the named documents that the persona may not have read; "" if there are none
}

// gatherPassages returns passages about a question from the named documents. Without any it
// searches documents by words and by meaning. It leaves out what the persona may not have read.
// field names the documents in a warning.
func (s *Service) gatherPassages(ctx context.Context, p *model.Persona, question, field string,
	named []string) (out gatheredContext, err error) {
	near, err := s.nearestPassages(ctx, p, question, named)
	if err != nil {
		return out, err
	}
	var docs []*model.Document
	if len(named) > 0 {
		docs, err = s.documents.ReadableByIDs(ctx, p.WorkspaceID, named, p.MayReadInternal, readColumns...)
		out.warning = unreadNote(field, named, docs)
	} else {
		docs, err = s.mentioningOrNear(ctx, p, question, near)
	}
	if err != nil {
		return out, err
	}
	out.documents = len(docs)
	out.passages, out.selection = pickPassages(near.addScores(scorePassages(docs, question)), len(named) > 0)
	return out, nil
}

// missingNote says why there are no passages.
func (g gatheredContext) missingNote() string {
	if g.documents > 0 {
		return "documents have words of the topic, but no passage of them is close to it"
	}
	return "no document that the persona may read covers the topic"
}

var readColumns = []string{"id", "title", "content"}

// searchWords returns up to 24 distinct words of a question that are not stop words.
func searchWords(question string) []string {
	var words []string
	language := text.GuessLanguage(question)
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

// scorePassages splits documents into passages and scores each by its share of the question, best
// first. Rare words weigh more.
func scorePassages(docs []*model.Document, question string) []passage {
	var all []passage
	var stems [][]string
	seen := map[string]int{}
	language := text.GuessLanguage(question)
	for _, doc := range docs {
		for _, p := range splitPassages(doc) {
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

// splitPassages returns the passages of a document.
func splitPassages(doc *model.Document) []passage {
	spans := text.Passages(optional.ValueOr(doc.Content, ""))
	out := make([]passage, len(spans))
	for i, span := range spans {
		out[i] = passage{&model.GroundedContextItem{
			DocumentID: doc.ID, Title: doc.Title, Start: span.Start, End: span.End, Tokens: countTokens(span.Text),
		}, span.Text}
	}
	return out
}

// pickPassages returns the best passages within the token budget. It reports an irrelevant passage
// as dropped only if its document was named.
func pickPassages(all []passage, named bool) ([]passage, *model.GroundedContextSelection) {
	selection := &model.GroundedContextSelection{
		BudgetTokens: contextBudget, Items: []*model.GroundedContextItem{}, Dropped: []*model.GroundedContextItem{},
	}
	var carried []passage
	for _, p := range all {
		switch {
		case p.item.Score < minPassageScore && !named:
			continue
		case p.item.Score < minPassageScore:
			p.item.Reason = model.PassageReasonOffTopic
		case selection.UsedTokens+p.item.Tokens > contextBudget:
			p.item.Reason = model.PassageReasonOverBudget
		default:
			p.item.Reason = model.PassageReasonFits
			selection.UsedTokens += p.item.Tokens
			selection.Items = append(selection.Items, p.item)
			carried = append(carried, p)
			continue
		}
		if len(selection.Dropped) < maxDropped {
			selection.Dropped = append(selection.Dropped, p.item)
		}
	}
	if len(selection.Items)+len(selection.Dropped) == 0 {
		return nil, nil
	}
	return carried, selection
}

// suggestContext returns a question's missing terms if most of it is found neither in the persona
// nor in the context, else nil. It returns nil if these are in another language than the question,
// because words show nothing then.
func suggestContext(question, corpus string) *model.GroundedContextSuggestion {
	language := text.GuessLanguage(question)
	if known := text.Language(corpus); known != "" && known != language {
		return nil
	}
	known := text.Stems(corpus, language)
	var missing []string
	words := searchWords(question)
	for _, word := range words {
		if coveredShare(text.Stems(word, language), known) == 0 {
			missing = append(missing, word)
		}
	}
	if len(words) == 0 || float64(len(missing)) < 0.75*float64(len(words)) {
		return nil
	}
	return &model.GroundedContextSuggestion{
		Message:      "no passage was found with these words: add a document about it, or name one in context_document_ids",
		MissingTerms: missing,
	}
}
