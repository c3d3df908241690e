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
	"slices"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/domain/webhook/message"
	"rostrum/live"
	"rostrum/model"
)

const (
	manySubscribers = 10_000
	manyEvents      = 40
	manyPause       = 150 * time.Millisecond // between two events to many subscribers
	manyClaim       = 250 * time.Millisecond
	memoryClaim     = 1 << 30
	fewSubscribers  = 100
	steadyRate      = 1000 // events a second to few subscribers
	steadyFor       = 4    // seconds
	steadyBatch     = 10   // events of one transaction, as the writer of short links makes them
	fanOutPatience  = 30 * time.Second
)

// fanning is what events to many subscribers over WebSockets have measured.
type fanning struct {
	idle, memory uint64 // of the server: the heap that is alive and the stacks, behind a collection, without and with many subscribers
	resident     uint64 // what the system counts for the process then
	many, steady heard
	took         time.Duration // of the steady events, from the first one's publishing to the last one's last reception
}

// fanOut measures how events reach subscribers: another process on the same database and Redis appends them, a third one subscribes.
func fanOut(ctx context.Context, address string) (f *fanning, err error) {
	redis, err := miniredis.Run()
	if err != nil {
		return nil, fmt.Errorf("start a redis: %w", err)
	}
	defer redis.Close()
	g, err := openGatewayOn(ctx, address, "redis://"+redis.Addr())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	p, err := newPublisher(ctx, g, address, "redis://"+redis.Addr())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	f = &fanning{}
	if err := f.onMany(ctx, p); err != nil {
		return nil, fmt.Errorf("%d subscribers: %w", manySubscribers, err)
	}
	if err := f.onSteady(ctx, p); err != nil {
		return nil, fmt.Errorf("%d events a second: %w", steadyRate, err)
	}
	return f, nil
}

// publisher appends events to a workspace's feed as another process does.
type publisher struct {
	place   *place
	address string // of the gateway
	db      *dbx.DB
	news    *live.Live
	events  *event.Service
}

func newPublisher(ctx context.Context, g *gateway, database, redis string) (p *publisher, err error) {
	p = &publisher{address: strings.TrimPrefix(g.base, "http://")}
	if p.place, err = g.place(ctx, "Fan-out"); err != nil {
		return nil, err
	}
	if p.db, err = dbx.Open(ctx, database); err != nil {
		return nil, err
	}
	if p.news, err = live.Open(ctx, live.Config{Address: redis, Namespace: "bench"}); err != nil {
		return nil, errors.Join(err, p.db.Close())
	}
	p.events = event.New(p.db, p.news)
	return p, nil
}

func (p *publisher) close() error { return errors.Join(p.news.Close(), p.db.Close()) }

// publish appends events of the given numbers; each carries its number and the time.
func (p *publisher) publish(ctx context.Context, numbers ...int) error {
	events := make([]*model.Event, len(numbers))
	for i, number := range numbers {
		e := message.Sample(model.EventLinkOpened)
		e.WorkspaceID, e.ID = p.place.workspaceID, model.NewID(model.EventPrefix)
		e.Data = fmt.Appendf(nil, `{"number":%d,"at":%d}`, number, time.Now().UnixNano())
		events[i] = e
	}
	return p.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return p.events.Append(ctx, tx, events) })
}

// audience is a process of subscribers.
type audience struct {
	command *exec.Cmd
	said    *bufio.Scanner
}

// gather starts a process of subscribers and waits until each of them receives events.
func (p *publisher) gather(ctx context.Context, n, events int) (*audience, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	task, err := json.Marshal(subscribing{Address: p.address, Key: p.place.key, Subscribers: n, Events: events})
	if err != nil {
		return nil, err
	}
	a := &audience{command: exec.CommandContext(ctx, self)}
	a.command.Env = append(os.Environ(), subscribingVariable+"="+string(task))
	a.command.Stderr = os.Stderr
	out, err := a.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.said = bufio.NewScanner(out)
	a.said.Buffer(nil, 64<<20)
	if err := a.command.Start(); err != nil {
		return nil, err
	}
	if err := a.hear("subscribed"); err != nil {
		return nil, errors.Join(err, a.command.Wait())
	}
	warm := make(chan error, 1)
	go func() { warm <- a.hear("warm") }()
	for {
		select {
		case err := <-warm:
			return a, err
		case <-time.After(time.Second):
			if err := p.publish(ctx, 0); err != nil {
				return nil, err
			}
		}
	}
}

