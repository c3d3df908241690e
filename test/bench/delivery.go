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
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/event"
	"rostrum/domain/webhook"
	"rostrum/domain/webhook/message"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/platform/seal"
	"rostrum/platform/slot"
)

const (
	endpoints       = 50
	posts           = 20_000 // deliveries of one round
	postRounds      = 3
	postWorkers     = 64 // of the reference loop
	deliveryClaim   = 0.45
	stuckFor        = 15 * time.Second
	stuckClaim      = 1.2
	steadyPause     = 100 * time.Millisecond // between two events of an endpoint while another is stuck
	deliveryTimeout = 2 * time.Minute
)

// deliveryBench measures webhook deliveries: the services on a database, and a receiver.
type deliveryBench struct {
	settings settings
	db       *dbx.DB
	live     *live.Live
	accounts *account.Service
	receiver *webhookReceiver
	rates    []float64 // deliveries per second of the gateway, by round
	bare     []float64 // of the loop that posts the same body from memory
}

// measureDeliveries measures webhooks on Postgres in comparison with a loop that posts the same
// bodies from memory. No gateway runs on the database, which would compete for them.
func measureDeliveries(ctx context.Context, s settings) (out result, err error) {
	err = withDatabase(ctx, s.database, func(address string) (err error) {
		d := &deliveryBench{settings: s, receiver: newReceiver()}
		defer d.receiver.Close()
		if d.db, err = dbx.Open(ctx, address, slot.New); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.db.Close()) }()
		if _, err := d.db.Migrate(ctx); err != nil {
			return err
		}
		if err := job.Migrate(ctx, d.db); err != nil {
			return err
		}
		if d.live, err = live.Open(ctx, live.Config{}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.live.Close()) }()
		d.accounts = account.New(account.Config{DB: d.db, Live: d.live})
		out.text, err = d.run(ctx)
		return err
	})
	return out, err
}

// run measures the rate, and the times with and without a receiver that hangs.
func (d *deliveryBench) run(ctx context.Context) (string, error) {
	rounds := min(postRounds, d.settings.rounds())
	for i := range rounds {
		logProgress("webhook deliveries, round %d of %d", i+1, rounds)
		if err := d.runRound(ctx); err != nil {
			return "", err
		}
	}
	var slow [2]time.Duration
	for i, stuck := range []bool{false, true} {
		logProgress("webhook deliveries with a stuck receiver: %t", stuck)
		times, err := d.measureSteady(ctx, stuck)
		if err != nil {
			return "", err
		}
		slow[i] = times.Quantile(0.99)
	}
	ratios := ratiosOf(d.rates, d.bare)
	change := float64(slow[1]) / float64(max(slow[0], 1))
	return fmt.Sprintf("Webhooks on Postgres: %d deliveries to %d https receivers, %d rounds: %.0f a second, %s of a loop of %d workers that posts\n"+
		"the same body from memory, claim at least %g: %s\n"+
		"From commit to receiver, p99 of %d receivers: %s ms; while one more hangs for %s: %s ms, %.2f of it, claim under %.1f: %s\n",
		d.settings.count(posts), endpoints, rounds, median(d.rates), formatRatio(ratios), postWorkers, deliveryClaim,
		formatVerdict(median(ratios) >= deliveryClaim), endpoints-1, formatMilliseconds(slow[0]), d.stuckTime(),
		formatMilliseconds(slow[1]), change, stuckClaim, formatVerdict(change < stuckClaim)), nil
}

// stuckTime is how long events are sent while a receiver hangs.
func (d *deliveryBench) stuckTime() time.Duration {
	if d.settings.short {
		return 2 * time.Second
	}
	return stuckFor
}

// webhookProcess is the webhook service of a gateway, with an endpoint for each of 50 links.
type webhookProcess struct {
	workspace string
	jobs      *job.Service
	webhooks  *webhook.Service
	events    *event.Service
	stop      context.CancelFunc
	running   sync.WaitGroup
}

