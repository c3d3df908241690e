package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"rostrum/app"
	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/domain/webhook/message"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/slot"
)

const (
	manySubscribers = 10_000
	manyEvents      = 40
	manyPause       = 150 * time.Millisecond // between two events to many subscribers
	manyClaim       = 100 * time.Millisecond
	memoryClaim     = 250 << 20
	fewSubscribers  = 100
	steadyRate      = 1000 // events per second to few subscribers
	steadyFor       = 4    // seconds
	steadyBatch     = 10   // events of one transaction, as the writer of short links appends them
	fanOutTimeout   = 30 * time.Second
)

// fanOut is the measurement of events to many WebSocket subscribers.
type fanOut struct {
	settings     settings
	publisher    *publisher
	idle, memory uint64 // of the server: live heap and stacks after a collection, without and with many subscribers
	resident     int64  // the resident set at that time
	many, steady receptionTimes
	// of the steady events, from the first publication to the last reception of the last event
	took time.Duration
}

// measureFanOut measures how events reach subscribers: another process on the same database and
// Redis appends them, a third process subscribes.
func measureFanOut(ctx context.Context, s settings) (out result, err error) {
	redis, err := miniredis.Run()
	if err != nil {
		return out, fmt.Errorf("start a redis: %w", err)
	}
	defer redis.Close()
	f := &fanOut{settings: s}
	err = withDatabase(ctx, s.database, func(address string) error {
		config := app.Config{Database: address, Redis: "redis://" + redis.Addr()}
		return withGateway(ctx, config, func(g *gateway) (err error) {
			if f.publisher, err = newPublisher(ctx, g, config); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.publisher.close()) }()
			if err := f.measureMany(ctx); err != nil {
				return fmt.Errorf("many subscribers: %w", err)
			}
			return f.measureSteady(ctx)
		})
	})
	if err != nil {
		return out, err
	}
	p, err := f.plot()
	return result{f.text(), []plot{p}}, err
}

// publisher appends events to a workspace's feed as another process does.
type publisher struct {
	workspace *seededWorkspace
	address   string // of the gateway, host:port
	db        *dbx.DB
	live      *live.Live
	events    *event.Service
}

func newPublisher(ctx context.Context, g *gateway, config app.Config) (p *publisher, err error) {
	p = &publisher{address: strings.TrimPrefix(g.base, "http://")}
	if p.workspace, err = g.createWorkspace(ctx, "Fan-out"); err != nil {
		return nil, err
	}
	if p.db, err = dbx.Open(ctx, config.Database, slot.New); err != nil {
		return nil, err
	}
	if p.live, err = live.Open(ctx, live.Config{Address: config.Redis, Namespace: "bench"}); err != nil {
		return nil, errors.Join(err, p.db.Close())
	}
	p.events = event.New(event.Config{DB: p.db, Live: p.live})
	return p, nil
}

func (p *publisher) close() error { return errors.Join(p.live.Close(), p.db.Close()) }

// publishEvents appends events with the given numbers; the viewer of each contains its number and
// the time.
func (p *publisher) publishEvents(ctx context.Context, numbers ...int) error {
	events := make([]*model.Event, len(numbers))
	for i, number := range numbers {
		e := message.Sample(model.EventLinkOpened)
		e.WorkspaceID, e.ID = p.workspace.workspaceID, model.NewID(model.EventPrefix)
		e.Viewer = fmt.Appendf(nil, `{"number":%d,"at":%d}`, number, time.Now().UnixNano())
		events[i] = e
	}
	return p.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return p.events.Append(ctx, tx, events) })
}

// subscriberProcess is a process of subscribers.
type subscriberProcess struct {
	command *exec.Cmd
	output  *bufio.Scanner
}

// startSubscribers starts a process of subscribers and waits until each of them receives events.
func (p *publisher) startSubscribers(ctx context.Context, n, events int) (*subscriberProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	task, err := json.Marshal(subscriberTask{Address: p.address, Key: p.workspace.key, Subscribers: n,
		Events: events})
	if err != nil {
		return nil, err
	}
	a := &subscriberProcess{command: exec.CommandContext(ctx, self)}
	a.command.Env = append(os.Environ(), subscriberVariable+"="+string(task))
	a.command.Stderr = os.Stderr
	out, err := a.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.output = bufio.NewScanner(out)
	a.output.Buffer(nil, 64<<20)
	if err := a.command.Start(); err != nil {
		return nil, err
	}
	if err := a.awaitLine("subscribed"); err != nil {
		return nil, errors.Join(err, a.command.Wait())
	}
	warm := make(chan error, 1)
	go func() { warm <- a.awaitLine("warm") }()
	for {
		select {
		case err := <-warm:
			return a, err
		case <-time.After(time.Second):
			if err := p.publishEvents(ctx, 0); err != nil {
				return nil, err
			}
		}
	}
}

