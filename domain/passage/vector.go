package passage

import "math"

// quantizeVector returns a vector as one int8 per component, and the scale to multiply them by. The
// scale is the greatest component divided by 127, so a component's error is at most half of it. A
// vector of zeros has the scale 0.
func quantizeVector(vector []float32) (components []byte, scale float64) {
	greatest := 0.0
	for _, component := range vector {
		greatest = max(greatest, math.Abs(float64(component)))
	}
	components = make([]byte, len(vector))
	if greatest == 0 {
		return components, 0
	}
	scale = greatest / math.MaxInt8
	for i, component := range vector {
		components[i] = byte(int8(math.Round(float64(component) / scale)))
	}
	return components, scale
}

// dotProduct returns the dot product of a vector and a quantized one of the same length.
func dotProduct(vector []float32, components []byte, scale float64) float64 {
	components = components[:len(vector)]
	var sum float32
	for i, component := range vector {
		sum += component * float32(int8(components[i]))
	}
	return float64(sum) * scale
}
