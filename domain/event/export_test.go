package event

import "time"

// ShortenIntervals shortens the polling interval and disables the periodic check, so that only
// notifications are tested while Redis is available.
func (s *Service) ShortenIntervals() {
	s.timing = pollTiming{poll: 20 * time.Millisecond, check: time.Hour}
}

// Retention is how long events are stored.
const Retention = retention
