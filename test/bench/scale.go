package main

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"
	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/platform/live"
	"rostrum/platform/slot"
	"rostrum/test/kit/process"
)

const (
	scaleProcesses   = 3
	scaleShare       = 0.2 // of one processor, for each gateway; Postgres, the load and the receivers have the rest
	scaleDocuments   = 10_000
	scaleConnections = 24
	scaleReadTime    = 3 * time.Second
	scaleDeliveries  = 3000
	scaleSubscribers = 1500
	scaleEvents      = 20
	scalePause       = 500 * time.Millisecond
	scaleReadClaim   = 2.5
)

// scaleSample is the measurement of a number of gateways.
type scaleSample struct {
	rate       float64 // of reads, a second
	deliveries float64 // of webhooks, a second
	receptions receptionTimes
}

// scaleResult compares three gateways with one. Each process has a share of a processor of its own,
// because this machine has not enough processors for three: more gateways then have more
// processors, as on machines of their own.
type scaleResult struct{ one, three scaleSample }

// scaleBench is the environment of a comparison: a database, a Redis, a receiver of webhooks, and
// the processes.
type scaleBench struct {
	folder, database, redis string
	gateways                []*process.Server
	quotas                  []*cpuQuota
	workspace               *seededWorkspace
	webhooks                *webhookResult
	requests                []request // without the address of a gateway
}

// measureScale compares the processes on a temporary database.
func measureScale(ctx context.Context, database string) (s *scaleResult, err error) {
	redis, err := miniredis.Run()
	if err != nil {
		return nil, fmt.Errorf("start a redis: %w", err)
	}
	defer redis.Close()
	b := &scaleBench{database: database, redis: "redis://" + redis.Addr()}
	defer func() { err = errors.Join(err, b.close()) }()
	if b.folder, err = os.MkdirTemp("", "rostrum-scale-"); err != nil {
		return nil, fmt.Errorf("create a data folder: %w", err)
	}
	if err := b.seed(ctx); err != nil {
		return nil, err
	}
	if err := b.openWebhooks(ctx); err != nil {
		return nil, err
	}
	return b.compare(ctx)
}

// seed fills a workspace and prepares the requests, by a gateway in this process that ends
// afterwards.
func (b *scaleBench) seed(ctx context.Context) (err error) {
	g, err := openGatewayOn(ctx, b.database, b.redis)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	pool, err := openPool(ctx, b.database)
	if err != nil {
		return err
	}
	defer pool.Close()
	if b.workspace, err = g.createWorkspace(ctx, "Scale"); err != nil {
		return err
	}
	if err := seedWorkspaces(ctx, pool, []*seededWorkspace{b.workspace}, scaleDocuments); err != nil {
		return err
	}
	list := shape{tags: true}
	targets, err := g.placeTargets(ctx, spreadTargets([]*seededWorkspace{b.workspace}, false, scaleDocuments), list)
	if err != nil {
		return err
	}
	for _, t := range targets {
		b.requests = append(b.requests, list.graphQL("", t))
	}
	return nil
}

// openWebhooks opens the services that append events in this process, and the receiver; the
// gateways deliver.
func (b *scaleBench) openWebhooks(ctx context.Context) (err error) {
	d := &webhookResult{receiver: newReceiver()}
	b.webhooks = d
	if d.db, err = dbx.Open(ctx, b.database, slot.New); err != nil {
		return err
	}
	if d.live, err = live.Open(ctx, live.Config{Address: b.redis, Namespace: "bench"}); err != nil {
		return err
	}
	d.accounts = account.New(account.Config{DB: d.db, Live: d.live})
	return nil
}

// compare measures one gateway, and then three.
func (b *scaleBench) compare(ctx context.Context) (*scaleResult, error) {
	program, err := process.BuildProgram(ctx, ".", b.folder)
	if err != nil {
		return nil, err
	}
	s := &scaleResult{}
	for _, sample := range []*scaleSample{&s.one, &s.three} {
		for len(b.gateways) == 0 || sample == &s.three && len(b.gateways) < scaleProcesses {
			if err := b.startGateway(ctx, program); err != nil {
				return nil, err
			}
		}
		logProgress("%d gateways of a fifth of a processor", len(b.gateways))
		if err := b.measureReads(ctx, sample); err != nil {
			return nil, err
		}
		if err := b.measureDeliveries(ctx, sample); err != nil {
			return nil, err
		}
		if err := b.measureReceptions(ctx, sample); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// startGateway starts a further gateway with its share of a processor.
func (b *scaleBench) startGateway(ctx context.Context, program string) error {
	address, err := process.FreeAddress()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("gateway%d", len(b.gateways))
	quota, err := newCPUQuota(name, scaleShare)
	if err != nil {
		return err
	}
	b.quotas = append(b.quotas, quota)
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.webhooks.receiver.Certificate().Raw})
	authority := filepath.Join(b.folder, "receiver.pem")
	if err := os.WriteFile(authority, roots, 0o600); err != nil {
		return fmt.Errorf("write the receiver's certificate: %w", err)
	}
	g := process.NewGateway(address, func() *exec.Cmd {
		return process.ServeCommand(program, b.folder, address, "ROSTRUM_DATA_DIR="+filepath.Join(b.folder, name),
			"DATABASE_URL="+b.database, "REDIS_URL="+b.redis, "ROSTRUM_NAMESPACE=bench", "ROSTRUM_FETCH_CA="+authority,
			"ROSTRUM_SEAL_KEY="+base64.StdEncoding.EncodeToString(make([]byte, 32)))
	})
	b.gateways = append(b.gateways, g)
	if err := g.Start(ctx); err != nil {
		return err
	}
	return quota.add(g.PID())
}

