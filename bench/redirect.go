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
	redirectClaim   = 0.7 // of the bare handler's rate
	redirectPatient = 20 * time.Millisecond
	// redirectConnections are open at once: a commit is shared by who waits for it, and 20 ms hold many at these rates.
	redirectConnections = 256
	redirectTo          = "https://example.com/landing?campaign=autumn"
)

// redirects is what following a short link costs, beside a handler that does nothing but redirect.
type redirects struct {
	database       string
	bare           sample
	rows           []redirectRow
	opened, stored int // sessions that were begun, and those that are in the database afterwards
}

// redirectRow is one kind of viewers.
type redirectRow struct {
	viewers string
	times   []time.Duration // sorted
	rates   []float64
	ratios  []float64 // to the bare handler's rate in the same round
}

// agents are browsers of viewers; each is one of a few thousand that a server sees.
var agents = []string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
	"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
}

// visit writes the request of a viewer.
func visit(host, path, agent, cookie string) []byte {
	text := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: " + agent +
		"\r\nAccept: text/html,application/xhtml+xml\r\nAccept-Language: en\r\nReferer: https://news.example/today\r\n"
	if cookie != "" {
		text += "Cookie: " + cookie + "\r\n"
	}
	return []byte(text + "\r\n")
}

// follow has viewers follow links on all connections for the duration; each answer must lead to where the link does.
func follow(ctx context.Context, host string, wires [][]byte, d time.Duration) (sample, error) {
	var mu sync.Mutex
	var all sample
	start := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for i := range redirectConnections {
		group.Go(func() error {
			times, err := followOne(ctx, host, wires[i%len(wires)], start.Add(d))
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

func followOne(ctx context.Context, host string, wire []byte, end time.Time) ([]time.Duration, error) {
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

// redirect measures new viewers, each of whom begins a session, and viewers who come back, beside the bare handler, and then looks
// whether every session is in the database.
func redirect(ctx context.Context, g *gateway, database string, seconds float64) (*redirects, error) {
	bare, stop, err := serve(ctx, http.RedirectHandler(redirectTo, http.StatusFound))
	if err != nil {
		return nil, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	p, err := g.place(ctx, "Redirects")
	if err != nil {
		return nil, err
	}
	var link struct {
		ID   string `json:"id"`
		Slug string `json:"slug"`
	}
	c := caller{base: g.base, key: p.key}
	body := map[string]string{"destination_url": redirectTo, "title": "Bench"}
	if err := c.call(ctx, http.MethodPost, "/api/v1/links", body, http.StatusCreated, &link); err != nil {
		return nil, err
	}
	r := &redirects{database: database}
	if err := r.play(ctx, hostOf(bare), hostOf(g.base), "/l/"+link.Slug, time.Duration(seconds*float64(time.Second))); err != nil {
		return nil, fmt.Errorf("redirects on %s: %w", database, err)
	}
	var stored struct {
		Opens int `json:"open_count"`
	}
	err = c.call(ctx, http.MethodGet, "/api/v1/links/"+link.ID, nil, http.StatusOK, &stored)
	r.stored = stored.Opens
	if err == nil && r.stored != r.opened {
		err = fmt.Errorf("%d sessions were begun on %s and %d are in the database", r.opened, database, r.stored)
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

// play gives every kind of viewers its slice of time in each round.
func (r *redirects) play(ctx context.Context, bare, gateway, path string, slice time.Duration) error {
	fresh, known := make([][]byte, len(agents)), make([][]byte, redirectConnections)
	for i, agent := range agents {
		fresh[i] = visit(gateway, path, agent, "")
	}
	for i := range known {
		agent := agents[i%len(agents)]
		cookie, err := firstVisit(ctx, "http://"+gateway+path, agent)
		if err != nil {
			return err
		}
		known[i] = visit(gateway, path, agent, cookie)
	}
	r.opened = len(known)
	r.rows = []redirectRow{{viewers: "new"}, {viewers: "known"}}
	for round := range rounds {
		progress("redirects on %s, round %d of %d", r.database, round+1, rounds)
		plain, err := follow(ctx, bare, fresh, slice)
		if err != nil {
			return err
		}
		r.bare.times, r.bare.took = append(r.bare.times, plain.times...), r.bare.took+plain.took
		for i, wires := range [][][]byte{fresh, known} {
			s, err := follow(ctx, gateway, wires, slice)
			if err != nil {
				return err
			}
			if i == 0 {
				r.opened += len(s.times)
			}
			row := &r.rows[i]
			row.times = append(row.times, s.times...)
			row.rates, row.ratios = append(row.rates, s.perSecond()), append(row.ratios, s.perSecond()/plain.perSecond())
		}
	}
	for _, row := range r.rows {
		slices.Sort(row.times)
	}
	slices.Sort(r.bare.times)
	return nil
}

// firstVisit begins a session and gives the cookie that keeps it.
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
		return "", errors.New("a first visit gets no cookie: " + strconv.Itoa(answer.StatusCode))
	}
	return answer.Cookies()[0].Name + "=" + answer.Cookies()[0].Value, nil
}

// lines are the rows of the report's table.
func (r *redirects) lines() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\tbare handler\t%.0f\t%s\t%s\t\t\t\n", r.database, r.bare.perSecond(),
		milliseconds(percentile(r.bare.times, 50)), milliseconds(percentile(r.bare.times, 99)))
	for _, row := range r.rows {
		ratio, slow := median(row.ratios), percentile(row.times, 99)
		fmt.Fprintf(&b, "\t%s viewers\t%.0f\t%s\t%s\t%.2f, asked at least %g: %s\tp99 under %d ms: %s\t\n", row.viewers, median(row.rates),
			milliseconds(percentile(row.times, 50)), milliseconds(slow), ratio, redirectClaim, verdict(ratio >= redirectClaim),
			redirectPatient.Milliseconds(), verdict(slow < redirectPatient))
	}
	return b.String()
}