// hear waits for a line.
func (a *audience) hear(line string) error {
	if !a.said.Scan() {
		return fmt.Errorf("the subscribers ended before they were %s (%w)", line, a.said.Err())
	}
	if a.said.Text() != line {
		return fmt.Errorf("the subscribers say %.300q instead of %s", a.said.Text(), line)
	}
	return nil
}

// report waits for what the subscribers measured; they end with it.
func (a *audience) report() (h heard, err error) {
	if a.said.Scan() {
		err = json.Unmarshal(a.said.Bytes(), &h)
	} else {
		err = errors.New("the subscribers ended without a report")
	}
	slices.Sort(h.Last)
	slices.Sort(h.Each)
	return h, errors.Join(err, a.command.Wait())
}

// onMany sends one event after the other to many subscribers, and measures the server's memory while they are there.
func (f *fanning) onMany(ctx context.Context, p *publisher) error {
	progress("%d subscribers", manySubscribers)
	ctx, cancel := context.WithTimeout(ctx, fanOutPatience)
	defer cancel()
	f.idle = alive()
	a, err := p.gather(ctx, manySubscribers, manyEvents)
	if err != nil {
		return err
	}
	f.memory, f.resident = alive(), resident()
	for n := range manyEvents {
		if err := p.publish(ctx, n+1); err != nil {
			return err
		}
		time.Sleep(manyPause)
	}
	f.many, err = a.report()
	return err
}

// onSteady sends many events to few subscribers.
func (f *fanning) onSteady(ctx context.Context, p *publisher) error {
	progress("%d events a second to %d subscribers", steadyRate, fewSubscribers)
	ctx, cancel := context.WithTimeout(ctx, fanOutPatience)
	defer cancel()
	a, err := p.gather(ctx, fewSubscribers, steadyRate*steadyFor)
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
		if err := p.publish(ctx, numbers...); err != nil {
			return err
		}
		<-tick.C
	}
	f.steady, err = a.report()
	f.took = time.Since(began)
	return err
}

// alive is the heap that is reachable and the stacks of this process.
func alive() uint64 {
	var m runtime.MemStats
	for range 2 { // the second one takes what the first one's finalizers let go
		runtime.GC()
	}
	debug.FreeOSMemory()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// resident is the memory that the system counts for this process; 0 where it does not tell.
func resident() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	var size, pages uint64
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize()) //nolint:gosec // a page has a size
}

// text tells what was measured.
func (f *fanning) text() string {
	var b strings.Builder
	last, each := percentile(f.many.Last, 99), percentile(f.many.Each, 99)
	fmt.Fprintf(&b, "\nEvents over WebSockets, from another process's append to the subscribers, which are a third process on the same CPUs.\n")
	fmt.Fprintf(&b, "%d subscribers: %d MB of heap and stacks after a collection, %d without them, asked under %d: %s; resident then %d MB\n",
		manySubscribers, f.memory>>20, f.idle>>20, memoryClaim>>20, verdict(f.memory < memoryClaim), f.resident>>20)
	fmt.Fprintf(&b, "from publishing to the last reception of %d events: median %s ms, p99 %s ms, asked under %d: %s; p99 of all receptions %s ms\n",
		len(f.many.Last), milliseconds(percentile(f.many.Last, 50)), milliseconds(last), manyClaim.Milliseconds(), verdict(last < manyClaim), milliseconds(each))
	rate := float64(len(f.steady.Last)) / f.took.Seconds()
	fmt.Fprintf(&b, "%d subscribers: %.0f events a second to each, asked %d: %s; to the last reception median %s ms, p99 %s ms\n",
		fewSubscribers, rate, steadyRate, verdict(rate > steadyRate*0.97), milliseconds(percentile(f.steady.Last, 50)), milliseconds(percentile(f.steady.Last, 99)))
	return b.String()
}
