package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// wireRequest is a serialized request, so that the load generator spends almost no time on it.
type wireRequest struct {
	bytes     []byte
	documents int
}

// candidate responds to the requests of one comparison through one API.
type candidate struct {
	name     string
	address  string // host:port
	requests []request
	payloads []wireRequest
	rounds   []loadSample
	handler  http.Handler

	statements  int64 // SQL statements of one request, where they can be counted
	allocations int64 // of one request in this process
}

// newCandidate prepares the requests, all of which go to one server.
func newCandidate(ctx context.Context, name, base string, requests []request) (*candidate, error) {
	at, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("read a server's address: %w", err)
	}
	c := &candidate{name: name, address: at.Host, requests: requests}
	for _, r := range requests {
		req, err := r.http(ctx)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := req.Write(&b); err != nil {
			return nil, fmt.Errorf("write a request: %w", err)
		}
		c.payloads = append(c.payloads, wireRequest{b.Bytes(), r.documents})
	}
	return c, nil
}

// loadSample is the measurement of one slice of load.
type loadSample struct {
	took  time.Duration
	used  time.Duration   // CPU time of this process
	times []time.Duration // of each request, unsorted
}

func (s loadSample) perSecond() float64 { return float64(len(s.times)) / s.took.Seconds() }

// sendLoad sends requests over n concurrent connections for about the duration. It returns an error
// on the first invalid response.
func (c *candidate) sendLoad(ctx context.Context, n int, d time.Duration) (loadSample, error) {
	var mu sync.Mutex
	var all loadSample
	start, used := time.Now(), processTime()
	group, ctx := errgroup.WithContext(ctx)
	for i := range n {
		group.Go(func() error {
			times, err := c.sendOnConnection(ctx, i*len(c.payloads)/n, start.Add(d))
			mu.Lock()
			defer mu.Unlock()
			all.times = append(all.times, times...)
			return err
		})
	}
	err := group.Wait()
	all.took, all.used = time.Since(start), processTime()-used
	if err != nil {
		return all, fmt.Errorf("%s: %w", c.name, err)
	}
	return all, nil
}

// sendOnConnection sends requests one at a time until the end time.
func (c *candidate) sendOnConnection(ctx context.Context, first int, end time.Time) ([]time.Duration, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(end.Add(10 * time.Second)); err != nil {
		return nil, err
	}
	var times []time.Duration
	var body bytes.Buffer
	reader := bufio.NewReaderSize(conn, 64<<10)
	for i := first; ctx.Err() == nil; i++ {
		sent := time.Now()
		if sent.After(end) {
			break
		}
		if err := exchangeRequest(conn, reader, c.payloads[i%len(c.payloads)], &body); err != nil {
			return times, err
		}
		times = append(times, time.Since(sent))
	}
	return times, ctx.Err()
}

// exchangeRequest sends one request and returns an error unless its response is a success with the
// expected number of documents.
func exchangeRequest(conn net.Conn, reader *bufio.Reader, w wireRequest, body *bytes.Buffer) error {
	if _, err := conn.Write(w.bytes); err != nil {
		return err
	}
	answer, err := http.ReadResponse(reader, nil)
	if err != nil {
		return err
	}
	body.Reset()
	if _, err := body.ReadFrom(answer.Body); err != nil {
		return err
	}
	return checkResponse(answer.StatusCode, body.Bytes(), w.documents)
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

// percentile returns the nearest-rank percentile (0 < p ≤ 100) of sorted times; 0 without times.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[rank-1]
}

// sortedTimes returns the times of all rounds, sorted.
func (c *candidate) sortedTimes() []time.Duration {
	var all []time.Duration
	for _, s := range c.rounds {
		all = append(all, s.times...)
	}
	slices.Sort(all)
	return all
}

// median returns the middle value, or the mean of the two middle values; 0 without values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// perSecond returns the median rate of the rounds.
func (c *candidate) perSecond() float64 {
	rates := make([]float64, len(c.rounds))
	for i, s := range c.rounds {
		rates[i] = s.perSecond()
	}
	return median(rates)
}

// perThousand returns the median CPU time of the rounds for a thousand requests.
func (c *candidate) perThousand() time.Duration {
	times := make([]float64, len(c.rounds))
	for i, s := range c.rounds {
		times[i] = float64(s.used) * 1000 / float64(max(len(s.times), 1))
	}
	return time.Duration(median(times))
}

// ratio returns the median, over the rounds, of the candidate's rate divided by the other's in the
// same round.
func (c *candidate) ratio(other *candidate) float64 {
	var ratios []float64
	for i := range min(len(c.rounds), len(other.rounds)) {
		if rate := other.rounds[i].perSecond(); rate > 0 {
			ratios = append(ratios, c.rounds[i].perSecond()/rate)
		}
	}
	return median(ratios)
}
