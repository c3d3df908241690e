package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

const (
	redirectClaim    = 0.7 // of the reference handler's rate
	redirectP99Claim = 20 * time.Millisecond
	// redirectConnections are open concurrently: sessions that wait for a commit share it, and 20
	// ms hold many at these rates.
	redirectConnections = 256
	redirectTo          = "https://example.com/landing?campaign=autumn"
)

// agents are user agents of viewers, a few of the thousands that a server receives.
var agents = []string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
	"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
}

// redirectRow is one kind of viewers: of the reference handler, new ones or known ones.
type redirectRow struct {
	candidate
	visits []vegeta.Target
	count  int // of all rounds
}

// run sends a slice of visits and adds its results.
func (r *redirectRow) run(ctx context.Context, slice time.Duration) error {
	before, began := r.count, time.Now()
	err := follow(ctx, vegeta.NewStaticTargeter(r.visits...), slice, func(visit *vegeta.Result) {
		r.count++
		r.times.Add(visit.Latency)
	})
	r.rates = append(r.rates, float64(r.count-before)/time.Since(began).Seconds())
	return err
}

// visitsOf returns the requests of viewers, each with its cookie if there are cookies.
func visitsOf(address string, cookies []string) []vegeta.Target {
	visits := make([]vegeta.Target, redirectConnections)
	for i := range visits {
		header := http.Header{"User-Agent": {agents[i%len(agents)]}, "Accept": {"text/html,application/xhtml+xml"},
			"Accept-Language": {"en"}, "Referer": {"https://news.example/today"}}
		if cookies != nil {
			header.Set("Cookie", cookies[i])
		}
		visits[i] = vegeta.Target{Method: http.MethodGet, URL: address, Header: header}
	}
	return visits
}

// follow sends visits for the duration, or each once if it is 0. Each response must redirect to the
// link's target.
func follow(ctx context.Context, next vegeta.Targeter, d time.Duration, visit func(*vegeta.Result)) error {
	return attack(ctx, newClient(redirectConnections, nil), redirectConnections, d, next, func(r *vegeta.Result) error {
		if location := r.Headers.Get("Location"); location != redirectTo {
			return fmt.Errorf("status %d to %q: %s", r.Code, location, r.Error)
		}
		visit(r)
		return nil
	})
}

// firstVisits starts sessions and returns their cookies.
func firstVisits(ctx context.Context, address string) (cookies []string, err error) {
	visits := visitsOf(address, nil)
	next := onceEach(len(visits), func(i int) vegeta.Target { return visits[i] })
	err = follow(ctx, next, 0, func(r *vegeta.Result) {
		cookie, _, _ := strings.Cut(r.Headers.Get("Set-Cookie"), ";")
		cookies = append(cookies, cookie)
	})
	if err == nil && (len(cookies) != redirectConnections || cookies[0] == "") {
		err = errors.New("a first visit returns no cookie")
	}
	return cookies, err
}

// measureRedirects measures new viewers, each of whom starts a session, and returning viewers in
// comparison with a handler that only redirects.
func measureRedirects(ctx context.Context, s settings) (out result, err error) {
	var b, counts strings.Builder
	fmt.Fprintf(&b, "Short links: %d connections; each new viewer starts a session, which is stored with its event before the response is sent;\n"+
		"%d rounds of %g s for each row, interleaved with a net/http handler that only redirects.\n\n",
		redirectConnections, s.rounds(), s.seconds)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "database\tAPI\trequests/s\tp50 ms\tp99 ms\tof the bare handler\t\t")
	err = onEach(ctx, s.database, func(g *gateway, database string) error {
		rows, opened, err := g.followLink(ctx, s, database)
		if err != nil {
			return fmt.Errorf("redirects on %s: %w", database, err)
		}
		writeLinks(t, database, rows)
		fmt.Fprintf(&counts, "%s: %d sessions started, all in the database afterwards.\n", database, opened)
		return nil
	})
	t.Flush()
	return result{text: b.String() + counts.String()}, err
}

// followLink creates a link and gives each kind of viewers its slice of time in each round. It
// returns an error unless every session is in the database afterwards.
func (g *gateway) followLink(ctx context.Context, s settings, database string) (rows []*redirectRow, opened int,
	err error) {
	bare, stop, err := serveLoopback(ctx, http.RedirectHandler(redirectTo, http.StatusFound))
	if err != nil {
		return nil, 0, err
	}
	defer stop() // nothing is left to answer
	p, err := g.createWorkspace(ctx, "Redirects")
	if err != nil {
		return nil, 0, err
	}
	var link struct {
		ID, Slug string
		Opens    int `json:"open_count"`
	}
	create := request{method: http.MethodPost, url: g.base + "/api/v1/links", key: p.key,
		body: map[string]string{"destination_url": redirectTo, "title": "Bench"}}
	if err := create.read(ctx, &link); err != nil {
		return nil, 0, err
	}
	address := g.base + "/l/" + link.Slug
	cookies, err := firstVisits(ctx, address)
	if err != nil {
		return nil, 0, err
	}
	rows = []*redirectRow{{candidate: candidate{name: "bare handler"}, visits: visitsOf(bare, nil)},
		{candidate: candidate{name: "new viewers"}, visits: visitsOf(address, nil)},
		{candidate: candidate{name: "known viewers"}, visits: visitsOf(address, cookies)}}
	for round := range s.rounds() {
		logProgress("redirects on %s, round %d of %d", database, round+1, s.rounds())
		for _, row := range rows {
			if err := row.run(ctx, s.slice()); err != nil {
				return nil, 0, err
			}
		}
	}
	read := request{method: http.MethodGet, url: g.base + "/api/v1/links/" + link.ID, key: p.key}
	opened = len(cookies) + rows[1].count
	if err = read.read(ctx, &link); err == nil && link.Opens != opened {
		err = fmt.Errorf("%d sessions were started, but %d are in the database", opened, link.Opens)
	}
	return rows, opened, err
}

// writeLinks writes the rows of a database.
func writeLinks(t *tabwriter.Writer, database string, rows []*redirectRow) {
	for i, row := range rows {
		if i == 0 {
			fmt.Fprintf(t, "%s\t%s\t%s\t\t\t\n", database, row.name, row.cells())
			continue
		}
		ratios, slow := ratiosOf(row.rates, rows[0].rates), quantile(row.times, 0.99)
		fmt.Fprintf(t, "\t%s\t%s\t%s, claim at least %g: %s\tp99 under %d ms: %s\t\n", row.name, row.cells(),
			formatRatio(ratios), redirectClaim, formatVerdict(median(ratios) >= redirectClaim),
			redirectP99Claim.Milliseconds(), formatVerdict(slow < redirectP99Claim))
	}
}
