// Package webhook tells other systems what happens in a workspace: who hears of what, in which form, and what came of telling them.
package webhook

import (
	"context"
	"crypto/cipher"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/model"
)

// Queue is the line that deliveries stand in, and Workers how many of them a process works on at once; nearly all of their time is
// waiting for receivers.
const (
	Queue   = "webhook"
	Workers = 2000
)

// The names of the room's tasks.
const (
	deliverTask = "webhook.deliver"
	probeTask   = "webhook.probe"
)

// Tasks is the queue of light work.
type Tasks interface {
	RegisterTask(name string, task job.Task)
	EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, errands ...job.Errand) error
}

// Accounts tells what a workspace has contracted, and keeps that so for the transaction. It fails with not_found.
type Accounts interface {
	PlanForUpdate(ctx context.Context, tx dbx.Tx, workspaceID string) (model.Plan, error)
}

// HasLink reports whether a workspace has the link.
type HasLink func(ctx context.Context, workspaceID, linkID string) (bool, error)

// Config is what the operator decides.
type Config struct {
	SealKey  []byte   // 32 bytes; signing secrets are stored sealed under it
	ChatURLs []string // addresses below which incoming webhooks of a team chat live, beside those that are known
}

// Service is the room's door.
type Service struct {
	db       *dbx.DB
	tasks    Tasks
	accounts Accounts
	hasLink  HasLink
	client   *fetch.Client
	chatURLs []string
	sealer   cipher.AEAD

	gates   gates
	loads   batch[ref, *parcel]
	results batch[*result, struct{}]
	waiting waiting

	now    func() time.Time // the clock of schedules; model.Now
	jitter func() float64   // from 0 up to 1
}

// New makes the room and says how its deliveries are worked; Run must be called for those that wait to be let go on. The client needs
// the time-out of a delivery. It fails for a key of another length than 32 bytes.
func New(db *dbx.DB, tasks Tasks, accounts Accounts, hasLink HasLink, client *fetch.Client, config Config) (*Service, error) {
	sealer, err := sealer(config.SealKey)
	if err != nil {
		return nil, err
	}
	s := &Service{
		db: db, tasks: tasks, accounts: accounts, hasLink: hasLink, client: client, chatURLs: config.ChatURLs, sealer: sealer,
		gates: gates{all: map[string]*gate{}}, waiting: waiting{ids: map[string]bool{}}, now: model.Now, jitter: rand.Float64,
	}
	s.loads.do, s.loads.most, s.loads.lanes = s.load, shared, 3
	s.results.do, s.results.most, s.results.lanes = s.settle, shared, 2
	tasks.RegisterTask(deliverTask, job.Task{Queue: Queue, Timeout: workTime, Work: s.deliver})
	tasks.RegisterTask(probeTask, job.Task{Queue: Queue, Timeout: workTime, Work: s.probe})
	return s, nil
}

const (
	// SendTime is how long a receiver has to answer.
	SendTime = 15 * time.Second
	// workTime is that and the time to read and to write what belongs to it.
	workTime = 24 * time.Second
	// shared is how many deliveries one statement reads or writes.
	shared = 500
)

// The intervals of Run.
const (
	lookEvery  = 100 * time.Millisecond
	sweepEvery = 5 * time.Second
	tidyEvery  = time.Hour
)

// Run lets waiting deliveries go on and drops old ones, until the context ends.
func (s *Service) Run(ctx context.Context) {
	var loops sync.WaitGroup
	loops.Go(func() { every(ctx, lookEvery, "let deliveries go on", s.look) })
	loops.Go(func() { every(ctx, sweepEvery, "look for waiting deliveries", s.sweep) })
	loops.Go(func() { every(ctx, tidyEvery, "drop old deliveries", s.tidy) })
	loops.Wait()
}

func every(ctx context.Context, interval time.Duration, what string, do func(context.Context) error) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "could not "+what, "error", err)
			}
		}
	}
}
