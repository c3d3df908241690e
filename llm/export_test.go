package llm

import "time"

// NewHasty is NewOpenAI with pauses that a test can wait for.
func NewHasty(config Config, wait, rest time.Duration) *OpenAI { return newOpenAI(config, wait, rest) }
