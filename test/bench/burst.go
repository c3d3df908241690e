package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
)

// burstClaim is the maximum ratio of the p99 of a workspace's reads during another workspace's
// burst to that on an idle gateway.
const burstClaim = 5

// refusalCode finds the codes of operations that were refused or ran out of time, which are
// answered with 200.
var refusalCode = regexp.MustCompile(`"code":"(rate_limited|unavailable)"`)

const (
	burstReaders   = 2   // connections of the workspace whose reads are timed
	burstDocuments = 200 // documents of each workspace
	burstText      = 100_000
)

// burst is what one workspace sends as fast as it can.
type burst struct {
	name        string
	connections int
	request     request
}

// burstResult is how another workspace's reads fared during a burst. Answers of 429 and 503 are
// refused.
type burstResult struct {
	name, database  string
	calm, busy      *candidate
	answered, other atomic.Int64
}

func (b *burstResult) slowdown() float64 {
	return float64(percentile(b.busy.sortedTimes(), 99)) / float64(max(percentile(b.calm.sortedTimes(), 99), 1))
}

// bursts returns the requests that cost a gateway most: the widest list, texts of several lengths,
// and exports that render pages.
func bursts(g *gateway, key string) []burst {
	long := strings.Repeat("The plant opens in spring, and two hundred people will work there. ", burstText/67)
	widest := `query { documents(first: 100) { nodes { id title content autoTags { name extractedValue } reactions(first: 10) { nodes { id version } } } } }`
	store := func(length int) request {
		return request{method: http.MethodPost, url: g.base + "/api/v1/documents", key: key,
			body: map[string]any{"title": "Long", "content": long[:length]}}
	}
	return []burst{
		{"the widest list", 64, request{method: http.MethodPost, url: g.base + "/graphql", key: key,
			body: map[string]any{"query": widest}}},
		{"texts of 100 kB", 64, store(len(long))},
		{"texts of 15 kB", 64, store(15_000)},
		{"texts of 1 kB", 64, store(1000)},
		{"exports to PDF", 16, request{method: http.MethodPost, url: g.base + "/api/v1/content-creation/export",
			key: key, body: map[string]any{"format": "pdf", "title": "Long", "content_text": long}}},
	}
}

// measureBursts times one workspace's lists while another sends a burst, in rounds that alternate
// with an idle gateway.
func (r *report) measureBursts(ctx context.Context, g *gateway, database string) error {
	calm, err := g.storeTexts(ctx, "Calm", burstDocuments)
	if err != nil {
		return err
	}
	noisy, err := g.storeTexts(ctx, "Noisy", burstDocuments)
	if err != nil {
		return err
	}
	for _, b := range bursts(g, noisy.key) {
		found, err := r.measureBurst(ctx, g, b, calm, database)
		if err != nil {
			return fmt.Errorf("a burst of %s on %s: %w", b.name, database, err)
		}
		r.bursts = append(r.bursts, found)
	}
	return nil
}

func (r *report) measureBurst(ctx context.Context, g *gateway, b burst, calm *seededWorkspace,
	database string) (*burstResult, error) {
	out := &burstResult{name: b.name, database: database}
	list := []request{{
		method: http.MethodPost, url: g.base + "/graphql", key: calm.key, documents: listSize,
		body: map[string]any{"query": fmt.Sprintf(
			"query { documents(first: %d) { nodes { workspaceId id title createdAt } } }", listSize)},
	}}
	for _, c := range []**candidate{&out.calm, &out.busy} {
		var err error
		if *c, err = newCandidate(ctx, b.name, g.base, list); err != nil {
			return nil, err
		}
	}
	for round := range rounds {
		logProgress("a burst of %s on %s, round %d of %d", b.name, database, round+1, rounds)
		runtime.GC()
		if err := out.calm.addRound(ctx, r.settings); err != nil {
			return nil, err
		}
		stop, err := out.send(ctx, b)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(out.busy.addRound(ctx, r.settings), stop()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *candidate) addRound(ctx context.Context, s settings) error {
	taken, err := c.sendLoad(ctx, burstReaders, s.slice())
	c.rounds = append(c.rounds, taken)
	return err
}

// send sends the burst until stop is called. It returns after the first answer.
func (b *burstResult) send(ctx context.Context, of burst) (stop func() error, err error) {
	ctx, cancel := context.WithCancel(ctx)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: of.connections}}
	group := errgroup.Group{}
	begun := make(chan struct{}, of.connections)
	for range of.connections {
		group.Go(func() error {
			for ctx.Err() == nil {
				if err := b.exchange(ctx, client, of.request); err != nil && ctx.Err() == nil {
					return err
				}
				select {
				case begun <- struct{}{}:
				default:
				}
			}
			return nil
		})
	}
	stop = func() error { cancel(); err := group.Wait(); client.CloseIdleConnections(); return err }
	select {
	case <-begun:
		return stop, nil
	case <-time.After(time.Minute):
		return nil, errors.Join(errors.New("nothing answers"), stop())
	}
}

func (b *burstResult) exchange(ctx context.Context, client *http.Client, r request) error {
	req, err := r.http(ctx)
	if err != nil {
		return err
	}
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return err
	case answer.StatusCode < 300 && !bytes.HasPrefix(body, []byte(`{"errors"`)):
		b.answered.Add(1)
	case slices.Contains([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}, answer.StatusCode),
		refusalCode.Match(body):
		b.other.Add(1)
	default:
		return fmt.Errorf("status %d: %.300s", answer.StatusCode, body)
	}
	return nil
}

// storeTexts creates a workspace with n short documents over REST.
func (g *gateway) storeTexts(ctx context.Context, name string, n int) (*seededWorkspace, error) {
	p, err := g.createWorkspace(ctx, name)
	if err != nil {
		return nil, err
	}
	v, bodies := newGenerator(90), make([]any, n)
	for i := range bodies {
		doc := v.document(p.workspaceID)
		bodies[i] = map[string]any{"title": doc.Title, "content": doc.Content}
	}
	c := restClient{base: g.base, key: p.key}
	return p, c.postAll(ctx, "/api/v1/documents", bodies)
}

// burstText writes the report on bursts.
func (r *report) burstText(b *strings.Builder) {
	fmt.Fprintf(b, "\nBursts: the p99 of one workspace's list of %d while another workspace sends as fast as it can, in rounds that alternate with an idle gateway;\n"+
		"the load generator shares the CPUs.\n\n", listSize)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "burst\tdatabase\tanswered\trefused\tidle p99 ms\tp99 ms\tratio\tclaim\t")
	for _, f := range r.bursts {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%.1f\t%s\t\n", f.name, f.database, f.answered.Load(), f.other.Load(),
			formatMilliseconds(percentile(f.calm.sortedTimes(), 99)),
			formatMilliseconds(percentile(f.busy.sortedTimes(), 99)),
			f.slowdown(), formatVerdict(f.slowdown() <= burstClaim))
	}
	t.Flush()
}