// awaitLine waits for a line of output.
func (a *subscriberProcess) awaitLine(line string) error {
	if !a.output.Scan() {
		return fmt.Errorf("the subscribers exited before %q (%w)", line, a.output.Err())
	}
	if a.output.Text() != line {
		return fmt.Errorf("the subscribers printed %.300q, want %s", a.output.Text(), line)
	}
	return nil
}

// awaitReport waits for the subscribers' measurements; the process exits afterwards.
func (a *subscriberProcess) awaitReport() (h receptionTimes, err error) {
	if a.output.Scan() {
		err = json.Unmarshal(a.output.Bytes(), &h)
	} else {
		err = errors.New("the subscribers exited without a report")
	}
	return h, errors.Join(err, a.command.Wait())
}

// measureMany sends events one at a time to many subscribers and measures the server's memory with
// all of them connected.
func (f *fanOut) measureMany(ctx context.Context) error {
	logProgress("%d subscribers", f.settings.count(manySubscribers))
	ctx, cancel := context.WithTimeout(ctx, fanOutTimeout)
	defer cancel()
	f.idle = liveMemory()
	a, err := f.publisher.startSubscribers(ctx, f.settings.count(manySubscribers), manyEvents)
	if err != nil {
		return err
	}
	f.memory, f.resident = liveMemory(), processMemory(os.Getpid())
	for n := range manyEvents {
		if err := f.publisher.publishEvents(ctx, n+1); err != nil {
			return err
		}
		time.Sleep(manyPause)
	}
	f.many, err = a.awaitReport()
	return err
}

// measureSteady sends many events to few subscribers.
func (f *fanOut) measureSteady(ctx context.Context) error {
	logProgress("%d events a second to %d subscribers", steadyRate, fewSubscribers)
	ctx, cancel := context.WithTimeout(ctx, fanOutTimeout)
	defer cancel()
	a, err := f.publisher.startSubscribers(ctx, fewSubscribers, steadyRate*steadyFor)
	if err != nil {
		return err
	}
	tick := time.NewTicker(time.Second * steadyBatch / steadyRate)
	defer tick.Stop()
	began := time.Now()
	for first := 1; first <= steadyRate*steadyFor; first += steadyBatch {
		numbers := make([]int, steadyBatch)
		for i := range numbers {
			numbers[i] = first + i
		}
		if err := f.publisher.publishEvents(ctx, numbers...); err != nil {
			return err
		}
		<-tick.C
	}
	f.steady, err = a.awaitReport()
	f.took = time.Since(began)
	return err
}

// liveMemory returns the reachable heap and the stacks of this process, in bytes.
func liveMemory() uint64 {
	var m runtime.MemStats
	for range 2 { // the second collection frees objects with finalizers
		runtime.GC()
	}
	debug.FreeOSMemory()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// text returns the report on events.
func (f *fanOut) text() string {
	last, steady := latencies(f.many.Last), latencies(f.steady.Last)
	rate := float64(len(f.steady.Last)) / f.took.Seconds()
	return fmt.Sprintf("Events over WebSockets, from another process's append to the subscribers, which are a third process on the same CPUs.\n"+
		"%d subscribers: %d MB of heap and stacks after a collection, %d without them, claim under %d: %s; resident then %d MB\n"+
		"from publishing to the last reception of %d events: median %s ms, p99 %s ms, claim under %d: %s; p99 of all receptions %s ms\n"+
		"%d subscribers: %.0f events a second to each, claim %d: %s; to the last reception median %s ms, p99 %s ms\n",
		f.settings.count(manySubscribers), f.memory>>20, f.idle>>20, memoryClaim>>20,
		formatVerdict(f.memory < memoryClaim), f.resident>>20,
		len(f.many.Last), formatMilliseconds(last.Quantile(0.5)), formatMilliseconds(last.Quantile(0.99)),
		manyClaim.Milliseconds(), formatVerdict(last.Quantile(0.99) < manyClaim), formatMilliseconds(latencies(f.many.Each).Quantile(0.99)),
		fewSubscribers, rate, steadyRate, formatVerdict(rate > steadyRate*0.97),
		formatMilliseconds(steady.Quantile(0.5)), formatMilliseconds(steady.Quantile(0.99)))
}

// latencies returns the distribution of times.
func latencies(times []time.Duration) (all vegeta.LatencyMetrics) {
	for _, t := range times {
		all.Add(t)
	}
	return all
}
