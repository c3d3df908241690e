//go:build !race

package extract

// memoryFactor is larger with the race detector, which takes memory for all data.
const memoryFactor = 1
