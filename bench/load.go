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

// wire is a request as it goes over a connection, so that the generator spends next to nothing on making it.
type wire struct {
	bytes     []byte
	documents int
}

// contender answers the requests of one comparison through one face.
type contender struct {
	face     string
	address  string // host:port
	requests []request
	wires    []wire
	rounds   []sample
	handler  http.Handler

	statements  int64 // of SQL for one request, where they can be counted
	allocations int64 // of one request inside the process
}

// newContender prepares the requests, all of which go to one server.
func newContender(ctx context.Context, face, base string, requests []request) (*contender, error) {
	at, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("read a server's address: %w", err)
	}
	c := &contender{face: face, address: at.Host, requests: requests}
	for _, r := range requests {
		req, err := r.http(ctx)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := req.Write(&b); err != nil {
			return nil, fmt.Errorf("write a request: %w", err)
		}
		c.wires = append(c.wires, wire{b.Bytes(), r.documents})
	}
	return c, nil
}

// sample is what one slice of load measured.
type sample struct {
	took  time.Duration
	used  time.Duration   // of the processors, by this process
	times []time.Duration // of each request, in no order
}

func (s sample) perSecond() float64 { return float64(len(s.times)) / s.took.Seconds() }

// load sends requests over n connections at once for about the duration. It fails with the first answer that is not a good one.
func (c *contender) load(ctx context.Context, n int, d time.Duration) (sample, error) {
	var mu sync.Mutex
	var all sample
	start, used := time.Now(), processTime()
	group, ctx := errgroup.WithContext(ctx)
	for i := range n {
		group.Go(func() error {
			times, err := c.connection(ctx, i*len(c.wires)/n, start.Add(d))
			mu.Lock()
			defer mu.Unlock()
			all.times = append(all.times, times...)
			return err
		})
	}
	err := group.Wait()
	all.took, all.used = time.Since(start), processTime()-used
	if err != nil {
		return all, fmt.Errorf("%s: %w", c.face, err)
	}
	return all, nil
}

// connection sends one request after the other until the end has come.
func (c *contender) connection(ctx context.Context, first int, end time.Time) ([]time.Duration, error) {
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
		if err := exchange(conn, reader, c.wires[i%len(c.wires)], &body); err != nil {
			return times, err
		}
		times = append(times, time.Since(sent))
	}
	return times, ctx.Err()
}

// exchange sends one request and checks that its answer is a success with as many documents as it must have.
func exchange(conn net.Conn, reader *bufio.Reader, w wire, body *bytes.Buffer) error {
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
	return check(answer.StatusCode, body.Bytes(), w.documents)
}

// documentMarks stand once in every document of an answer, in REST's spelling and in GraphQL's.
var documentMarks = [][]byte{[]byte(`"workspace_id":`), []byte(`"workspaceId":`)}

// check refuses errors and short answers, so that failing fast does not win.
func check(status int, body []byte, documents int) error {
	found := 0
	for _, mark := range documentMarks {
		found += bytes.Count(body, mark)
	}
	if status != http.StatusOK || found != documents {
		return fmt.Errorf("status %d with %d documents instead of 200 with %d: %.300s", status, found, documents, body)
	}
	return nil
}

// percentile is the nearest-rank percentile (0 < p ≤ 100); the times must be sorted, and of no times it is 0.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[rank-1]
}

// times are those of all rounds, sorted.
func (c *contender) times() []time.Duration {
	var all []time.Duration
	for _, s := range c.rounds {
		all = append(all, s.times...)
	}
	slices.Sort(all)
	return all
}

// median is the middle of the values, or the mean of the two middle ones; of no values it is 0.
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

// perSecond is the median rate of the rounds.
func (c *contender) perSecond() float64 {
	rates := make([]float64, len(c.rounds))
	for i, s := range c.rounds {
		rates[i] = s.perSecond()
	}
	return median(rates)
}

// perThousand is the median of the processors' time that the rounds took for a thousand requests.
func (c *contender) perThousand() time.Duration {
	times := make([]float64, len(c.rounds))
	for i, s := range c.rounds {
		times[i] = float64(s.used) * 1000 / float64(max(len(s.times), 1))
	}
	return time.Duration(median(times))
}

// ratio is the median, over the rounds, of the contender's rate to the other's in the same round.
func (c *contender) ratio(other *contender) float64 {
	var ratios []float64
	for i := range min(len(c.rounds), len(other.rounds)) {
		if rate := other.rounds[i].perSecond(); rate > 0 {
			ratios = append(ratios, c.rounds[i].perSecond()/rate)
		}
	}
	return median(ratios)
}
