// Package job runs long work: the queue and its workers, the public job row, and the stream of events by which anyone follows it.
package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// Kind is how jobs of one type are worked.
type Kind struct {
	// Queue is the line they stand in; its number of workers is in Config.Queues.
	Queue string
	// MaxRetries is how often a job is tried again when it failed with a code that errs says may be tried again.
	MaxRetries int
	// Backoff is the pause before the attempt-th retry, counted from 1; nil means 2 s, doubled each time up to 5 minutes.
	Backoff func(attempt int) time.Duration
	// Timeout ends one run; 0 means 10 minutes. It must stay under 24 hours.
	Timeout time.Duration
	// StandBack tells how long a job that a worker is free for leaves that worker to others, because what it needs is not to be had yet;
	// 0 takes it up. again is true for one that stood back before. It is asked in a transaction, so it answers from memory; nil means 0.
	StandBack func(job *model.Job, again bool) time.Duration
	// Work does it and gives what is kept as the result, encoded as JSON; nil keeps nothing. It may run twice, so it must be idempotent,
	// and it must return soon after its context ends.
	Work func(ctx context.Context, run *Run) (result any, err error)
	// OnEnd runs in the transaction that ends a job of this type, well or not, also when it was cancelled before it ever ran; nil does nothing.
	// The cause is Work's error when that ended the job, else nil. It may set the job's Result, to tell what one that did not end well leaves.
	OnEnd func(ctx context.Context, tx dbx.Tx, job *model.Job, cause error) error
	// OnRetry runs in the transaction in which a caller queues an ended job of this type again, and may refuse it; nil does nothing.
	OnRetry func(ctx context.Context, tx dbx.Tx, job *model.Job) error
	// BeforeRetry runs before that transaction, for what must be read to tell what the retry costs: a transaction that waits for another
	// connection can wait for ever. What it returns takes the place of OnRetry.
	BeforeRetry func(ctx context.Context, job *model.Job) (onRetry func(ctx context.Context, tx dbx.Tx, job *model.Job) error, err error)
}

// Config says what this process can work on.
type Config struct {
	// Queues gives each queue its number of workers in this process.
	Queues map[string]int
}

// timing holds the intervals, which tests shorten.
type timing struct {
	lease time.Duration // a running job whose lease is over is taken from its worker
	renew time.Duration // how often the workers' leases are renewed
	sweep time.Duration // how often jobs are looked for that nobody works on
	tidy  time.Duration // how often old events are deleted
	grace time.Duration // what running jobs get at shutdown to end by themselves
	leave time.Duration // what they get after that to return from a cancelled context
	poll  time.Duration // how often a follower reads the database while Redis is away
	check time.Duration // and while it is not, in case news were lost unnoticed
}

var standardTiming = timing{
	lease: 30 * time.Second, renew: 10 * time.Second, sweep: 5 * time.Second, tidy: time.Hour,
	grace: 20 * time.Second, leave: 2 * time.Second, poll: 500 * time.Millisecond, check: 5 * time.Second,
}

// Service is the job room's face to the others. One that is not started enqueues, cancels and watches, and works on nothing.
type Service struct {
	db     *dbx.DB
	live   *live.Live
	feeds  *live.Feeds[*model.JobEvent]
	boards *live.Boards[*model.Job]
	queue  queue
	queues map[string]int
	kinds  map[string]Kind
	tasks  map[string]Task
	timing timing
	kept   int // how many of a job's latest events are kept while it goes
	held   holdings
	stop   context.CancelFunc
	loops  sync.WaitGroup
}

