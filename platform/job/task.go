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

// Task describes light work without a public row and events, for example a webhook's deliveries.
// Its package stores the outcome. It is delivered at least once, and again if its process dies.
type Task struct {
	// Queue is the name of a queue in Config.Queues.
	Queue string
	// Timeout limits one run. It must not exceed 25 s, because an older run counts as a dead
	// process's.
	Timeout time.Duration
	// Work does the task. After an error it runs again after a growing pause, so it must be
	// idempotent.
	Work func(ctx context.Context, ref string) error
}

// longestTask leaves a timed-out run time to return its error before its lease ends.
const longestTask = 25 * time.Second

// TaskArgs is one task to queue.
type TaskArgs struct {
	Ref string    // the id of the task's subject, as its package defines it
	At  time.Time // earliest start; zero is now
}

// RegisterTask adds a task name. Like Register it is called before the first task is queued and
// panics on a programming error.
func (s *Service) RegisterTask(name string, task Task) {
	if _, taken := s.tasks[name]; taken || task.Work == nil || s.queues[task.Queue] == 0 || task.Timeout <= 0 ||
		task.Timeout > longestTask {
		panic(fmt.Sprintf("job: task %q is a duplicate, has no work, an invalid timeout, or the unknown queue %q", name,
			task.Queue))
	}
	s.tasks[name] = task
}

// EnqueueTasks queues tasks in the caller's transaction. It returns an error if the name is
// unknown.
func (s *Service) EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, tasks ...TaskArgs) error {
	task, ok := s.tasks[name]
	if !ok {
		return errs.Wrap(fmt.Errorf("no task is registered as %q", name), errs.Internal,
			"this type of job is not registered")
	}
	if len(tasks) == 0 {
		return nil
	}
	rows := make([]river.InsertManyParams, len(tasks))
	for i, e := range tasks {
		rows[i] = river.InsertManyParams{
			Args:       riverTask{Name: name, Ref: e.Ref},
			InsertOpts: &river.InsertOpts{Queue: task.Queue, MaxAttempts: taskAttempts, ScheduledAt: e.At},
		}
	}
	ids, err := s.queue.insertRows(ctx, tx, rows)
	if err != nil {
		return dbx.Err(err)
	}
	return promoteSoon(ctx, tx, tasks, ids)
}

// taskAttempts limits how often River delivers a task, killed processes included. The task's
// package gives up long before.
const taskAttempts = 10_000

// promoteSoon makes tasks available that are due before River's next promotions. They still run
// only when they are due.
func promoteSoon(ctx context.Context, tx dbx.Tx, tasks []TaskArgs, ids []int64) error {
	now := time.Now()
	var soon []int64
	for i, e := range tasks {
		if e.At.After(now) && e.At.Sub(now) <= 3*promoteEvery {
			soon = append(soon, ids[i])
		}
	}
	if len(soon) == 0 {
		return nil
	}
	return makeAvailable(ctx, tx, soon)
}

// riverTask is River's row of a task.
type riverTask struct {
	Name string `json:"name"`
	Ref  string `json:"ref"`
}

// Kind returns River's kind of all tasks.
func (riverTask) Kind() string { return taskKind }

const taskKind = "task"

// taskWorker is River's worker for tasks.
type taskWorker struct {
	river.WorkerDefaults[riverTask]
	service *Service
}

// Work runs a task. It logs a panic and returns it as an error, so that the task is delivered
// again.
func (w *taskWorker) Work(ctx context.Context, row *river.Job[riverTask]) (err error) {
	task, ok := w.service.tasks[row.Args.Name]
	if !ok {
		return fmt.Errorf("no task is registered as %q", row.Args.Name)
	}
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "a task panicked", "task", row.Args.Name, "ref", row.Args.Ref, "panic", p, "stack",
				string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return task.Work(ctx, row.Args.Ref)
}

// Timeout returns the task's own limit.
func (w *taskWorker) Timeout(row *river.Job[riverTask]) time.Duration {
	return w.service.tasks[row.Args.Name].Timeout
}

// NextRetry returns a time after 1 s at first, doubled with each error up to a minute.
func (*taskWorker) NextRetry(row *river.Job[riverTask]) time.Time {
	return time.Now().Add(min(time.Second<<min(len(row.Errors), 6), time.Minute))
}

// reviveTasks queues tasks again that were taken before a time and never ended, because no run
// lasts that long.
func (s *Service) reviveTasks(ctx context.Context, taken time.Time) error {
	_, err := s.db.NewUpdate().Table("river_job").Set("state = 'available'").
		Where("kind = ? AND state = 'running' AND attempted_at < ?", taskKind, taken).Exec(ctx)
	return dbx.Err(err)
}
