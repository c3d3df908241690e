// Package source tests the source tree itself: which way imports run, which package may name which
// table in a statement, and that no tracked file depends on one machine.
package source
