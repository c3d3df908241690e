package live

// Waiting is how many news are not yet on their way.
func (l *Live) Waiting() int { return len(l.outbox) }

// Followers is how many topics are followed.
func (l *Live) Followers() int {
	l.hub.mu.RLock()
	defer l.hub.mu.RUnlock()
	return len(l.hub.topics)
}

// Open is how many feeds are read.
func (fs *Feeds[E]) Open() int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.open)
}
