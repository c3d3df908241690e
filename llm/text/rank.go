package text

import "slices"

// A sentence is ranked by how much it says of what the whole text says, less what a chosen one has said, with an advantage for the first ones,
// which in news and announcements carry the point.
const (
	leadAdvantage = 0.15 // of the first sentence; it falls to nothing within leadLength
	leadLength    = 5
	repetition    = 0.5 // weight of being like a sentence that is chosen
	sameSentence  = 0.8 // likeness from which a sentence only repeats it
	fewStems      = 4   // a sentence of fewer, such as a heading, counts for less
	mostRanked    = 400 // sentences of a longer text that are looked at
)

// Rank gives up to n sentences that together say most of what a text says, in the text's order.
func Rank(text string, n int) []Span {
	sentences := Sentences(text)
	sentences = sentences[:min(len(sentences), mostRanked)]
	if n <= 0 || len(sentences) <= n {
		return sentences[:min(len(sentences), max(n, 0))]
	}
	vectors, scores := score(sentences, orEnglish(Language(text)))
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
			scores[i] -= repeats(vectors[i].cosine(vectors[best])) / float64(n)
		}
	}
	slices.Sort(chosen)
	ranked := make([]Span, n)
	for i, at := range chosen {
		ranked[i] = sentences[at]
	}
	return ranked
}

// repeats is what being so like a chosen sentence costs, shared by the sentences that are to be chosen.
func repeats(likeness float64) float64 {
	if likeness > sameSentence {
		return 1000 // it is taken when nothing else is left
	}
	return repetition * likeness
}

func score(sentences []Span, language string) ([]vector, []float64) {
	stems := make([][]string, len(sentences))
	var all []string
	for i, s := range sentences {
		stems[i] = Stems(s.Text, language)
		all = append(all, stems[i]...)
	}
	even := func(string) float64 { return 1 }
	centre, rarity := newVector(all, even), rarities(stems)
	vectors, scores := make([]vector, len(sentences)), make([]float64, len(sentences))
	for i := range sentences {
		vectors[i] = newVector(stems[i], rarity)
		scores[i] = newVector(stems[i], even).cosine(centre) * min(1, float64(len(stems[i]))/fewStems)
		scores[i] += leadAdvantage * max(0, 1-float64(i)/leadLength) * min(1, float64(len(stems[i]))/fewStems)
	}
	return vectors, scores
}
