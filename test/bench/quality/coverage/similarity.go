package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"rostrum/llm"
	"rostrum/llm/server"
	"rostrum/llm/text"
	"rostrum/model"
)

// similarPair is a pair with the greatest similarity of its point to one sentence of its passage,
// or to two that follow each other.
type similarPair struct {
	split      string
	isCovered  bool
	similarity float64
}

// newEmbedder returns the embedding model of the environment.
func newEmbedder() (llm.Embedder, error) {
	address, name := os.Getenv("LLM_BASE_URL"), os.Getenv("LLM_EMBEDDING_MODEL")
	if address == "" || name == "" {
		return nil, errors.New("-similarity needs LLM_BASE_URL and LLM_EMBEDDING_MODEL")
	}
	return server.NewEmbedder(server.Config{Protocol: server.ProtocolOpenAI, BaseURL: address,
		Key: os.Getenv("LLM_API_KEY"), Model: name}), nil
}

// compareByMeaning returns the pairs of a language with their similarity.
func compareByMeaning(ctx context.Context, embedder llm.Embedder, pairs []pair, language string) ([]similarPair,
	error) {
	var out []similarPair
	for _, p := range pairs {
		if language != "" && text.Language(p.passage) != language {
			continue
		}
		vectors, err := embedder.Embed(ctx, append([]string{p.claim}, passagesOf(p.passage)...))
		if err != nil {
			return nil, fmt.Errorf("embed the pair of %q: %w", p.claim, err)
		}
		found := similarPair{split: p.split, isCovered: p.want == model.CoverageVerdictCovered}
		for _, v := range vectors[1:] {
			found.similarity = max(found.similarity, llm.Similarity(vectors[0], v))
		}
		out = append(out, found)
	}
	return out, nil
}

// passagesOf returns the sentences of a text, and each two that follow each other.
func passagesOf(content string) []string {
	var out []string
	before := ""
	for _, s := range text.Sentences(content) {
		if out = append(out, s.Text); before != "" {
			out = append(out, before+" "+s.Text)
		}
		before = s.Text
	}
	return out
}

// agreement returns the share of pairs on which a similarity of at least the threshold agrees with
// the label.
func agreement(pairs []similarPair, threshold float64) float64 {
	agreeing := 0
	for _, p := range pairs {
		if (p.similarity >= threshold) == p.isCovered {
			agreeing++
		}
	}
	return share(agreeing, len(pairs))
}

// bestThreshold returns the similarity with the greatest agreement.
func bestThreshold(pairs []similarPair) float64 {
	best := 1.0
	for _, p := range pairs {
		if agreement(pairs, p.similarity) > agreement(pairs, best) {
			best = p.similarity
		}
	}
	return best
}

// meanSimilarity returns the mean of the covered pairs, or of the others.
func meanSimilarity(pairs []similarPair, covered bool) float64 {
	sum, n := 0.0, 0
	for _, p := range pairs {
		if p.isCovered == covered {
			sum, n = sum+p.similarity, n+1
		}
	}
	return sum / float64(max(1, n))
}

// reportSimilarity prints how well similarity alone separates covered points from others: by a
// threshold from the splits that may be read, and by the best one of each split, which no threshold
// can exceed.
func reportSimilarity(ctx context.Context, out io.Writer, all []pair, language string) error {
	embedder, err := newEmbedder()
	if err != nil {
		return err
	}
	found, err := compareByMeaning(ctx, embedder, all, language)
	if err != nil {
		return err
	}
	ofSplits := func(names ...string) []similarPair {
		return slices.DeleteFunc(slices.Clone(found),
			func(p similarPair) bool { return !slices.Contains(names, p.split) })
	}
	threshold := bestThreshold(ofSplits(readSplits...))
	fmt.Fprintf(out, "threshold %.2f\n", threshold)
	for _, split := range splits {
		of := ofSplits(split)
		fmt.Fprintf(out, "%-6s %3d pairs: mean similarity of covered points %.2f, of others %.2f; agreement %.2f, with the best threshold %.2f\n",
			split, len(of), meanSimilarity(of, true), meanSimilarity(of, false), agreement(of, threshold),
			agreement(of, bestThreshold(of)))
	}
	return nil
}
