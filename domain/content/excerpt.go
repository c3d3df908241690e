package content

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rostrum/llm"
	"rostrum/llm/text"
)

// excerptRunes is the length in code points up to which a model reads a whole text. Of a longer
// text it reads the nearest passages.
const excerptRunes = 24_000

// nearestLimit limits comparing passages by meaning. After that only their words are compared.
var nearestLimit = llm.Limit{Time: 10 * time.Second}

// excerptFor returns the passages of a long text that are nearest to the queries, in the order of
// the text with "[…]" between them. Queries choose in turn, by words and by meaning; the rest of
// 24,000 characters comes from the start. isCut is true if the text was longer. It returns the
// context's error.
func (s *Service) excerptFor(ctx context.Context, content string, queries []string) (excerpt string, isCut bool,
	err error) {
	if utf8.RuneCountInString(content) <= excerptRunes {
		return content, false, nil
	}
	spans := text.Passages(content)
	passages := make([]string, len(spans))
	inOrder := make([]int, len(spans))
	for i, span := range spans {
		passages[i], inOrder[i] = span.Text, i
	}
	rankings, err := s.rankByMeaning(ctx, passages, queries)
	if err != nil {
		return "", false, err
	}
	index := text.NewIndex(passages)
	for _, query := range queries {
		rankings = append(rankings, rankBy(index.Similarities(query)))
	}
	chosen := choosePassages(spans, append(rankings, inOrder))
	if len(chosen) == 0 { // a single sentence
		return content, false, nil
	}
	return joinPassages(content, chosen), true, nil
}

// rankByMeaning ranks the passages for each query with the embedding model. Without a model, or if
// it fails, there are no rankings. It returns the context's error.
func (s *Service) rankByMeaning(ctx context.Context, passages, queries []string) ([][]int, error) {
	if s.embedder == nil {
		return nil, nil
	}
	texts := slices.Concat(queries, passages)
	for i, given := range texts {
		texts[i] = text.Truncate(given, llm.EmbeddedRunes)
	}
	vectors, err := llm.Within(ctx, nearestLimit, func(ctx context.Context) ([][]float32,
		error) {
		return s.embedder.Embed(ctx, texts)
	})
	if err != nil {
		if ctx.Err() == nil && llm.IsFailure(err) {
			return nil, nil
		}
		return nil, err
	}
	rankings := make([][]int, len(queries))
	for i := range queries {
		similarities := make([]float64, len(passages))
		for j := range passages {
			similarities[j] = llm.Similarity(vectors[i], vectors[len(queries)+j])
		}
		rankings[i] = rankBy(similarities)
	}
	return rankings, nil
}

// rankBy returns the indexes of the similarities above 0, the greatest first.
func rankBy(similarities []float64) []int {
	var ranking []int
	for i, similarity := range similarities {
		if similarity > 0 {
			ranking = append(ranking, i)
		}
	}
	slices.SortStableFunc(ranking, func(a, b int) int { return cmp.Compare(similarities[b], similarities[a]) })
	return ranking
}

// choosePassages takes passages from the rankings in turn until the excerpt is full, and returns
// them in the order of the text.
func choosePassages(spans []text.Span, rankings [][]int) []text.Span {
	isChosen, left := make([]bool, len(spans)), excerptRunes
	for at := range spans {
		for _, ranking := range rankings {
			if at >= len(ranking) || isChosen[ranking[at]] {
				continue
			}
			if size := spans[ranking[at]].End - spans[ranking[at]].Start; size <= left {
				isChosen[ranking[at]], left = true, left-size
			}
		}
	}
	var chosen []text.Span
	for i, span := range spans {
		if isChosen[i] {
			chosen = append(chosen, span)
		}
	}
	return chosen
}

// joinPassages returns the passages of a text with "[…]" in the place of the parts between them.
func joinPassages(content string, chosen []text.Span) string {
	const mark = "[…]"
	runes, end := []rune(content), 0
	var b strings.Builder
	for _, span := range chosen {
		between := string(runes[end:span.Start])
		if strings.TrimSpace(between) != "" {
			between = "\n\n" + mark + "\n\n"
		}
		b.WriteString(between + span.Text)
		end = span.End
	}
	if strings.TrimSpace(string(runes[end:])) != "" {
		b.WriteString("\n\n" + mark)
	}
	return strings.TrimSpace(b.String())
}
