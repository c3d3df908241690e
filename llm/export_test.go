package llm

import "time"

// NewWithPauses is NewServers with short pauses.
func NewWithPauses(config Config, wait, rest time.Duration) *Servers {
	return newServers(wait, rest, config)
}
