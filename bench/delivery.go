package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/event"
	"rostrum/domain/webhook"
	"rostrum/domain/webhook/message"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/live"
	"rostrum/model"
)

const (
	endpoints       = 50
	posts           = 20_000 // deliveries of one round
	postRounds      = 3
	postWorkers     = 64 // of the bare loop
	deliveryClaim   = 0.4
	stuckFor        = 15 * time.Second
	stuckClaim      = 1.2
	steadyPause     = 100 * time.Millisecond // between two events of one endpoint while another is stuck
	deliverPatience = 2 * time.Minute
)

// delivering is what the deliveries of webhooks are measured with: the rooms on a database, and a receiver.
type delivering struct {
	db       *dbx.DB
	news     *live.Live
	accounts *account.Service
	receiver *receiver
	ratios   []float64
	rates    []float64 // of the rooms, a second
	alone    []time.Duration
	beside   []time.Duration
}

// deliveries measures webhooks on Postgres, beside a loop that posts the same bodies from memory.
func deliveries(ctx context.Context, address string) (d *delivering, err error) {
	d = &delivering{receiver: newReceiver()}
	defer d.receiver.Close()
	if d.db, err = dbx.Open(ctx, address); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.db.Close()) }()
	if _, err := d.db.Migrate(ctx); err != nil {
		return nil, err
	}
	if err := job.Migrate(ctx, d.db); err != nil {
		return nil, err
	}
	if d.news, err = live.Open(ctx, live.Config{}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.news.Close()) }()
	d.accounts = account.New(d.db, d.news)
	for i := range postRounds {
		progress("webhook deliveries, round %d of %d", i+1, postRounds)
		if err := d.round(ctx); err != nil {
			return nil, err
		}
	}
	for _, stuck := range []bool{false, true} {
		progress("webhook deliveries with a stuck receiver: %t", stuck)
		times, err := d.steady(ctx, stuck)
		if err != nil {
			return nil, err
		}
		if stuck {
			d.beside = times
		} else {
			d.alone = times
		}
	}
	return d, nil
}

// process is one gateway's rooms of webhooks, with an endpoint for each of 50 links.
type process struct {
	workspace string
	jobs      *job.Service
	webhooks  *webhook.Service
	events    *event.Service
	stop      context.CancelFunc
	running   sync.WaitGroup
}

func (d *delivering) process(ctx context.Context) (*process, error) {
	w, err := d.accounts.CreateWorkspace(ctx, account.NewWorkspace{Name: "Deliveries", Plan: model.PlanPro})
	if err != nil {
		return nil, err
	}
	p := &process{workspace: w.ID}
	if p.jobs, err = job.New(d.db, d.news, job.Config{Queues: map[string]int{webhook.Queue: webhook.Workers}}); err != nil {
		return nil, err
	}
	client := fetch.New(fetch.Config{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Roots: d.receiver.roots, Timeout: webhook.SendTime,
		PerHost: webhook.Workers, Pause: time.Nanosecond,
	})
	anyLink := func(context.Context, string, string) (bool, error) { return true, nil }
	p.webhooks, err = webhook.New(d.db, p.jobs, d.accounts, anyLink, client, webhook.Config{SealKey: make([]byte, 32)})
	if err != nil {
		return nil, err
	}
	p.events = event.New(d.db, d.news, p.webhooks.Follow)
	own := model.WithPrincipal(ctx, model.Principal{WorkspaceID: w.ID})
	for i := range endpoints {
		in := model.CreateWebhookInput{URL: fmt.Sprintf("%s/%d", d.receiver.URL, i)}
		link := linkOf(i)
		in.LinkID = graphql.OmittableOf(&link)
		if _, err := p.webhooks.Create(own, in); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func linkOf(endpoint int) string { return fmt.Sprintf("lnk_%d", endpoint) }

func (p *process) start(ctx context.Context) error {
	ctx, p.stop = context.WithCancel(ctx)
	p.running.Go(func() { p.webhooks.Run(ctx) })
	return p.jobs.Start(ctx)
}

func (p *process) end(ctx context.Context) error {
	err := p.jobs.Stop(ctx)
	p.stop()
	p.running.Wait()
	return err
}

// happen appends an event for each of the endpoints.
func (d *delivering) happen(ctx context.Context, p *process, each []int) ([]*model.Event, error) {
	events := make([]*model.Event, len(each))
	for i, endpoint := range each {
		e := message.Sample(model.EventLinkOpened)
		link := linkOf(endpoint)
		e.WorkspaceID, e.LinkID, e.Data = p.workspace, &link, nil
		events[i] = e
	}
	return events, d.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return p.events.Append(ctx, tx, events) })
}

