//go:build race

package extract

// raceFactor is how many times the memory and the time a program with the race detector takes.
const raceFactor = 4
