package live

// OutboxLen returns the number of notifications that are not sent yet.
func (l *Live) OutboxLen() int { return len(l.outbox) }

// SubscribedTopics returns the number of topics with subscribers.
func (l *Live) SubscribedTopics() int {
	l.hub.mu.RLock()
	defer l.hub.mu.RUnlock()
	return len(l.hub.topics)
}

// OpenFeeds returns the number of feeds with readers.
func (fs *SourceFeeds[E]) OpenFeeds() int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.open)
}