func (d *deliveryBench) newProcess(ctx context.Context) (*webhookProcess, error) {
	w, err := d.accounts.CreateWorkspace(ctx, account.NewWorkspace{Name: "Deliveries", Plan: model.PlanPro})
	if err != nil {
		return nil, err
	}
	p := &webhookProcess{workspace: w.ID}
	if p.jobs, err = job.New(job.Config{DB: d.db, Live: d.live,
		Queues: map[string]int{webhook.Queue: webhook.Workers}}); err != nil {
		return nil, err
	}
	client := fetch.New(fetch.Config{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Roots: d.receiver.roots,
		Timeout: webhook.SendTimeout,
		PerHost: webhook.MaxRunning, Pause: time.Nanosecond,
	})
	anyLink := func(context.Context, string, string) (bool, error) { return true, nil }
	readEvents := func(ctx context.Context, ids []string) ([]*model.Event, error) { return p.events.ByIDs(ctx, ids) }
	sealer, err := seal.New(make([]byte, 32))
	if err != nil {
		return nil, err
	}
	p.webhooks = webhook.New(webhook.Config{
		DB: d.db, Tasks: p.jobs, Accounts: d.accounts, Audit: d.accounts.Audit, HasLink: anyLink,
		ReadEvents: readEvents, Client: client, Sealer: sealer,
		RecordChange: func(tx dbx.Tx, workspaceID, name, id string) {
			p.events.RecordChange(tx, workspaceID, name, id)
		},
		AppendState: func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
			return p.events.AppendWebhookState(ctx, tx, w)
		},
		OtherSecrets: func(context.Context, dbx.Tx) (int, []webhook.LostSecret, error) { return 0, nil, nil },
	})
	p.events = event.New(event.Config{DB: d.db, Live: d.live, Hooks: []event.AppendHook{p.webhooks.EnqueueDeliveries}})
	own := principal.With(ctx, principal.Principal{WorkspaceID: w.ID})
	for i := range endpoints {
		in := api.CreateWebhookInput{URL: fmt.Sprintf("%s/%d", d.receiver.URL, i)}
		link := linkOf(i)
		in.LinkID = graphql.OmittableOf(&link)
		if _, err := p.webhooks.Create(own, in); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func linkOf(endpoint int) string { return fmt.Sprintf("lnk_%d", endpoint) }

func (p *webhookProcess) start(ctx context.Context) error {
	ctx, p.stop = context.WithCancel(ctx)
	p.running.Go(func() { p.webhooks.Run(ctx) })
	return p.jobs.Start(ctx)
}

func (p *webhookProcess) end(ctx context.Context) error {
	err := p.jobs.Stop(ctx)
	p.stop()
	p.running.Wait()
	return err
}

// appendEvents appends an event for each of the endpoints.
func (d *deliveryBench) appendEvents(ctx context.Context, p *webhookProcess, each []int) ([]*model.Event, error) {
	events := make([]*model.Event, len(each))
	for i, endpoint := range each {
		e := message.Sample(model.EventLinkOpened)
		link := linkOf(endpoint)
		e.WorkspaceID, e.LinkID, e.Data = p.workspace, &link, nil
		events[i] = e
	}
	return events, d.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return p.events.Append(ctx, tx, events)
	})
}

// runRound delivers a backlog, then posts the same number from the reference loop.
func (d *deliveryBench) runRound(ctx context.Context) error {
	p, err := d.newProcess(ctx)
	if err != nil {
		return err
	}
	const batch = 200
	each := make([]int, batch)
	for i := range each {
		each[i] = i % endpoints
	}
	var body []byte
	for range d.settings.count(posts) / batch {
		events, err := d.appendEvents(ctx, p, each)
		if err != nil {
			return err
		}
		if body, err = message.JSON(events[0]); err != nil {
			return err
		}
	}
	bare, err := d.postDirectly(ctx, body)
	if err != nil {
		return err
	}
	d.receiver.reset()
	began := time.Now()
	if err := p.start(ctx); err != nil {
		return err
	}
	last, err := d.receiver.awaitEvents(ctx, d.settings.count(posts))
	if err = errors.Join(err, p.end(ctx)); err != nil {
		return err
	}
	d.rates = append(d.rates, float64(d.settings.count(posts))/last.Sub(began).Seconds())
	d.bare = append(d.bare, bare)
	return d.checkDelivered(ctx, p)
}

