package job

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

const (
	// promoteEvery is how often River looks for scheduled rows whose time has come.
	promoteEvery = 5 * time.Second
	// longestRun is when River takes a row's worker for dead. Leases notice long before; this only clears rows of jobs that ended meanwhile.
	longestRun = 24 * time.Hour
	// keptRows is how long River's row of work that is done stays.
	keptRows = 10 * time.Minute
	// defaultPriority leaves room above and below, in River's range of 1 to 4.
	defaultPriority = 2
)

// delivery is River's row: an invitation to work on a job. It is valid only while the job names it as its queue_id and
// waits, so any number of them may exist, come twice, or come late. Every queueing of a job makes a new one.
type delivery struct {
	JobID string `json:"job_id"`
	Again bool   `json:"again,omitempty"` // the job stood back before
}

// Kind is the one name that River knows all jobs by.
func (delivery) Kind() string { return "job" }

// queue hides the type of transaction that River's client is bound to.
type queue interface {
	insert(ctx context.Context, tx dbx.Tx, d delivery, opts *river.InsertOpts) (int64, error)
	insertMany(ctx context.Context, tx dbx.Tx, rows []river.InsertManyParams) ([]int64, error)
	cancel(ctx context.Context, tx dbx.Tx, id int64) error
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
}

type client[T any] struct {
	*river.Client[T]
	native func(dbx.Tx) T
}

func (c client[T]) insert(ctx context.Context, tx dbx.Tx, d delivery, opts *river.InsertOpts) (int64, error) {
	result, err := c.InsertTx(ctx, c.native(tx), d, opts)
	if err != nil {
		return 0, err
	}
	return result.Job.ID, nil
}

func (c client[T]) insertMany(ctx context.Context, tx dbx.Tx, rows []river.InsertManyParams) ([]int64, error) {
	results, err := c.InsertManyTx(ctx, c.native(tx), rows)
	ids := make([]int64, len(results))
	for i, result := range results {
		ids[i] = result.Job.ID
	}
	return ids, err
}

// cancel takes a waiting row out of the queue, and tells the process that works on a running one.
func (c client[T]) cancel(ctx context.Context, tx dbx.Tx, id int64) error {
	_, err := c.JobCancelTx(ctx, c.native(tx), id)
	if errors.Is(err, river.ErrNotFound) {
		return nil
	}
	return err
}

func newQueue(s *Service) (queue, error) {
	config := queueConfig(s)
	if pool, ok := s.db.Pool(); ok {
		c, err := river.NewClient(riverpgxv5.New(pool), config)
		return client[pgx.Tx]{c, serverTx}, err
	}
	c, err := river.NewClient(riversqlite.New(s.db.Writer()), config)
	return client[*sql.Tx]{c, dbx.Tx.Standard}, err
}

func serverTx(tx dbx.Tx) pgx.Tx {
	native, _ := tx.Native()
	return native
}

func queueConfig(s *Service) *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{service: s})
	river.AddWorker(workers, &taskWorker{service: s})
	queues := make(map[string]river.QueueConfig, len(s.queues))
	for name, n := range s.queues {
		queues[name] = river.QueueConfig{MaxWorkers: n, FetchCooldown: 10 * time.Millisecond}
	}
	return &river.Config{
		Queues:  queues,
		Workers: workers,
		// The client's own cooldown also holds back the word that a row was inserted, which a row right behind another must not miss.
		FetchCooldown:     time.Millisecond,
		FetchPollInterval: 200 * time.Millisecond,
		// What became of a row stands elsewhere, and many rows make the table slow.
		CompletedJobRetentionPeriod: keptRows,
		ReindexerIndexNames:         indexes(),
		Logger:                      slog.New(quiet{slog.Default().Handler()}),
	}
}

// quiet leaves out what River says of its daily life, such as that a job was cancelled.
type quiet struct{ slog.Handler }

// Enabled passes errors.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && q.Handler.Enabled(ctx, level)
}

// worker is River's side of a delivery; what becomes of the job is decided on the job's own row.
type worker struct {
	river.WorkerDefaults[delivery]
	service *Service
}

