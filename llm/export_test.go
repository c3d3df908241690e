package llm

import "time"

// NewWithPauses is NewOpenAI with short pauses.
func NewWithPauses(config Config, wait, rest time.Duration) *OpenAI {
	return newOpenAI(config, wait, rest)
}
