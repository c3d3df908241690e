//go:build race

package extract

// memoryFactor is how many times the memory a program with the race detector takes.
const memoryFactor = 4
