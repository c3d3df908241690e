package text

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// stemVector is a text as the weights of its stems, sorted by stem, with length 1. The fixed order
// makes sums deterministic.
type stemVector []stemWeight

type stemWeight struct {
	stem  string
	value float64
}

// newVector returns the vector of stems, weighted by their frequency and rarity.
func newVector(stems []string, rarity func(stem string) float64) stemVector {
	count := map[string]float64{}
	for _, stem := range stems {
		count[stem]++
	}
	v := make(stemVector, 0, len(count))
	sum := 0.0
	for _, stem := range slices.Sorted(maps.Keys(count)) {
		value := (1 + math.Log(count[stem])) * rarity(stem)
		v = append(v, stemWeight{stem, value})
		sum += value * value
	}
	for i := range v {
		v[i].value /= math.Sqrt(sum)
	}
	return v
}

// cosineTo returns the similarity of two texts, 0 to 1.
func (v stemVector) cosineTo(other stemVector) float64 {
	sum := 0.0
	for len(v) > 0 && len(other) > 0 {
		switch cmp.Compare(v[0].stem, other[0].stem) {
		case -1:
			v = v[1:]
		case 1:
			other = other[1:]
		default:
			sum += v[0].value * other[0].value
			v, other = v[1:], other[1:]
		}
	}
	return min(sum, 1)
}

// inverseFrequency returns a func with the smoothed inverse document frequency of stems in a
// collection.
func inverseFrequency(collection [][]string) func(stem string) float64 {
	in := map[string]int{}
	for _, stems := range collection {
		for stem := range stemSet(stems) {
			in[stem]++
		}
	}
	return func(stem string) float64 { return 1 + math.Log(float64(len(collection)+1)/float64(in[stem]+1)) }
}

// Index holds examples for repeated searches of the nearest one.
type Index struct {
	language string
	rarity   func(stem string) float64
	vectors  []stemVector
}

// NewIndex returns an index of the examples. Examples and queries are assumed to have one language.
func NewIndex(examples []string) *Index {
	x := &Index{language: orEnglish(Language(strings.Join(examples, "\n")))}
	stems := make([][]string, len(examples))
	for i, example := range examples {
		stems[i] = Stems(example, x.language)
	}
	x.rarity = inverseFrequency(stems)
	for _, list := range stems {
		x.vectors = append(x.vectors, newVector(list, x.rarity))
	}
	return x
}

// Nearest returns the example that is most similar to the text, the first of several, and the
// cosine of their TF-IDF vectors, 0 to 1. The index is -1 if no example shares a stem with the
// text.
func (x *Index) Nearest(text string) (index int, similarity float64) {
	index = -1
	for i, alike := range x.Similarities(text) {
		if alike > similarity {
			index, similarity = i, alike
		}
	}
	return index, similarity
}

// Similarities returns the cosine of the TF-IDF vectors of the text and of each example, 0 to 1.
func (x *Index) Similarities(text string) []float64 {
	asked := newVector(Stems(text, x.language), x.rarity)
	similarities := make([]float64, len(x.vectors))
	for i, v := range x.vectors {
		similarities[i] = asked.cosineTo(v)
	}
	return similarities
}
