//go:build race

package extract

// raceFactor is how many times the time a program with the race detector takes.
const raceFactor = 4

// raceMemory is how many times the memory a program with the race detector takes.
const raceMemory = 2
