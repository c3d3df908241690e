package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// authenticationClaim limits the time that authentication with a known key may add to a request.
const authenticationClaim = 30 * time.Microsecond

// authenticationSamples is the number of requests to average; a single one is too short to measure.
const authenticationSamples = 50_000

// measureAuthentication measures the time that authentication adds to a request.
func measureAuthentication(ctx context.Context, g *gateway) (time.Duration, error) {
	p, err := g.createWorkspace(ctx, "Authentication")
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/api/v1/workspace", nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("X-API-Key", p.key)
	if _, err := g.app.Identify(r); err != nil { // the key is cached from here on
		return 0, fmt.Errorf("authenticate: %w", err)
	}
	logProgress("authentication")
	began := time.Now()
	for range authenticationSamples {
		if _, err := g.app.Identify(r); err != nil {
			return 0, fmt.Errorf("authenticate: %w", err)
		}
	}
	return time.Since(began) / authenticationSamples, nil
}