// measureReads sends the same number of connections to all gateways, in equal parts. A first second
// warms them up.
func (b *scaleBench) measureReads(ctx context.Context, sample *scaleSample) error {
	var reads []*candidate
	for _, g := range b.gateways {
		requests := make([]request, len(b.requests))
		for i, r := range b.requests {
			requests[i] = r
			requests[i].url = "http://" + g.Address + r.url
		}
		c, err := newCandidate(ctx, g.Name, "http://"+g.Address, requests)
		if err != nil {
			return err
		}
		reads = append(reads, c)
	}
	for _, took := range []time.Duration{time.Second, scaleReadTime} {
		sample.rate = 0
		group, ctx := errgroup.WithContext(ctx)
		rates := make([]float64, len(reads))
		for i, c := range reads {
			group.Go(func() error {
				load, err := c.sendLoad(ctx, scaleConnections/len(reads), took)
				rates[i] = load.perSecond()
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for _, rate := range rates {
			sample.rate += rate
		}
	}
	return nil
}

// measureDeliveries appends events of which each is delivered to one receiver, and waits until all
// have arrived.
func (b *scaleBench) measureDeliveries(ctx context.Context, sample *scaleSample) error {
	p, err := b.webhooks.newProcess(ctx)
	if err != nil {
		return err
	}
	each := make([]int, scaleDeliveries)
	for i := range each {
		each[i] = i % endpoints
	}
	b.webhooks.receiver.reset()
	began := time.Now()
	if _, err := b.webhooks.appendEvents(ctx, p, each); err != nil {
		return err
	}
	last, err := b.webhooks.receiver.awaitEvents(ctx, scaleDeliveries)
	sample.deliveries = scaleDeliveries / last.Sub(began).Seconds()
	return err
}

// measureReceptions sends events one at a time to subscribers of all gateways, in equal parts.
func (b *scaleBench) measureReceptions(ctx context.Context, sample *scaleSample) error {
	ctx, cancel := context.WithTimeout(ctx, 2*fanOutTimeout)
	defer cancel()
	p := &publisher{workspace: b.workspace, db: b.webhooks.db, live: b.webhooks.live}
	for _, g := range b.gateways {
		p.addresses = append(p.addresses, g.Address)
	}
	p.openEvents()
	subscribers, err := p.startSubscribers(ctx, scaleSubscribers, scaleEvents)
	if err != nil {
		return err
	}
	for n := range scaleEvents {
		if err := p.publishEvents(ctx, n+1); err != nil {
			return err
		}
		time.Sleep(scalePause)
	}
	sample.receptions, err = subscribers.awaitReport()
	return err
}

// close ends all that the bench started.
func (b *scaleBench) close() error {
	var err error
	for _, g := range b.gateways {
		err = errors.Join(err, g.End(syscall.SIGTERM))
	}
	for _, q := range b.quotas {
		err = errors.Join(err, q.remove())
	}
	if b.webhooks != nil {
		b.webhooks.receiver.Close()
		if b.webhooks.live != nil {
			err = errors.Join(err, b.webhooks.live.Close())
		}
		if b.webhooks.db != nil {
			err = errors.Join(err, b.webhooks.db.Close())
		}
	}
	return errors.Join(err, os.RemoveAll(b.folder))
}

// text returns the report on the processes.
func (s *scaleResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nProcesses: %d gateways in comparison with one, on one Postgres and Redis; each has %g of one processor and no more.\n", scaleProcesses, scaleShare)
	reads, deliveries := s.three.rate/s.one.rate, s.three.deliveries/s.one.deliveries
	fmt.Fprintf(&b, "50 documents with auto-tags, %d connections: %.0f and %.0f requests a second, %.2f, claim at least %g: %s\n",
		scaleConnections, s.one.rate, s.three.rate, reads, scaleReadClaim, formatVerdict(reads >= scaleReadClaim))
	fmt.Fprintf(&b, "%d webhook deliveries: %.0f and %.0f a second, %.2f, claim at least 1: %s\n",
		scaleDeliveries, s.one.deliveries, s.three.deliveries, deliveries, formatVerdict(deliveries >= 1))
	one, three := percentile(s.one.receptions.Last, 99), percentile(s.three.receptions.Last, 99)
	fmt.Fprintf(&b, "%d subscribers, from publishing to the last reception of %d events, p99: %s and %s ms, %.2f, claim at most 1: %s\n",
		scaleSubscribers, scaleEvents, formatMilliseconds(one), formatMilliseconds(three), float64(three)/float64(one),
		formatVerdict(three <= one))
	return b.String()
}
