package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// admitClaim is what authentication may add to a request with a key that was used before.
const admitClaim = 30 * time.Microsecond

// admitSamples is how many requests are averaged; one takes too little time to be measured by itself.
const admitSamples = 50_000

// admit measures what finding out who asks adds to a request.
func admit(ctx context.Context, g *gateway) (time.Duration, error) {
	p, err := g.place(ctx, "Authentication")
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/api/v1/workspace", nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("X-API-Key", p.key)
	if _, err := g.app.Identify(r); err != nil { // from here on the key is known
		return 0, fmt.Errorf("authenticate: %w", err)
	}
	progress("authentication")
	began := time.Now()
	for range admitSamples {
		if _, err := g.app.Identify(r); err != nil {
			return 0, fmt.Errorf("authenticate: %w", err)
		}
	}
	return time.Since(began) / admitSamples, nil
}
