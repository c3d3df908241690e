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
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/periodic"
)

// Kind describes how jobs of one type are worked.
type Kind struct {
	// Queue is the name of a queue in Config.Queues.
	Queue string
	// MaxRetries limits how often a job is retried after an error that errs marks as retryable.
	MaxRetries int
	// Backoff returns the pause before a retry, counted from 1; nil means 2 s, doubled each time up
	// to 5 minutes.
	Backoff func(attempt int) time.Duration
	// Timeout limits one run; 0 means 10 minutes. It must be shorter than 24 hours.
	Timeout time.Duration
	// Snooze returns how long to postpone the job because a resource is busy, for example the host
	// of a URL; 0 runs it now. again is true if the job was postponed before. It runs in a
	// transaction, so it must answer from memory. nil never postpones.
	Snooze func(job *model.Job, again bool) time.Duration
	// Work runs the job and returns its result, stored as JSON unless nil, or an Ending. It must be
	// idempotent, because it may run twice. It must return soon after its context ends.
	Work func(ctx context.Context, run *Run) (result any, err error)
	// OnEnd runs in the transaction that ends a job of this type, in any status, even if the job
	// never ran. cause is the error of Work that ended it, or nil. OnEnd may set Result, for
	// example to the partial result of a failed job. nil does nothing.
	OnEnd func(ctx context.Context, tx dbx.Tx, job *model.Job, cause error) error
	// OnRetry runs in the transaction of a retry. Its error refuses the retry; nil does nothing.
	OnRetry func(ctx context.Context, tx dbx.Tx, job *model.Job) error
	// BeforeRetry runs before the retry's transaction and returns a function that replaces OnRetry.
	// Use it for reads that decide a retry's cost, because a transaction that waits for a second
	// connection can deadlock.
	BeforeRetry func(ctx context.Context, job *model.Job) (onRetry func(ctx context.Context, tx dbx.Tx,
		job *model.Job) error, err error)
}

// ChangeHook is called with the job after every change of state, in the change's transaction, for
// example to record an event. An error rolls the change back.
type ChangeHook func(ctx context.Context, tx dbx.Tx, job *model.Job) error

// Config holds the dependencies and settings of a Service.
type Config struct {
	// DB stores the jobs and the queue; its tables come from Migrate.
	DB *dbx.DB
	// Live carries notifications between processes.
	Live *live.Live
	// Queues maps each queue to its number of workers in this process.
	Queues map[string]int
}

// serviceTimings holds the intervals, which tests shorten.
type serviceTimings struct {
	lease time.Duration // after it a running job is taken from its worker
	renew time.Duration // how often the leases of running jobs are renewed
	sweep time.Duration // how often abandoned jobs are searched for
	tidy  time.Duration // how often old events are deleted
	grace time.Duration // how long running jobs may finish at shutdown
	leave time.Duration // how long they may take after that to return from a cancelled context
	poll  time.Duration // how often a subscriber reads the database while Redis is unavailable
	check time.Duration // how often otherwise, in case a notification was lost
}

var standardTiming = serviceTimings{
	lease: 30 * time.Second, renew: 10 * time.Second, sweep: 5 * time.Second, tidy: time.Hour,
	grace: 20 * time.Second, leave: 2 * time.Second, poll: 500 * time.Millisecond, check: 5 * time.Second,
}

// Service queues, cancels and watches jobs. Once started it also works on them.
type Service struct {
	db         *dbx.DB
	live       *live.Live
	feeds      *live.SourceFeeds[*model.JobEvent]
	boards     *live.LatestStates[*model.Job]
	queue      queueClient
	queues     map[string]int
	kinds      map[string]Kind
	tasks      map[string]Task
	hooks      []ChangeHook
	timing     serviceTimings
	keptEvents int // how many of the latest events of a running job are stored
	held       heldRuns
	stop       context.CancelFunc
	loops      sync.WaitGroup
}

