package rest

import (
	"fmt"
	"strings"

	"github.com/go-chi/chi/v5"
)

const (
	playgroundPath = "/playground/"
	// playgroundMissing is the response without the playground's files.
	playgroundMissing = "the playground is not built: run \"make playground\", which needs npm, and start the gateway again\n"
)

// mountPlayground adds GraphiQL with an input for the key. Its editor runs workers of this server.
// It returns an error when a file cannot be read.
func (a *Adapter) mountPlayground(r chi.Router) error {
	site, err := newSite(playgroundPath, a.config.Playground, playgroundMissing)
	if err != nil {
		return fmt.Errorf("read the playground's files: %w", err)
	}
	guard := withPolicy("script-src 'self'", "worker-src 'self'", "style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:", "font-src 'self' data:", "connect-src 'self'", "object-src 'none'")
	getAndHead(r, strings.TrimSuffix(playgroundPath, "/"), guard(site.index()))
	getAndHead(r, playgroundPath+"*", guard(site))
	return nil
}
