package event

import "time"

// Hasten shortens the service's intervals, so that a test need not wait for them; while Redis is there the news alone must do.
func (s *Service) Hasten() { s.timing = timing{poll: 20 * time.Millisecond, check: time.Hour} }

// KeptFor is how long events are kept.
const KeptFor = keptFor