// New returns a service that is not started. It returns an error if the queue's client is invalid.
func New(config Config) (*Service, error) {
	s := &Service{
		db: config.DB, live: config.Live, queues: config.Queues, kinds: map[string]Kind{}, tasks: map[string]Task{},
		timing: standardTiming, keptEvents: 1000,
		held: heldRuns{runs: map[*Run]string{}}, stop: func() {},
	}
	s.feeds = live.NewSourceFeeds[*model.JobEvent](config.Live, s.pollInterval)
	s.boards = live.NewLatestStates[*model.Job](config.Live, s.pollInterval)
	var err error
	if s.queue, err = newQueue(s); err != nil {
		return nil, fmt.Errorf("prepare the job queue: %w", err)
	}
	return s, nil
}

// AddHook adds a hook for all changes of state. Call it before the first job is queued.
func (s *Service) AddHook(hook ChangeHook) { s.hooks = append(s.hooks, hook) }

// Register adds a job type. Register all types before the first job is queued. Like http.Handle it
// panics on a programming error: a duplicate type, an unknown queue, a Kind without Work.
func (s *Service) Register(jobType string, kind Kind) {
	if _, taken := s.kinds[jobType]; taken || kind.Work == nil || s.queues[kind.Queue] == 0 {
		panic(fmt.Sprintf("job: type %q is a duplicate, has no work, or names the unknown queue %q", jobType,
			kind.Queue))
	}
	if kind.Backoff == nil {
		kind.Backoff = exponentialBackoff
	}
	if kind.Timeout == 0 {
		kind.Timeout = 10 * time.Minute
	}
	if kind.Snooze == nil {
		kind.Snooze = func(*model.Job, bool) time.Duration { return 0 }
	}
	s.kinds[jobType] = kind
}

func exponentialBackoff(attempt int) time.Duration {
	return min(time.Second<<min(attempt, 10), 5*time.Minute)
}

// Start requeues the jobs of a killed process and begins to work. The context limits only the
// start.
func (s *Service) Start(ctx context.Context) error {
	if err := s.recoverJobs(ctx); err != nil {
		return fmt.Errorf("return abandoned jobs: %w", err)
	}
	background := context.WithoutCancel(ctx)
	if err := s.queue.Start(background); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	background, s.stop = context.WithCancel(background)
	s.loops.Go(func() { periodic.Every(background, s.timing.renew, "renew leases of jobs", s.renewLeases) })
	s.loops.Go(func() { periodic.Every(background, s.timing.sweep, "return abandoned jobs to the queue", s.sweepJobs) })
	s.loops.Go(func() { periodic.Every(background, s.timing.tidy, "delete old job events", s.deleteOldEvents) })
	return nil
}

// Stop fetches no more jobs and lets running ones finish for up to 20 s or until the context ends.
// The rest return to the queue without counting an attempt. Jobs can still be queued and watched.
// It returns an error if a job cannot be returned.
func (s *Service) Stop(ctx context.Context) error {
	background := context.WithoutCancel(ctx)
	patient, cancel := context.WithTimeout(ctx, s.timing.grace)
	defer cancel()
	err := s.queue.Stop(patient)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = s.evictRuns(background)
	}
	s.stop()
	s.loops.Wait()
	return err
}

// evictRuns cancels running jobs, and returns the jobs that do not stop to the queue.
func (s *Service) evictRuns(ctx context.Context) error {
	for _, run := range s.held.listHeld() {
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
	for _, run := range s.held.listHeld() {
		if err := run.returnToQueue(ctx); err != nil && !errors.Is(err, ErrLost) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

type permanentError struct{ error }

func (p permanentError) Unwrap() error { return p.error }

// Permanent marks an error of Work that must not be retried, regardless of its code.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanentError{err}
}

// Parameters decodes a job's parameters. Its error is permanent.
func Parameters[T any](of *model.Job) (T, error) {
	var in T
	if of.ParametersText == nil {
		return in, Permanent(errors.New("the job has no parameters"))
	}
	if err := json.Unmarshal([]byte(*of.ParametersText), &in); err != nil {
		return in, Permanent(fmt.Errorf("read the job's parameters: %w", err))
	}
	return in, nil
}

func mayRetry(err error) bool {
	if _, ok := errors.AsType[permanentError](err); ok {
		return false
	}
	return errs.Lookup(errs.From(err).Code).Retry
}
