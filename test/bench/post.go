package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// postBody sends a body as a minimal worker does.
func postBody(ctx context.Context, client *http.Client, address string, body []byte) error {
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
		return fmt.Errorf("the receiver responded %s (%w)", answer.Status, err)
	}
	return nil
}

// text returns the report on webhooks.
func (d *webhookResult) text() string {
	var b strings.Builder
	ratio, normal, whileStuck := median(d.ratios), percentile(d.delaysNormal, 99), percentile(d.delaysWhileStuck, 99)
	fmt.Fprintf(&b, "\nWebhooks on Postgres: %d deliveries to %d https receivers, %d rounds: %.0f a second, %.2f of a loop of %d workers that posts\n",
		posts, endpoints, postRounds, median(d.rates), ratio, postWorkers)
	fmt.Fprintf(&b, "the same body from memory, claim at least %g: %s\n", deliveryClaim,
		formatVerdict(ratio >= deliveryClaim))
	change := float64(whileStuck) / float64(max(normal, 1))
	fmt.Fprintf(&b, "From commit to receiver, p99 of %d receivers: %s ms; while one more hangs for %s: %s ms, %.2f of it, claim under %.1f: %s\n",
		endpoints-1, formatMilliseconds(normal), stuckFor, formatMilliseconds(whileStuck), change, stuckClaim,
		formatVerdict(change < stuckClaim))
	return b.String()
}
