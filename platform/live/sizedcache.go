package live

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// SizedCache keeps this process's most recently used values within a number of bytes. It is safe
// for concurrent use.
type SizedCache[K comparable, V any] struct {
	mu      sync.Mutex
	entries *simplelru.LRU[K, sizedValue[V]]
	bytes   int
	limit   int
}

type sizedValue[V any] struct {
	value V
	size  int
}

// NewSizedCache makes a cache of at most entries values that together have at most bytes bytes.
// entries must be positive.
func NewSizedCache[K comparable, V any](entries, bytes int) *SizedCache[K, V] {
	c := &SizedCache[K, V]{limit: bytes}
	var err error
	c.entries, err = simplelru.NewLRU(entries, func(_ K, old sizedValue[V]) { c.bytes -= old.size })
	if err != nil {
		panic(err) // only a size below 1 fails
	}
	return c
}

// Get returns the value of the key, and false if there is none.
func (c *SizedCache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.entries.Get(key)
	return entry.value, ok
}

// Add sets the value of the key. It drops the least recently used values above the limit, and a
// value that is larger than the limit.
func (c *SizedCache[K, V]) Add(key K, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addLocked(key, value, size)
}

// GetOrAdd returns the value of the key. If there is none, it adds one that has no bytes yet, and
// returns false.
func (c *SizedCache[K, V]) GetOrAdd(key K, value V) (known V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry, ok := c.entries.Get(key); ok {
		return entry.value, true
	}
	c.addLocked(key, value, 0)
	return value, false
}

func (c *SizedCache[K, V]) addLocked(key K, value V, size int) {
	c.entries.Remove(key) // the LRU does not report a value that is replaced
	c.bytes += size
	c.entries.Add(key, sizedValue[V]{value, size})
	for c.bytes > c.limit {
		c.entries.RemoveOldest()
	}
}

// Remove removes the key.
func (c *SizedCache[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
}

// Len returns the number of values.
func (c *SizedCache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries.Len()
}

// Bytes returns the number of bytes of all values.
func (c *SizedCache[K, V]) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
