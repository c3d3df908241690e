package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// post sends a body as the plainest worker does.
func post(ctx context.Context, client *http.Client, address string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the receiver answers %s (%w)", answer.Status, err)
	}
	return nil
}

// text tells what was measured of webhooks.
func (d *delivering) text() string {
	var b strings.Builder
	ratio, alone, beside := median(d.ratios), percentile(d.alone, 99), percentile(d.beside, 99)
	fmt.Fprintf(&b, "\nWebhooks on Postgres: %d deliveries to %d https receivers, %d rounds: %.0f a second, %.2f of a loop of %d workers that posts\n",
		posts, endpoints, postRounds, median(d.rates), ratio, postWorkers)
	fmt.Fprintf(&b, "the same body from memory, asked at least %.1f: %s\n", deliveryClaim, verdict(ratio >= deliveryClaim))
	change := float64(beside) / float64(max(alone, 1))
	fmt.Fprintf(&b, "From commit to receiver, p99 of %d receivers: %s ms; while one more hangs for %s: %s ms, %.2f of it, asked under %.1f: %s\n",
		endpoints-1, milliseconds(alone), stuckFor, milliseconds(beside), change, stuckClaim, verdict(change < stuckClaim))
	return b.String()
}
