package server

import "time"

// NewWithPauses is New with short pauses.
func NewWithPauses(wait, rest time.Duration, configs ...Config) *Engine {
	return newEngine(wait, rest, configs...)
}

// NewEmbedderWithPauses is NewEmbedder with short pauses.
func NewEmbedderWithPauses(wait, rest time.Duration, config Config) *Embedder {
	return newEmbedder(wait, rest, config)
}
