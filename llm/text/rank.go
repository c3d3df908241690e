package text

import (
	"slices"
	"strings"
)

// A sentence is ranked by its similarity to the whole text, minus its similarity to chosen
// sentences, plus an advantage for the first sentences, which carry the main point in press texts.
const (
	leadAdvantage = 0.15 // of the first sentence, falling to 0 over leadLength
	leadLength    = 5
	repetition    = 0.5 // weight of the similarity to a chosen sentence
	sameSentence  = 0.8 // similarity from which a sentence is a repetition
	fewStems      = 4   // sentences with fewer stems, such as headings, have a lower weight
	maxRanked     = 400 // maximum number of ranked sentences
)

// Rank returns up to n sentences that summarize a text, in the text's order.
func Rank(text string, n int) []Span {
	sentences := Sentences(text)
	sentences = sentences[:min(len(sentences), maxRanked)]
	if n <= 0 || len(sentences) <= n {
		return sentences[:min(len(sentences), max(n, 0))]
	}
	vectors, scores := scoreSentences(sentences, orEnglish(Language(text)))
	var chosen []int
	for len(chosen) < n {
		best := -1
		for i := range sentences {
			if !slices.Contains(chosen, i) && (best < 0 || scores[i] > scores[best]) {
				best = i
			}
		}
		chosen = append(chosen, best)
		for i := range scores {
			scores[i] -= repetitionCost(vectors[i].cosineTo(vectors[best])) / float64(n)
		}
	}
	slices.Sort(chosen)
	ranked := make([]Span, n)
	for i, at := range chosen {
		ranked[i] = sentences[at]
	}
	return ranked
}

// repetitionCost returns the cost of a similarity to a chosen sentence.
func repetitionCost(likeness float64) float64 {
	if likeness > sameSentence {
		return 1000 // chosen only if nothing else remains
	}
	return repetition * likeness
}

func scoreSentences(sentences []Span, language string) ([]stemVector, []float64) {
	stems := make([][]string, len(sentences))
	var all []string
	for i, s := range sentences {
		stems[i] = Stems(s.Text, language)
		all = append(all, stems[i]...)
	}
	even := func(string) float64 { return 1 }
	centre, rarity := newVector(all, even), inverseFrequency(stems)
	vectors, scores := make([]stemVector, len(sentences)), make([]float64, len(sentences))
	for i := range sentences {
		vectors[i] = newVector(stems[i], rarity)
		scores[i] = newVector(stems[i], even).cosineTo(centre) * min(1, float64(len(stems[i]))/fewStems)
		scores[i] += leadAdvantage * max(0, 1-float64(i)/leadLength) * min(1, float64(len(stems[i]))/fewStems)
	}
	return vectors, scores
}

// rankChunk is the number of texts that are ranked together.
const rankChunk = 400

// RankList returns the indexes of up to n texts that summarize all, in order. Long lists are ranked
// in parts first, so that every part counts.
func RankList(texts []string, n int) []int {
	all := make([]int, len(texts))
	for i := range all {
		all[i] = i
	}
	for len(all) > rankChunk {
		var kept []int
		parts := (len(all) + rankChunk - 1) / rankChunk
		for chunk := range slices.Chunk(all, rankChunk) {
			kept = append(kept, rankTogether(texts, chunk, max(n, rankChunk/(2*parts)))...)
		}
		if len(kept) >= len(all) {
			break
		}
		all = kept
	}
	return rankTogether(texts, all, n)
}

// rankTogether returns up to n of the indexes, in order.
func rankTogether(texts []string, all []int, n int) []int {
	if len(all) <= n {
		return all
	}
	var whole strings.Builder
	for _, i := range all {
		whole.WriteString(texts[i] + "\n\n")
	}
	chosen := map[string]bool{}
	for _, sentence := range Rank(whole.String(), n) {
		chosen[sentence.Text] = true
	}
	var kept []int
	for _, i := range all {
		if chosen[texts[i]] && len(kept) < n {
			kept = append(kept, i)
			delete(chosen, texts[i])
		}
	}
	return kept
}
