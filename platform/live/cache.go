package live

import (
	"context"
	"time"
)

// cacheTimeout limits a request to Redis; after it the cache uses only the local entries.
const cacheTimeout = 300 * time.Millisecond

// Cache stores texts in Redis for all processes, and the most recent ones in this process, which
// are used alone while Redis is down. An entry may be missing at any time. It returns no errors of
// Redis.
type Cache struct {
	live  *Live
	name  string
	ttl   time.Duration
	local *LocalCache[string, string]
}

// NewCache returns a cache with a unique name. An entry expires after ttl without a Get. The
// process stores at most size entries.
func (l *Live) NewCache(name string, size int, ttl time.Duration) *Cache {
	return &Cache{l, name + ":", ttl, NewLocalCache[string, string](size, ttl)}
}

// Get returns the text of a key and whether it was found.
func (c *Cache) Get(ctx context.Context, key string) (string, bool) {
	if text, ok := c.local.Get(key); ok {
		return text, true
	}
	if !c.live.Connected() {
		return "", false
	}
	ctx, cancel := context.WithTimeout(ctx, cacheTimeout)
	defer cancel()
	text, err := c.live.client.GetEx(ctx, c.live.Key(c.name+key), c.ttl).Result()
	if err != nil {
		return "", false
	}
	c.local.Add(key, text)
	return text, true
}

// Add stores a text.
func (c *Cache) Add(ctx context.Context, key, text string) {
	c.local.Add(key, text)
	if !c.live.Connected() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cacheTimeout)
	defer cancel()
	_ = c.live.client.Set(ctx, c.live.Key(c.name+key), text, c.ttl).Err() // the local entry is stored
}
