package audience

import (
	"cmp"
	"context"
	"embed"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
)

// ratingSteps is the number of points of the scale.
const ratingSteps = 5

// anchorFiles has a file of anchor statements for each language.
//
//go:embed anchor_*.txt
var anchorFiles embed.FS

// anchorStatements returns the statements by language, in sets of five: one per point of the scale.
var anchorStatements = sync.OnceValue(func() map[string][]string {
	byLanguage := map[string][]string{}
	files, _ := anchorFiles.ReadDir(".") // embedded, so neither call fails
	for _, file := range files {
		raw, _ := anchorFiles.ReadFile(file.Name())
		language := strings.TrimSuffix(strings.TrimPrefix(file.Name(), "anchor_"), ".txt")
		for line := range strings.Lines(string(raw)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				byLanguage[language] = append(byLanguage[language], line)
			}
		}
	}
	return byLanguage
})

// similarityRater rates texts by their similarity to anchor statements for each point of the scale
// (Maier et al. 2025, semantic similarity rating).
type similarityRater struct {
	embedder llm.Embedder
	loading  chan struct{}          // has one element while a goroutine reads or writes anchors
	anchors  map[string][][]float32 // the vectors of the statements by language; nil until they are embedded
}

// newSimilarityRater returns the rater of an embedder; nil without one.
func newSimilarityRater(embedder llm.Embedder) *similarityRater {
	if embedder == nil {
		return nil
	}
	return &similarityRater{embedder: embedder, loading: make(chan struct{}, 1)}
}

// distribute returns the share of each point of the scale in the opinion of a text. It returns
// errs.ModelFailed if the language has no anchor statements, or if the text is equally similar to
// all of a set. It also returns errors of the embedder and the context.
func (r *similarityRater) distribute(ctx context.Context, language, opinion string) ([]float64, error) {
	if anchorStatements()[language] == nil {
		return nil, errs.New(errs.ModelFailed, "there are no statements to compare it with in its language")
	}
	if len(text.Words(opinion)) == 0 {
		return nil, errs.New(errs.ModelFailed, "it has no words of its own")
	}
	anchors, err := r.loadAnchors(ctx)
	if err != nil {
		return nil, err
	}
	vectors, err := r.embedder.Embed(ctx, []string{opinion})
	if err != nil {
		return nil, err
	}
	similarities := make([]float64, len(anchors[language]))
	for i, anchor := range anchors[language] {
		similarities[i] = llm.Similarity(vectors[0], anchor)
	}
	shares := sharesOf(similarities)
	if shares == nil {
		return nil, errs.New(errs.ModelFailed, "it is no more similar to one statement than to another")
	}
	return shares, nil
}

// loadAnchors returns the vectors of all anchor statements, which one call embeds for all
// languages. It returns the embedder's or the context's error; the next call tries again.
func (r *similarityRater) loadAnchors(ctx context.Context) (map[string][][]float32, error) {
	select {
	case r.loading <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-r.loading }()
	if r.anchors != nil {
		return r.anchors, nil
	}
	statements := anchorStatements()
	languages := slices.Sorted(maps.Keys(statements))
	var texts []string
	for _, language := range languages {
		texts = append(texts, statements[language]...)
	}
	vectors, err := r.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	r.anchors = map[string][][]float32{}
	for _, language := range languages {
		n := len(statements[language])
		r.anchors[language], vectors = vectors[:n], vectors[n:]
	}
	return r.anchors, nil
}

// sharesOf returns the mean distribution over the sets. A similarity's share is its distance to the
// smallest of its set, divided by the sum of distances. Sets of equal similarities are left out; if
// no set remains it returns nil.
func sharesOf(similarities []float64) []float64 {
	sum, sets := make([]float64, ratingSteps), 0
	for set := range slices.Chunk(similarities, ratingSteps) {
		least, total := slices.Min(set), 0.0
		for _, similarity := range set {
			total += similarity - least
		}
		if total < leastDifference {
			continue
		}
		sets++
		for i, similarity := range set {
			sum[i] += (similarity - least) / total
		}
	}
	if sets == 0 {
		return nil
	}
	for i := range sum {
		sum[i] /= float64(sets)
	}
	return roundShares(sum)
}

// leastDifference is a sum of differences so small that it may come from rounding.
const leastDifference = 1e-5

// shareUnits is the number of units that a distribution is rounded to.
const shareUnits = 10_000

// roundShares rounds shares to four decimals and keeps their sum at 1. It rounds up the largest
// remainders.
func roundShares(shares []float64) []float64 {
	rounded, order, left := make([]float64, len(shares)), make([]int, len(shares)), shareUnits
	for i, share := range shares {
		units := int(share * shareUnits)
		rounded[i], order[i], left = float64(units), i, left-units
	}
	// without errors of arithmetic, which differ between processors
	remainder := func(i int) float64 { return math.Round(1e6 * (shares[i]*shareUnits - rounded[i])) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for _, i := range order[:max(0, left)] {
		rounded[i]++
	}
	for i := range rounded {
		rounded[i] /= shareUnits
	}
	return rounded
}

// meanRating returns the expected rating of a distribution to one decimal.
func meanRating(shares []float64) float64 { return math.Round(10*expectation(shares)) / 10 }

// expectation returns the mean of a distribution over the scale.
func expectation(shares []float64) float64 {
	mean := 0.0
	for i, share := range shares {
		mean += float64(i+1) * share
	}
	return mean
}

// evenVariance is the variance of five equal shares.
const evenVariance = 2.0

// concentration returns how narrow a distribution is, to two decimals: 1 for a single point of the
// scale, 0 if its variance is at least that of five equal shares.
func concentration(shares []float64) float64 {
	mean, variance := expectation(shares), 0.0
	for i, share := range shares {
		distance := float64(i+1) - mean
		variance += share * distance * distance
	}
	return roundHundredth(max(0, 1-variance/evenVariance))
}
