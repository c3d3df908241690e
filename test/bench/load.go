package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// requestTimeout limits a request of the load.
const requestTimeout = 30 * time.Second

// newClient returns a client that keeps n connections open and follows no redirect.
func newClient(n int, config *tls.Config) *http.Client {
	return &http.Client{
		Timeout:       requestTimeout,
		Transport:     &http.Transport{MaxIdleConnsPerHost: n, DisableCompression: true, TLSClientConfig: config},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// attack sends requests over n connections, each as soon as the one before has its response. It ends
// after the duration, or with the last target if that is 0, and on the first error of check.
func attack(ctx context.Context, client *http.Client, n int, d time.Duration, next vegeta.Targeter,
	check func(*vegeta.Result) error) (err error) {
	defer client.CloseIdleConnections()
	connections := uint64(n)
	attacker := vegeta.NewAttacker(vegeta.Client(client), vegeta.Workers(connections), vegeta.MaxWorkers(connections))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	for r := range attacker.Attack(next, vegeta.Rate{}, d, "") {
		if err != nil || r.Error == vegeta.ErrNoTargets.Error() {
			continue
		}
		if err = check(r); err != nil {
			attacker.Stop()
		}
	}
	return errors.Join(err, ctx.Err())
}

// onceEach returns a targeter of n targets, each of which is sent once.
func onceEach(n int, target func(i int) vegeta.Target) vegeta.Targeter {
	var next atomic.Int64
	return func(t *vegeta.Target) error {
		i := int(next.Add(1)) - 1
		if i >= n {
			return vegeta.ErrNoTargets
		}
		*t = target(i)
		return nil
	}
}

// checkStatus returns an error unless the response has the status.
func checkStatus(r *vegeta.Result, status uint16) error {
	if r.Code != status {
		return fmt.Errorf("%s %s: %d %s: %.300s", r.Method, r.URL, r.Code, r.Error, r.Body)
	}
	return nil
}

// request is an HTTP request and the number of documents that its response must contain.
type request struct {
	method, url, key string
	body             any // encoded as JSON; nil: no body
	documents        int
}

// target returns the request as vegeta sends it.
func (r request) target() (vegeta.Target, error) {
	t := vegeta.Target{Method: r.method, URL: r.url, Header: http.Header{}}
	if r.key != "" {
		t.Header.Set("X-Api-Key", r.key)
	}
	if r.body == nil {
		return t, nil
	}
	t.Header.Set("Content-Type", "application/json")
	var err error
	if t.Body, err = json.Marshal(r.body); err != nil {
		return t, fmt.Errorf("write the body for %s: %w", r.url, err)
	}
	return t, nil
}

// http returns the request for a client.
func (r request) http(ctx context.Context) (*http.Request, error) {
	t, err := r.target()
	if err != nil {
		return nil, err
	}
	req, err := t.Request()
	if err != nil {
		return nil, fmt.Errorf("create a request: %w", err)
	}
	return req.WithContext(ctx), nil
}

// read sends the request and decodes its response, which must be a success, into body.
func (r request) read(ctx context.Context, body any) error {
	text, err := r.fetch(ctx)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, body); err != nil {
		return fmt.Errorf("read %s: %w", r.url, err)
	}
	return nil
}

// fetch sends the request and returns its response, which must be a success.
func (r request) fetch(ctx context.Context) ([]byte, error) {
	req, err := r.http(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: status %d: %.300s", r.method, r.url, answer.StatusCode, text)
	}
	return text, err
}

// candidate responds to the requests of one comparison through one API.
type candidate struct {
	name     string
	requests []request
	handler  http.Handler // that serves the requests in this process

	rates       []float64 // requests per second, by round
	used        []float64 // milliseconds of this process's CPU time for 1,000 requests, by round
	times       vegeta.LatencyMetrics
	statements  int64 // SQL statements of one request, where they can be counted
	allocations int64 // of one request in this process
}

// sendLoad sends requests over n concurrent connections for about the duration and returns how many
// were sent. It returns an error on the first invalid response.
func (c *candidate) sendLoad(ctx context.Context, n int, d time.Duration, visit func(time.Duration)) (count int,
	err error) {
	targets := make([]vegeta.Target, len(c.requests))
	for i, r := range c.requests {
		if targets[i], err = r.target(); err != nil {
			return 0, err
		}
	}
	err = attack(ctx, newClient(n, nil), n, d, vegeta.NewStaticTargeter(targets...), func(r *vegeta.Result) error {
		count++
		visit(r.Latency)
		if r.Code == 0 {
			return errors.New(r.Error)
		}
		return checkResponse(int(r.Code), r.Body, c.requests[0].documents)
	})
	if err != nil {
		return count, fmt.Errorf("%s: %w", c.name, err)
	}
	return count, nil
}

// warmUp sends load that is not measured.
func (c *candidate) warmUp(ctx context.Context, n int, d time.Duration) error {
	_, err := c.sendLoad(ctx, n, d, func(time.Duration) {})
	return err
}

// measure sends a slice of load, adds its results and returns the number of requests.
func (c *candidate) measure(ctx context.Context, n int, d time.Duration) (int, error) {
	began, used := time.Now(), processTime()
	count, err := c.sendLoad(ctx, n, d, c.times.Add)
	if err == nil {
		c.rates = append(c.rates, float64(count)/time.Since(began).Seconds())
		c.used = append(c.used, millisecondsOfThousand(processTime()-used, count))
	}
	return count, err
}

// millisecondsOfThousand returns the CPU time of 1,000 requests in milliseconds.
func millisecondsOfThousand(used time.Duration, requests int) float64 {
	return float64(used.Microseconds()) / float64(max(requests, 1))
}

// processTime returns the CPU time that this process has used: the server and the load generator.
func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// cells returns the cells of a table for the rate and the times.
func (c *candidate) cells() string {
	return fmt.Sprintf("%.0f\t%s\t%s", median(c.rates), formatMilliseconds(quantile(c.times, 0.5)),
		formatMilliseconds(quantile(c.times, 0.99)))
}

// quantile returns a quantile of the times; 0 without times.
func quantile(times vegeta.LatencyMetrics, share float64) time.Duration {
	if times.Max == 0 {
		return 0
	}
	return times.Quantile(share)
}

// documentMarks occur once in every document of a response, in REST's spelling and in GraphQL's.
var documentMarks = [][]byte{[]byte(`"workspace_id":`), []byte(`"workspaceId":`)}

// errorsMark begins each of the graph's responses with errors, whose status may be 200.
var errorsMark = []byte(`{"errors":`)

// checkResponse returns an error for failures and incomplete responses, so that fast failures do
// not count.
func checkResponse(status int, body []byte, documents int) error {
	found := 0
	for _, mark := range documentMarks {
		found += bytes.Count(body, mark)
	}
	if status != http.StatusOK || found != documents || bytes.HasPrefix(body, errorsMark) {
		return fmt.Errorf("status %d with %d documents instead of 200 with %d: %.300s", status, found, documents, body)
	}
	return nil
}