// New makes the service; its tables come from Migrate.
func New(db *dbx.DB, news *live.Live, config Config) (*Service, error) {
	s := &Service{
		db: db, live: news, queues: config.Queues, kinds: map[string]Kind{}, tasks: map[string]Task{}, timing: standardTiming, kept: 1000,
		held: holdings{runs: map[*Run]string{}}, stop: func() {},
	}
	s.feeds = live.NewFeeds[*model.JobEvent](news, s.pollInterval)
	s.boards = live.NewBoards[*model.Job](news, s.pollInterval)
	var err error
	if s.queue, err = newQueue(s); err != nil {
		return nil, fmt.Errorf("prepare the job queue: %w", err)
	}
	return s, nil
}

// Register says how jobs of a type are worked. All types are registered before the first job is made; like http.Handle it
// panics on a mistake in the program: a type given twice, a queue that Config does not have, a Kind without Work.
func (s *Service) Register(jobType string, kind Kind) {
	if _, taken := s.kinds[jobType]; taken || kind.Work == nil || s.queues[kind.Queue] == 0 {
		panic(fmt.Sprintf("job: %q is registered twice, without work, or on the unknown queue %q", jobType, kind.Queue))
	}
	if kind.Backoff == nil {
		kind.Backoff = doubling
	}
	if kind.Timeout == 0 {
		kind.Timeout = 10 * time.Minute
	}
	if kind.StandBack == nil {
		kind.StandBack = func(*model.Job, bool) time.Duration { return 0 }
	}
	s.kinds[jobType] = kind
}

func doubling(attempt int) time.Duration {
	return min(time.Second<<min(attempt, 10), 5*time.Minute)
}

// Start begins to work on jobs, first on those that a killed process left behind. The context bounds the start only.
func (s *Service) Start(ctx context.Context) error {
	if err := s.recover(ctx); err != nil {
		return fmt.Errorf("return jobs that were left behind: %w", err)
	}
	background := context.WithoutCancel(ctx)
	if err := s.queue.Start(background); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	background, s.stop = context.WithCancel(background)
	s.loops.Go(func() { every(background, s.timing.renew, s.renew) })
	s.loops.Go(func() { every(background, s.timing.sweep, s.sweep) })
	s.loops.Go(func() { every(background, s.timing.tidy, s.tidy) })
	return nil
}

// Stop takes no more work, lets running jobs end for 20 s or until the context does, and returns the rest to the queue
// without counting an attempt. Enqueueing and watching go on.
func (s *Service) Stop(ctx context.Context) error {
	background := context.WithoutCancel(ctx)
	patient, cancel := context.WithTimeout(ctx, s.timing.grace)
	defer cancel()
	err := s.queue.Stop(patient)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = s.evict(background)
	}
	s.stop()
	s.loops.Wait()
	return err
}

// evict ends the contexts of the jobs that still run, and takes them from workers that do not heed it.
func (s *Service) evict(ctx context.Context) error {
	for _, run := range s.held.all() {
		run.cancel(errShutdown)
	}
	last, cancel := context.WithTimeout(ctx, s.timing.leave)
	defer cancel()
	if err := s.queue.Stop(last); err == nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var failed []error
	ctx, cancel = context.WithTimeout(ctx, s.timing.lease)
	defer cancel()
	for _, run := range s.held.all() {
		if err := run.giveBack(ctx); err != nil && !errors.Is(err, ErrLost) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func every(ctx context.Context, interval time.Duration, do func(context.Context)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do(ctx)
		}
	}
}

type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// Permanent marks an error of Work after which another try is pointless, whatever its code says.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanent{err}
}

// Parameters reads what a job was queued with; that it cannot be read is no reason to try again.
func Parameters[T any](of *model.Job) (T, error) {
	var in T
	if of.Parameters == nil {
		return in, Permanent(errors.New("the job has no parameters"))
	}
	if err := json.Unmarshal([]byte(*of.Parameters), &in); err != nil {
		return in, Permanent(fmt.Errorf("read the job's parameters: %w", err))
	}
	return in, nil
}

func mayRetry(err error) bool {
	if _, ok := errors.AsType[permanent](err); ok {
		return false
	}
	return errs.Lookup(errs.From(err).Code).Retry
}
