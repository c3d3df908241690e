package live

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// LocalCache keeps this process's most recently used values, each for a limited time after it was
// added. An expired value stays in memory until it is read or displaced, so the cache needs no
// goroutine. It is safe for concurrent use.
type LocalCache[K comparable, V any] struct {
	entries *lru.Cache[K, expiringValue[V]]
	ttl     time.Duration
}

type expiringValue[V any] struct {
	value   V
	expires time.Time
}

// NewLocalCache makes a cache of at most size values that expire after the ttl. size must be
// positive.
func NewLocalCache[K comparable, V any](size int, ttl time.Duration) *LocalCache[K, V] {
	entries, err := lru.New[K, expiringValue[V]](size)
	if err != nil {
		panic(err)
	}
	return &LocalCache[K, V]{entries, ttl}
}

// Get returns the value of the key, and false when there is none or it has expired.
func (c *LocalCache[K, V]) Get(key K) (value V, ok bool) {
	entry, ok := c.entries.Get(key)
	if !ok || time.Now().After(entry.expires) {
		return value, false
	}
	return entry.value, true
}

// GetExpired returns the value of the key also if it has expired, and false if it is not in memory.
func (c *LocalCache[K, V]) GetExpired(key K) (value V, ok bool) {
	entry, ok := c.entries.Get(key)
	return entry.value, ok
}

// ExpireAll lets all values expire now; GetExpired still returns them.
func (c *LocalCache[K, V]) ExpireAll() {
	now := time.Now()
	for _, key := range c.entries.Keys() {
		if entry, ok := c.entries.Peek(key); ok && entry.expires.After(now) {
			c.entries.Add(key, expiringValue[V]{entry.value, now})
		}
	}
}

// Add sets the value of the key; it expires one ttl from now.
func (c *LocalCache[K, V]) Add(key K, value V) {
	c.entries.Add(key, expiringValue[V]{value, time.Now().Add(c.ttl)})
}

// Remove removes the key.
func (c *LocalCache[K, V]) Remove(key K) { c.entries.Remove(key) }

// Purge removes all keys.
func (c *LocalCache[K, V]) Purge() { c.entries.Purge() }
