package llm

import "time"

// NewWithPauses is NewServers with short pauses.
func NewWithPauses(wait, rest time.Duration, configs ...Config) *Servers {
	return newServers(wait, rest, configs...)
}
