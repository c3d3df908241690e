package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	redirectClaim    = 0.7 // of the reference handler's rate
	redirectP99Claim = 20 * time.Millisecond
	// redirectConnections are open concurrently: sessions that wait for a commit share it, and 20
	// ms hold many at these rates.
	redirectConnections = 256
	redirectTo          = "https://example.com/landing?campaign=autumn"
)

// redirectResult is the cost of a short link in comparison with a handler that only redirects.
type redirectResult struct {
	database       string
	bare           loadSample
	rows           []redirectRow
	opened, stored int // sessions started, and sessions in the database afterwards
}

// redirectRow is one kind of viewers.
type redirectRow struct {
	viewers string
	times   []time.Duration // sorted
	rates   []float64
	ratios  []float64 // to the reference handler's rate in the same round
}

// agents are user agents of viewers, a few of the thousands that a server receives.
var agents = []string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
	"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
}

// formatVisit returns the request of a viewer.
func formatVisit(host, path, agent, cookie string) []byte {
	text := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: " + agent +
		"\r\nAccept: text/html,application/xhtml+xml\r\nAccept-Language: en\r\nReferer: https://news.example/today\r\n"
	if cookie != "" {
		text += "Cookie: " + cookie + "\r\n"
	}
	return []byte(text + "\r\n")
}

// followLinks requests links on all connections for the duration; each response must redirect to
// the link's target.
func followLinks(ctx context.Context, host string, wires [][]byte, d time.Duration) (loadSample, error) {
	var mu sync.Mutex
	var all loadSample
	start := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for i := range redirectConnections {
		group.Go(func() error {
			times, err := followOnConnection(ctx, host, wires[i%len(wires)], start.Add(d))
			mu.Lock()
			defer mu.Unlock()
			all.times = append(all.times, times...)
			return err
		})
	}
	err := group.Wait()
	all.took = time.Since(start)
	return all, err
}

func followOnConnection(ctx context.Context, host string, wire []byte, end time.Time) ([]time.Duration, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(end.Add(10 * time.Second)); err != nil {
		return nil, err
	}
	var times []time.Duration
	var body bytes.Buffer
	reader := bufio.NewReader(conn)
	for sent := time.Now(); sent.Before(end); sent = time.Now() {
		if _, err := conn.Write(wire); err != nil {
			return times, err
		}
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			return times, err
		}
		body.Reset()
		if _, err := body.ReadFrom(answer.Body); err != nil {
			return times, err
		}
		if answer.StatusCode != http.StatusFound || answer.Header.Get("Location") != redirectTo {
			return times, fmt.Errorf("status %d to %q", answer.StatusCode, answer.Header.Get("Location"))
		}
		times = append(times, time.Since(sent))
	}
	return times, nil
}

// measureRedirects measures new viewers, each of whom starts a session, and returning viewers in
// comparison with the reference handler. It then checks that every session is in the database.
func measureRedirects(ctx context.Context, g *gateway, database string, seconds float64) (*redirectResult, error) {
	bare, stop, err := serveLoopback(ctx, http.RedirectHandler(redirectTo, http.StatusFound))
	if err != nil {
		return nil, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	p, err := g.createWorkspace(ctx, "Redirects")
	if err != nil {
		return nil, err
	}
	var link struct {
		ID   string `json:"id"`
		Slug string `json:"slug"`
	}
	c := restClient{base: g.base, key: p.key}
	body := map[string]string{"destination_url": redirectTo, "title": "Bench"}
	if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/links", body, http.StatusCreated, &link); err != nil {
		return nil, err
	}
	r := &redirectResult{database: database}
	if err := r.runRound(ctx, hostOf(bare), hostOf(g.base), "/l/"+link.Slug,
		time.Duration(seconds*float64(time.Second))); err != nil {
		return nil, fmt.Errorf("redirects on %s: %w", database, err)
	}
	var stored struct {
		Opens int `json:"open_count"`
	}
	err = c.sendJSON(ctx, http.MethodGet, "/api/v1/links/"+link.ID, nil, http.StatusOK, &stored)
	r.stored = stored.Opens
	if err == nil && r.stored != r.opened {
		err = fmt.Errorf("%d sessions were started on %s, but %d are in the database", r.opened, database, r.stored)
	}
	return r, err
}

func hostOf(base string) string {
	at, err := url.Parse(base)
	if err != nil {
		return base
	}
	return at.Host
}

// runRound gives each kind of viewers its slice of time in each round.
func (r *redirectResult) runRound(ctx context.Context, bare, gateway, path string, slice time.Duration) error {
	fresh, known := make([][]byte, len(agents)), make([][]byte, redirectConnections)
	for i, agent := range agents {
		fresh[i] = formatVisit(gateway, path, agent, "")
	}
	for i := range known {
		agent := agents[i%len(agents)]
		cookie, err := firstVisit(ctx, "http://"+gateway+path, agent)
		if err != nil {
			return err
		}
		known[i] = formatVisit(gateway, path, agent, cookie)
	}
	r.opened = len(known)
	r.rows = []redirectRow{{viewers: "new"}, {viewers: "known"}}
	for round := range rounds {
		logProgress("redirects on %s, round %d of %d", r.database, round+1, rounds)
		plain, err := followLinks(ctx, bare, fresh, slice)
		if err != nil {
			return err
		}
		r.bare.times, r.bare.took = append(r.bare.times, plain.times...), r.bare.took+plain.took
		for i, wires := range [][][]byte{fresh, known} {
			s, err := followLinks(ctx, gateway, wires, slice)
			if err != nil {
				return err
			}
			if i == 0 {
				r.opened += len(s.times)
			}
			row := &r.rows[i]
			row.times = append(row.times, s.times...)
			row.rates, row.ratios = append(row.rates, s.perSecond()),
				append(row.ratios, s.perSecond()/plain.perSecond())
		}
	}
	for _, row := range r.rows {
		slices.Sort(row.times)
	}
	slices.Sort(r.bare.times)
	return nil
}

// firstVisit starts a session and returns its cookie.
func firstVisit(ctx context.Context, address, agent string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("User-Agent", agent)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if len(answer.Cookies()) == 0 {
		return "", errors.New("the first visit returns no cookie: status " + strconv.Itoa(answer.StatusCode))
	}
	return answer.Cookies()[0].Name + "=" + answer.Cookies()[0].Value, nil
}

// tableRows returns the rows of the report's table.
func (r *redirectResult) tableRows() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\tbare handler\t%.0f\t%s\t%s\t\t\t\n", r.database, r.bare.perSecond(),
		formatMilliseconds(percentile(r.bare.times, 50)), formatMilliseconds(percentile(r.bare.times, 99)))
	for _, row := range r.rows {
		ratio, slow := median(row.ratios), percentile(row.times, 99)
		fmt.Fprintf(&b, "\t%s viewers\t%.0f\t%s\t%s\t%.2f, claim at least %g: %s\tp99 under %d ms: %s\t\n", row.viewers,
			median(row.rates),
			formatMilliseconds(percentile(row.times, 50)), formatMilliseconds(slow), ratio, redirectClaim,
			formatVerdict(ratio >= redirectClaim),
			redirectP99Claim.Milliseconds(), formatVerdict(slow < redirectP99Claim))
	}
	return b.String()
}
