package llm_test

import (
	"testing"

	"rostrum/llm"
)

// TestSimilarity checks the dot product, which two models' vectors do not have.
func TestSimilarity(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float32
		want float64
	}{
		"same":             {[]float32{0.5, 0.5, 0.5, 0.5}, []float32{0.5, 0.5, 0.5, 0.5}, 1},
		"opposite":         {[]float32{0, 1}, []float32{0, -1}, -1},
		"unrelated":        {[]float32{1, 0}, []float32{0, 1}, 0},
		"other dimensions": {[]float32{1, 0}, []float32{1, 0, 0}, 0},
		"none":             {nil, nil, 0},
	} {
		if got := llm.Similarity(c.a, c.b); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
