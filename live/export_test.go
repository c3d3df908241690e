package live

// Waiting is how many news are not yet on their way.
func (l *Live) Waiting() int { return len(l.outbox) }
