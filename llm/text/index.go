package text

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// vector is a text as the weights of its stems, in the stems' order, of length 1. Sums run in that order, so they are the same each time.
type vector []weight

type weight struct {
	stem  string
	value float64
}

// newVector weighs stems by how often they stand in a text and how rare they are elsewhere.
func newVector(stems []string, rarity func(stem string) float64) vector {
	count := map[string]float64{}
	for _, stem := range stems {
		count[stem]++
	}
	v := make(vector, 0, len(count))
	sum := 0.0
	for _, stem := range slices.Sorted(maps.Keys(count)) {
		value := (1 + math.Log(count[stem])) * rarity(stem)
		v = append(v, weight{stem, value})
		sum += value * value
	}
	for i := range v {
		v[i].value /= math.Sqrt(sum)
	}
	return v
}

// cosine is how alike two texts are, 0 to 1.
func (v vector) cosine(other vector) float64 {
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

// rarities gives the smoothed inverse document frequency of stems in a collection.
func rarities(collection [][]string) func(stem string) float64 {
	in := map[string]int{}
	for _, stems := range collection {
		for stem := range members(stems) {
			in[stem]++
		}
	}
	return func(stem string) float64 { return 1 + math.Log(float64(len(collection)+1)/float64(in[stem]+1)) }
}

// Index holds examples for many questions of what is nearest to them.
type Index struct {
	language string
	rarity   func(stem string) float64
	vectors  []vector
}

// NewIndex reads the examples; they and the texts that are compared with them are taken to be of one language.
func NewIndex(examples []string) *Index {
	x := &Index{language: orEnglish(Language(strings.Join(examples, "\n")))}
	stems := make([][]string, len(examples))
	for i, example := range examples {
		stems[i] = Stems(example, x.language)
	}
	x.rarity = rarities(stems)
	for _, list := range stems {
		x.vectors = append(x.vectors, newVector(list, x.rarity))
	}
	return x
}

// Nearest is the example that a text is most like, the first of several, and the cosine of their TF-IDF vectors, 0 to 1. Where no example
// shares a stem with the text the index is -1.
func (x *Index) Nearest(text string) (index int, similarity float64) {
	asked := newVector(Stems(text, x.language), x.rarity)
	index = -1
	for i, v := range x.vectors {
		if alike := asked.cosine(v); alike > similarity {
			index, similarity = i, alike
		}
	}
	return index, similarity
}