// round lets a backlog of deliveries be made, and the bare loop post as many.
func (d *delivering) round(ctx context.Context) error {
	p, err := d.process(ctx)
	if err != nil {
		return err
	}
	const batch = 1000
	each := make([]int, batch)
	for i := range each {
		each[i] = i % endpoints
	}
	var body []byte
	for range posts / batch {
		events, err := d.happen(ctx, p, each)
		if err != nil {
			return err
		}
		if body, err = message.JSON(events[0]); err != nil {
			return err
		}
	}
	bare, err := d.bare(ctx, body)
	if err != nil {
		return err
	}
	d.receiver.reset()
	began := time.Now()
	if err := p.start(ctx); err != nil {
		return err
	}
	last, err := d.receiver.await(ctx, posts)
	if err = errors.Join(err, p.end(ctx)); err != nil {
		return err
	}
	rate := posts / last.Sub(began).Seconds()
	d.rates, d.ratios = append(d.rates, rate), append(d.ratios, rate/bare)
	return d.delivered(ctx, p)
}

// delivered checks that the log tells of every delivery.
func (d *delivering) delivered(ctx context.Context, p *process) error {
	n, err := d.db.NewSelect().Model((*model.Delivery)(nil)).
		Where("workspace_id = ? AND status = ?", p.workspace, model.DeliveryStatusDelivered).Count(ctx)
	if err == nil && n != posts {
		err = fmt.Errorf("the log tells of %d deliveries instead of %d", n, posts)
	}
	return err
}

// bare is the rate of a worker loop that posts a body from memory.
func (d *delivering) bare(ctx context.Context, body []byte) (float64, error) {
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: d.receiver.roots}, MaxIdleConnsPerHost: postWorkers}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var left atomic.Int64
	left.Store(posts)
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for range postWorkers {
		group.Go(func() error {
			for {
				n := left.Add(-1)
				if n < 0 {
					return nil
				}
				if err := post(ctx, client, fmt.Sprintf("%s/%d", d.receiver.URL, n%endpoints), body); err != nil {
					return err
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	return posts / time.Since(began).Seconds(), nil
}

// steady sends each endpoint an event now and then, and measures how long those of all but the first take from their commit on; stuck
// makes the first one hang.
func (d *delivering) steady(ctx context.Context, stuck bool) ([]time.Duration, error) {
	p, err := d.process(ctx)
	if err != nil {
		return nil, err
	}
	d.receiver.reset()
	d.receiver.stuck.Store(stuck)
	if err := p.start(ctx); err != nil {
		return nil, err
	}
	committed := map[string]time.Time{}
	tick := time.NewTicker(steadyPause)
	defer tick.Stop()
	each := make([]int, endpoints)
	for i := range each {
		each[i] = i
	}
	for began := time.Now(); time.Since(began) < stuckFor; <-tick.C {
		events, err := d.happen(ctx, p, each)
		if err != nil {
			return nil, err
		}
		for _, e := range events[1:] {
			committed[e.ID] = time.Now()
		}
	}
	_, err = d.receiver.await(ctx, len(committed))
	d.receiver.stuck.Store(false)
	d.receiver.CloseClientConnections()
	return d.receiver.delays(committed), errors.Join(err, p.end(ctx))
}

// receiver takes posts and notes when each event came; while it is stuck, its first path answers nobody.
type receiver struct {
	*httptest.Server
	roots *x509.CertPool
	stuck atomic.Bool
	mu    sync.Mutex
	came  map[string]time.Time
	last  time.Time
}

func newReceiver() *receiver {
	r := &receiver{roots: x509.NewCertPool(), came: map[string]time.Time{}}
	r.Server = httptest.NewTLSServer(r)
	r.roots.AddCert(r.Certificate())
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
	if request.URL.Path == "/0" && r.stuck.Load() {
		select {
		case <-request.Context().Done():
		case <-time.After(stuckFor):
		}
		return
	}
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if id := request.Header.Get(message.HeaderID); id != "" {
		r.came[id] = now
		r.last = now
	}
}

func (r *receiver) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.came)
}

// await waits until so many events have come, and tells when the last one did.
func (r *receiver) await(ctx context.Context, want int) (time.Time, error) {
	for deadline := time.Now().Add(deliverPatience); ; time.Sleep(5 * time.Millisecond) {
		r.mu.Lock()
		n, last := len(r.came), r.last
		r.mu.Unlock()
		switch {
		case n >= want:
			return last, nil
		case time.Now().After(deadline) || ctx.Err() != nil:
			return last, fmt.Errorf("%d of %d events came", n, want)
		}
	}
}

// delays are how long the events took from their commit on, sorted.
func (r *receiver) delays(committed map[string]time.Time) []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	times := make([]time.Duration, 0, len(committed))
	for id, at := range committed {
		times = append(times, max(r.came[id].Sub(at), 0))
	}
	slices.Sort(times)
	return times
}
