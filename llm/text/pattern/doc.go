// Package pattern provides regular expressions for texts that most often have no match: a text that
// has none of the literals of which each match has one is not matched at all.
package pattern
