package passage

import (
	"math"
	"math/rand/v2"
	"testing"
)

// unitVector returns a random vector of length 1.
func unitVector(random *rand.Rand, dimensions int) []float32 {
	vector, squares := make([]float32, dimensions), 0.0
	for i := range vector {
		component := random.NormFloat64()
		vector[i], squares = float32(component), squares+component*component
	}
	for i := range vector {
		vector[i] /= float32(math.Sqrt(squares))
	}
	return vector
}

// TestQuantizeVector checks the error of a component, at most half the scale, and of the dot
// product of unit vectors, at most 0.01.
func TestQuantizeVector(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, dimensions := range []int{1, 3, 256, 1536} {
		for range 200 {
			a, b := unitVector(random, dimensions), unitVector(random, dimensions)
			components, scale := quantizeVector(b)
			exact := 0.0
			for i := range b {
				exact += float64(a[i]) * float64(b[i])
				if off := math.Abs(float64(int8(components[i]))*scale - float64(b[i])); off > scale/2+1e-9 {
					t.Fatalf("a component is off by %g with the scale %g", off, scale)
				}
			}
			if off := math.Abs(dotProduct(a, components, scale) - exact); off > 0.01 {
				t.Fatalf("the dot product of %d dimensions is off by %g", dimensions, off)
			}
		}
	}
	if components, scale := quantizeVector(make([]float32, 4)); scale != 0 ||
		dotProduct([]float32{1, 0, 0, 0}, components, scale) != 0 {
		t.Errorf("zeros become %v with the scale %g", components, scale)
	}
}