// Work takes up the job of a delivery. An error means that the database was away: the delivery stands and comes again.
func (w *worker) Work(ctx context.Context, d *river.Job[delivery]) error {
	return w.service.work(ctx, d.Args, d.ID)
}

// Timeout leaves time limits to the kinds.
func (*worker) Timeout(*river.Job[delivery]) time.Duration { return longestRun }

// NextRetry is soon, as only a database that was away fails a delivery.
func (*worker) NextRetry(*river.Job[delivery]) time.Time { return time.Now().Add(time.Second) }

// deliver queues the job for as soon as the pause is over, and makes that its only valid delivery.
func (s *Service) deliver(ctx context.Context, tx dbx.Tx, job *model.Job, pause time.Duration) error {
	if err := s.place(ctx, tx, job, delivery{JobID: job.ID}, pause); err != nil || pause <= 0 || pause > promoteEvery {
		return err
	}
	return available(ctx, tx, []int64{*job.QueueID})
}

// place queues one more delivery of the job.
func (s *Service) place(ctx context.Context, tx dbx.Tx, job *model.Job, d delivery, pause time.Duration) error {
	opts := &river.InsertOpts{Queue: s.kinds[job.JobType].Queue, Priority: job.Priority}
	if pause > 0 {
		opts.ScheduledAt = time.Now().Add(pause)
	}
	id, err := s.queue.insert(ctx, tx, d, opts)
	job.QueueID = &id
	return dbx.Err(err)
}

// standBack queues a job that was not taken up for later. It is at hand when its time comes, however far that is: those that stand back for
// one thing come one after the other, and not together when River looks. Nothing of it shows.
func (s *Service) standBack(ctx context.Context, tx dbx.Tx, job *model.Job, pause time.Duration) error {
	if err := s.place(ctx, tx, job, delivery{JobID: job.ID, Again: true}, pause); err != nil {
		return err
	}
	if _, err := tx.NewUpdate().Model(job).Column("queue_id").WherePK().Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return available(ctx, tx, []int64{*job.QueueID})
}

// available spares rows the wait for their promotion, as River does with its own short retries: such a row is not worked before
// its time.
func available(ctx context.Context, tx dbx.Tx, ids []int64) error {
	_, err := tx.NewUpdate().Table("river_job").Set("state = 'available'").Where("id IN (?)", bun.In(ids)).Exec(ctx)
	return dbx.Err(err)
}

// discard removes the delivery of a worker that is gone; if it is alive after all, it finds that it no longer holds the job.
func discard(ctx context.Context, tx dbx.Tx, id *int64) error {
	if id == nil {
		return nil
	}
	_, err := tx.NewDelete().Table("river_job").Where("id = ?", *id).Exec(ctx)
	return dbx.Err(err)
}

// Migrate brings the queue's own tables up to date; the job's come with dbx's.
func Migrate(ctx context.Context, db *dbx.DB) error {
	return db.Migrating(ctx, func(ctx context.Context) error {
		if pool, ok := db.Pool(); ok {
			return errors.Join(migrate(ctx, riverpgxv5.New(pool)), dropUnused(ctx, pool))
		}
		return migrate(ctx, riversqlite.New(db.Writer()))
	})
}

// unused are River's indexes for looking inside a row's JSON. Nobody does here, and each row would be written to both three times.
var unused = []string{"river_job_args_index", "river_job_metadata_index"}

func dropUnused(ctx context.Context, pool *pgxpool.Pool) error {
	for _, index := range unused {
		if _, err := pool.Exec(ctx, "DROP INDEX IF EXISTS "+index); err != nil {
			return dbx.Err(err)
		}
	}
	return nil
}

// indexes are those of River's that are left.
func indexes() []string {
	return slices.DeleteFunc(river.ReindexerIndexNamesDefault(), func(name string) bool { return slices.Contains(unused, name) })
}

func migrate[T any](ctx context.Context, driver riverdriver.Driver[T]) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(quiet{slog.Default().Handler()})})
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}