// checkDelivered returns an error unless the log contains every delivery.
func (d *deliveryBench) checkDelivered(ctx context.Context, p *webhookProcess) error {
	n, err := d.db.NewSelect().Model((*model.Delivery)(nil)).
		Where("workspace_id = ? AND status = ?", p.workspace, model.DeliveryStatusDelivered).Count(ctx)
	if want := int64(d.settings.count(posts)); err == nil && n != want {
		err = fmt.Errorf("the log contains %d deliveries, want %d", n, want)
	}
	return err
}

// postDirectly returns the rate of a worker loop that posts a body from memory.
func (d *deliveryBench) postDirectly(ctx context.Context, body []byte) (float64, error) {
	n, began := d.settings.count(posts), time.Now()
	header := http.Header{"Content-Type": {"application/json"}}
	next := onceEach(n, func(i int) vegeta.Target {
		return vegeta.Target{Method: http.MethodPost, URL: fmt.Sprintf("%s/%d", d.receiver.URL, i%endpoints),
			Body: body, Header: header}
	})
	client := newClient(postWorkers, &tls.Config{RootCAs: d.receiver.roots})
	err := attack(ctx, client, postWorkers, 0, next, func(r *vegeta.Result) error {
		return checkStatus(r, http.StatusOK)
	})
	return float64(n) / time.Since(began).Seconds(), err
}

// measureSteady sends each endpoint an event at intervals and returns the times from commit to
// reception for all endpoints but the first; with stuck, the first endpoint hangs.
func (d *deliveryBench) measureSteady(ctx context.Context, stuck bool) (*vegeta.LatencyMetrics, error) {
	p, err := d.newProcess(ctx)
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
	for began := time.Now(); time.Since(began) < d.stuckTime(); <-tick.C {
		events, err := d.appendEvents(ctx, p, each)
		if err != nil {
			return nil, err
		}
		for _, e := range events[1:] {
			committed[e.ID] = time.Now()
		}
	}
	_, err = d.receiver.awaitEvents(ctx, len(committed))
	d.receiver.stuck.Store(false)
	d.receiver.CloseClientConnections()
	return d.receiver.delays(committed), errors.Join(err, p.end(ctx))
}

// webhookReceiver receives posts and records the time of each event; while stuck, its first path
// sends no response.
type webhookReceiver struct {
	*httptest.Server
	roots *x509.CertPool
	stuck atomic.Bool
	mu    sync.Mutex
	came  map[string]time.Time
	last  time.Time
}

func newReceiver() *webhookReceiver {
	r := &webhookReceiver{roots: x509.NewCertPool(), came: map[string]time.Time{}}
	r.Server = httptest.NewTLSServer(r)
	r.roots.AddCert(r.Certificate())
	return r
}

// ServeHTTP implements http.Handler.
func (r *webhookReceiver) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
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

func (r *webhookReceiver) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.came)
}

// awaitEvents waits for the number of events and returns the time of the last one.
func (r *webhookReceiver) awaitEvents(ctx context.Context, want int) (time.Time, error) {
	for deadline := time.Now().Add(deliveryTimeout); ; time.Sleep(5 * time.Millisecond) {
		r.mu.Lock()
		n, last := len(r.came), r.last
		r.mu.Unlock()
		switch {
		case n >= want:
			return last, nil
		case time.Now().After(deadline) || ctx.Err() != nil:
			return last, fmt.Errorf("received %d of %d events", n, want)
		}
	}
}

// delays returns the times from commit to reception.
func (r *webhookReceiver) delays(committed map[string]time.Time) *vegeta.LatencyMetrics {
	r.mu.Lock()
	defer r.mu.Unlock()
	times := &vegeta.LatencyMetrics{}
	for id, at := range committed {
		times.Add(max(r.came[id].Sub(at), 0))
	}
	return times
}
