package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	startSamples = 100
	postSamples  = 200
	jobTimeout   = 20 * time.Second
)

// delaySeries is a series of waiting times and the claim about their median.
type delaySeries struct {
	what     string
	database string
	times    []time.Duration // sorted
	claim    time.Duration   // upper limit of the median
}

// measureIngestDelays measures ingestion on an otherwise idle gateway: the time until a job starts,
// then the response time of a POST.
func measureIngestDelays(ctx context.Context, g *gateway, database string, startClaim time.Duration) ([]delaySeries,
	error) {
	p, err := g.createWorkspace(ctx, "Delays")
	if err != nil {
		return nil, err
	}
	c := restClient{base: g.base, key: p.key}
	logProgress("enqueue to start on %s", database)
	starts, err := c.measureStarts(ctx)
	if err != nil {
		return nil, fmt.Errorf("enqueue to start on %s: %w", database, err)
	}
	logProgress("posting ingests on %s", database)
	posts, err := c.measurePosts(ctx)
	if err != nil {
		return nil, fmt.Errorf("posting ingests on %s: %w", database, err)
	}
	return []delaySeries{
		{"from enqueue to a worker's start", database, starts, startClaim},
		{"posting an ingest", database, posts, 10 * time.Millisecond},
	}, nil
}

// restClient is a client of the REST API.
type restClient struct{ base, key string }

// httpClient keeps one connection for each concurrent sender.
var httpClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}

// sendJSON sends a JSON body (none when nil) and decodes the response into the given value. It
// returns an error for any other status.
func (c restClient) sendJSON(ctx context.Context, method, path string, body any, status int, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("X-API-Key", c.key)
	req.Header.Set("Content-Type", "application/json")
	answer, err := httpClient.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if answer.StatusCode != status {
		return fmt.Errorf("%s %s: status %d, want %d: %.300s", method, path, answer.StatusCode, status, read)
	}
	if err := json.Unmarshal(read, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// ingested is the part of an ingestion's response that is used here.
type ingested struct {
	DocumentID string `json:"document_id"`
	Success    bool   `json:"success"`
}

func (c restClient) ingest(ctx context.Context, address string) (in ingested, err error) {
	err = c.sendJSON(ctx, http.MethodPost, "/api/v1/documents/ingest", map[string]any{"source_url": address},
		http.StatusOK, &in)
	return in, err
}

// measureStarts measures jobs that fetch nothing, so that no delay between requests to a host
// affects them: a document of a forbidden address, which fails at once, is retried with text of the
// client.
func (c restClient) measureStarts(ctx context.Context) ([]time.Duration, error) {
	var times []time.Duration
	for i := range startSamples {
		failed, err := c.ingest(ctx, fmt.Sprintf("https://10.255.255.1/%d", i))
		if err != nil {
			return nil, err
		}
		var queued struct {
			JobID string `json:"job_id"`
		}
		text := map[string]any{"content": "Tidewall opens a second plant on the coast, said Ines Okafor, chief executive of Tidewall."}
		if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/documents/"+failed.DocumentID+"/retry", text,
			http.StatusAccepted, &queued); err != nil {
			return nil, err
		}
		took, err := c.measureStart(ctx, queued.JobID)
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return times, nil
}

// measureStart waits until the job has ended, so that the next job finds idle workers, and returns
// the time from its creation to its start.
func (c restClient) measureStart(ctx context.Context, id string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, jobTimeout)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var job struct {
			CreatedAt   time.Time  `json:"created_at"`
			StartedAt   *time.Time `json:"started_at"`
			CompletedAt *time.Time `json:"completed_at"`
		}
		if err := c.sendJSON(ctx, http.MethodGet, "/api/v1/jobs/"+id, nil, http.StatusOK, &job); err != nil {
			return 0, err
		}
		if job.StartedAt != nil && job.CompletedAt != nil {
			return job.StartedAt.Sub(job.CreatedAt), nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("job %s has not ended: %w", id, ctx.Err())
		case <-tick.C:
		}
	}
}

// measurePosts measures ingestions of pages of a local site; the workers fetch the pages
// concurrently.
func (c restClient) measurePosts(ctx context.Context) ([]time.Duration, error) {
	page := "<!doctype html><title>Tidewall opens a plant</title><article><h1>Tidewall opens a plant</h1><p>" +
		strings.Repeat("Tidewall will supply power to forty thousand homes before winter. ", 20) + "</p></article>"
	site, stop, err := serveLoopback(ctx, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	if err != nil {
		return nil, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	var times []time.Duration
	for i := range postSamples {
		sent := time.Now()
		in, err := c.ingest(ctx, fmt.Sprintf("%s/%d.html", site, i))
		if err != nil {
			return nil, err
		}
		times = append(times, time.Since(sent))
		if !in.Success {
			return nil, fmt.Errorf("the ingestion of %s/%d.html was not started", site, i)
		}
	}
	slices.Sort(times)
	return times, nil
}
