//go:build !race

package extract

// raceFactor is larger with the race detector, which takes memory for all data, and time for all accesses.
const raceFactor = 1
