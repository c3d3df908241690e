//go:build !race

package extract

// raceFactor is larger with the race detector, which takes time for all accesses.
const raceFactor = 1

// raceMemory is larger with the race detector, which takes memory for all data.
const raceMemory = 1
