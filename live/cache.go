package live

import (
	"context"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
)

// patience is how long a cache waits for Redis; slower than that, it does without.
const patience = 300 * time.Millisecond

// Cache keeps texts in Redis for all processes and the latest ones in this process too, which alone serve while Redis is down.
// What it holds may be gone at any time.
type Cache struct {
	live *Live
	name string
	ttl  time.Duration
	near *expirable.LRU[string, string]
}

// NewCache makes a cache of a name of its own. A text is forgotten when nobody has asked for it for the time, and the process keeps
// at most size of them.
func (l *Live) NewCache(name string, size int, ttl time.Duration) *Cache {
	return &Cache{l, name + ":", ttl, expirable.NewLRU[string, string](size, nil, ttl)}
}

// Get finds a text.
func (c *Cache) Get(ctx context.Context, key string) (string, bool) {
	if text, ok := c.near.Get(key); ok {
		return text, true
	}
	if !c.live.Connected() {
		return "", false
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text, err := c.live.client.GetEx(ctx, c.live.Key(c.name+key), c.ttl).Result()
	if err != nil {
		return "", false
	}
	c.near.Add(key, text)
	return text, true
}

// Add keeps a text.
func (c *Cache) Add(ctx context.Context, key, text string) {
	c.near.Add(key, text)
	if !c.live.Connected() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_ = c.live.client.Set(ctx, c.live.Key(c.name+key), text, c.ttl).Err() // the process has it
}
