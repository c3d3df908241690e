package job

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"rostrum/dbx"
	"rostrum/errs"
)

// Task is how light work of one name is done: work that has no public row and no events, because its room keeps what became of
// it. A task comes at least once, and again when its process dies.
type Task struct {
	// Queue is the line the tasks stand in; its number of workers is in Config.Queues.
	Queue string
	// Timeout ends one run; it must stay under 25 s, as a run that is older counts as its dead process's.
	Timeout time.Duration
	// Work does it; an error means that nothing came of it yet, and it comes again in a second. It must be idempotent.
	Work func(ctx context.Context, ref string) error
}

// longestTask leaves a run that is timed out the time to tell so before its lease is over.
const longestTask = 25 * time.Second

// Errand is one task to be done.
type Errand struct {
	Ref string    // what it is about, in the words of its room
	At  time.Time // not before; zero is at once
}

// RegisterTask says how light work of a name is done; like Register it comes before the first one and panics on a mistake.
func (s *Service) RegisterTask(name string, task Task) {
	if _, taken := s.tasks[name]; taken || task.Work == nil || s.queues[task.Queue] == 0 || task.Timeout <= 0 || task.Timeout > longestTask {
		panic(fmt.Sprintf("job: task %q is registered twice, without work or a fair time-out, or on the unknown queue %q", name, task.Queue))
	}
	s.tasks[name] = task
}

// EnqueueTasks queues light work in the caller's transaction.
func (s *Service) EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, errands ...Errand) error {
	task, ok := s.tasks[name]
	if !ok {
		return errs.Wrap(fmt.Errorf("no task is registered as %q", name), errs.Internal, "this work is not known here")
	}
	if len(errands) == 0 {
		return nil
	}
	rows := make([]river.InsertManyParams, len(errands))
	for i, e := range errands {
		rows[i] = river.InsertManyParams{
			Args:       errand{Name: name, Ref: e.Ref},
			InsertOpts: &river.InsertOpts{Queue: task.Queue, MaxAttempts: taskAttempts, ScheduledAt: e.At},
		}
	}
	ids, err := s.queue.insertMany(ctx, tx, rows)
	if err != nil {
		return dbx.Err(err)
	}
	return promote(ctx, tx, errands, ids)
}

// taskAttempts is how often River gives a task out, killed processes included; the room decides long before.
const taskAttempts = 10_000

// promote makes tasks that are due before River would look for them available; none is worked before its time.
func promote(ctx context.Context, tx dbx.Tx, errands []Errand, ids []int64) error {
	now := time.Now()
	var soon []int64
	for i, e := range errands {
		if e.At.After(now) && e.At.Sub(now) <= 3*promoteEvery {
			soon = append(soon, ids[i])
		}
	}
	if len(soon) == 0 {
		return nil
	}
	return available(ctx, tx, soon)
}

// errand is River's row of a task.
type errand struct {
	Name string `json:"name"`
	Ref  string `json:"ref"`
}

// Kind is the one name that River knows all tasks by.
func (errand) Kind() string { return taskKind }

const taskKind = "task"

// taskWorker is River's side of tasks.
type taskWorker struct {
	river.WorkerDefaults[errand]
	service *Service
}

// Work does a task; a panic ends here, in the log, and the task comes again.
func (w *taskWorker) Work(ctx context.Context, row *river.Job[errand]) (err error) {
	task, ok := w.service.tasks[row.Args.Name]
	if !ok {
		return fmt.Errorf("no task is registered as %q", row.Args.Name)
	}
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "a task panicked", "task", row.Args.Name, "ref", row.Args.Ref, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return task.Work(ctx, row.Args.Ref)
}

// Timeout is the task's own.
func (w *taskWorker) Timeout(row *river.Job[errand]) time.Duration {
	return w.service.tasks[row.Args.Name].Timeout
}

// NextRetry is soon at first, and never later than a minute.
func (*taskWorker) NextRetry(row *river.Job[errand]) time.Time {
	return time.Now().Add(min(time.Second<<min(len(row.Errors), 6), time.Minute))
}

// revive returns the tasks that were taken before a time and never ended: no run lives that long.
func (s *Service) revive(ctx context.Context, taken time.Time) error {
	_, err := s.db.NewUpdate().Table("river_job").Set("state = 'available'").
		Where("kind = ? AND state = 'running' AND attempted_at < ?", taskKind, taken).Exec(ctx)
	return dbx.Err(err)
}
