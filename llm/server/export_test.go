package server

import "time"

// NewWithPauses is New with short pauses.
func NewWithPauses(wait, rest time.Duration, configs ...Config) *Engine {
	return newEngine(wait, rest, configs...)
}
