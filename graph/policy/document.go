package policy

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
)

const (
	cachedDocuments = 1000     // parsed and validated operations that are kept
	cachedBytes     = 1 << 20  // bytes of their texts; a parsed operation takes up to 70 times the memory of its text
	maxCachedText   = 32 << 10 // bytes of a text above which the operation is parsed for each request
)

// documentCache keeps parsed and validated operations by their text. Above its limits it drops the
// least recently used ones.
type documentCache struct {
	mu      sync.Mutex
	entries *simplelru.LRU[string, *ast.QueryDocument]
	bytes   int
}

var _ graphql.Cache[*ast.QueryDocument] = (*documentCache)(nil)

// newDocumentCache returns a cache that calls dropped for each document that it no longer keeps.
func newDocumentCache(dropped func(*ast.QueryDocument)) *documentCache {
	c := &documentCache{}
	var err error
	c.entries, err = simplelru.NewLRU(cachedDocuments, func(text string, doc *ast.QueryDocument) {
		c.bytes -= len(text)
		dropped(doc)
	})
	if err != nil {
		panic(err) // only a size below 1 fails
	}
	return c
}

// Get implements graphql.Cache.
func (c *documentCache) Get(_ context.Context, text string) (*ast.QueryDocument, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries.Get(text)
}

// Add implements graphql.Cache. It ignores a text that is too long or known.
func (c *documentCache) Add(_ context.Context, text string, doc *ast.QueryDocument) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(text) > maxCachedText || c.entries.Contains(text) {
		return
	}
	c.entries.Add(text, doc)
	for c.bytes += len(text); c.bytes > cachedBytes; {
		c.entries.RemoveOldest()
	}
}

// contains reports whether the text is kept.
func (c *documentCache) contains(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries.Contains(text)
}

// holds reports whether the text is kept as this document.
func (c *documentCache) holds(text string, doc *ast.QueryDocument) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.entries.Peek(text)
	return ok && known == doc
}
