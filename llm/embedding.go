package llm

import "context"

// EmbeddedRunes limits an embedded text in code points, because many models accept 512 tokens.
const EmbeddedRunes = 1500

// Embedder turns texts into vectors that are near each other for texts of near meaning.
type Embedder interface {
	// EmbeddingModel returns the model's name. It is stored with the vectors, because vectors of
	// two models cannot be compared.
	EmbeddingModel() string
	// Embed returns a vector of length 1 for each text, in order. It fails with errs.ModelFailed
	// and errs.ModelTimeout.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Similarity returns the cosine of two vectors of length 1: their dot product. It is 0 for
// different dimensions, which no single model returns.
func Similarity(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
