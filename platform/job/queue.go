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
	// serverPollInterval and filePollInterval are the times between two polls of a queue. A
	// server's polls find only rows that become due, because it notifies processes of new rows;
	// behind a pooler it cannot, and is polled as often as a file.
	serverPollInterval = 500 * time.Millisecond
	filePollInterval   = 200 * time.Millisecond
	// promoteEvery is how often River looks for scheduled rows that are due.
	promoteEvery = 5 * time.Second
	// longestRun is when River considers a row's worker dead. Leases expire long before, so this
	// only clears rows of ended jobs.
	longestRun = 24 * time.Hour
	// keptRows is how long River stores the rows of completed work.
	keptRows = 10 * time.Minute
	// defaultPriority leaves higher and lower values in River's range of 1 to 4.
	defaultPriority = 2
)

// deliveryArgs is River's row: an invitation to work on a job. It counts only while the job is
// waiting and names it as its queue_id, so duplicates and late rows are harmless. Each time a job
// is queued a new row is inserted.
type deliveryArgs struct {
	JobID   string `json:"job_id"`
	Snoozed bool   `json:"again,omitempty"` // the job was snoozed before
}

// Kind returns River's kind of all jobs.
func (deliveryArgs) Kind() string { return "job" }

// queueClient hides the transaction type of River's client.
type queueClient interface {
	insertDelivery(ctx context.Context, tx dbx.Tx, d deliveryArgs, opts *river.InsertOpts) (int64, error)
	insertRows(ctx context.Context, tx dbx.Tx, rows []river.InsertManyParams) ([]int64, error)
	cancelRow(ctx context.Context, tx dbx.Tx, id int64) error
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
}

type riverClient[T any] struct {
	*river.Client[T]
	native func(dbx.Tx) T
}

func (c riverClient[T]) insertDelivery(ctx context.Context, tx dbx.Tx, d deliveryArgs, opts *river.InsertOpts) (int64,
	error) {
	result, err := c.InsertTx(ctx, c.native(tx), d, opts)
	if err != nil {
		return 0, err
	}
	return result.Job.ID, nil
}

func (c riverClient[T]) insertRows(ctx context.Context, tx dbx.Tx, rows []river.InsertManyParams) ([]int64, error) {
	results, err := c.InsertManyTx(ctx, c.native(tx), rows)
	ids := make([]int64, len(results))
	for i, result := range results {
		ids[i] = result.Job.ID
	}
	return ids, err
}

// cancelRow removes a waiting row from the queue, or notifies the process that works on it.
func (c riverClient[T]) cancelRow(ctx context.Context, tx dbx.Tx, id int64) error {
	_, err := c.JobCancelTx(ctx, c.native(tx), id)
	if errors.Is(err, river.ErrNotFound) {
		return nil
	}
	return err
}

func newQueue(s *Service) (queueClient, error) {
	config := queueConfig(s)
	if pool, ok := s.db.QueuePool(); ok {
		config.PollOnly = s.db.IsPooled()
		if !config.PollOnly {
			config.FetchPollInterval = serverPollInterval
		}
		c, err := river.NewClient(riverpgxv5.New(pool), config)
		return riverClient[pgx.Tx]{c, serverTx}, err
	}
	c, err := river.NewClient(newSQLiteDriver(s.db), config)
	return riverClient[*sql.Tx]{c, dbx.Tx.SQLTx}, err
}

func serverTx(tx dbx.Tx) pgx.Tx {
	native, _ := tx.Native()
	return native
}

func queueConfig(s *Service) *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &deliveryWorker{service: s})
	river.AddWorker(workers, &taskWorker{service: s})
	queues := make(map[string]river.QueueConfig, len(s.queues))
	for name, n := range s.queues {
		queues[name] = river.QueueConfig{MaxWorkers: n, FetchCooldown: 10 * time.Millisecond}
	}
	return &river.Config{
		Queues:  queues,
		Workers: workers,
		// River's cooldown also delays notifications of inserts. If it were longer, a row inserted
		// right after another would be missed.
		FetchCooldown:     time.Millisecond,
		FetchPollInterval: filePollInterval,
		// Results are stored elsewhere, and many rows slow the table down.
		CompletedJobRetentionPeriod: keptRows,
		ReindexerIndexNames:         keptIndexes(),
		Logger:                      slog.New(errorOnlyHandler{slog.Default().Handler()}),
	}
}

// errorOnlyHandler drops River's routine messages, such as cancelled jobs.
type errorOnlyHandler struct{ slog.Handler }

// Enabled reports whether the level is error or higher.
func (q errorOnlyHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && q.Handler.Enabled(ctx, level)
}

// deliveryWorker is River's worker for deliveries. The job's own row decides the outcome.
type deliveryWorker struct {
	river.WorkerDefaults[deliveryArgs]
	service *Service
}

// Work runs the job of a delivery. It returns an error if the database was unavailable; River then
// delivers again.
func (w *deliveryWorker) Work(ctx context.Context, d *river.Job[deliveryArgs]) error {
	return w.service.workDelivery(ctx, d.Args, d.ID)
}

// Timeout returns a limit above the timeouts of all kinds, which apply instead.
func (*deliveryWorker) Timeout(*river.Job[deliveryArgs]) time.Duration { return longestRun }

// NextRetry returns one second from now, as only an unavailable database fails a delivery.
func (*deliveryWorker) NextRetry(*river.Job[deliveryArgs]) time.Time {
	return time.Now().Add(time.Second)
}

// queueDelivery queues the job after a pause and makes that its only valid delivery.
func (s *Service) queueDelivery(ctx context.Context, tx dbx.Tx, job *model.Job, pause time.Duration) error {
	if err := s.insertDelivery(ctx, tx, job, deliveryArgs{JobID: job.ID}, pause); err != nil || pause <= 0 ||
		pause > promoteEvery {
		return err
	}
	return makeAvailable(ctx, tx, []int64{*job.QueueID})
}

// insertDelivery inserts one more delivery of the job. A postponed job gets a higher priority than
// its equals, because it has already waited its turn.
func (s *Service) insertDelivery(ctx context.Context, tx dbx.Tx, job *model.Job, d deliveryArgs,
	pause time.Duration) error {
	opts := &river.InsertOpts{Queue: s.kinds[job.JobTypeText].Queue, Priority: job.Priority}
	if pause > 0 {
		opts.ScheduledAt, opts.Priority = time.Now().Add(pause), max(job.Priority-1, 1)
	}
	id, err := s.queue.insertDelivery(ctx, tx, d, opts)
	job.QueueID = &id
	if err != nil || pause > 0 {
		return dbx.Err(err)
	}
	return rankJob(ctx, tx, job)
}

const (
	// rankOrigin is how far in the past the rank of a workspace's first waiting job is. River
	// fetches only rows that are due, so ranks must not lie in the future.
	rankOrigin = 30 * 24 * time.Hour
	// rankStep is the distance between the ranks of a workspace's waiting jobs. It is longer than a
	// job takes on average, so another workspace's job overtakes a backlog, however old.
	rankStep = time.Minute
)

// rankJob sets the rank by which River fetches a waiting job: one step after the last waiting job
// of the same type and workspace, so that workspaces alternate. A job that returns to the queue
// keeps its rank. The rank is set after the insert, because River would insert a ranked row as
// scheduled and notify no worker.
func rankJob(ctx context.Context, tx dbx.Tx, job *model.Job) error {
	if job.FetchAt == nil {
		rank, err := nextRank(ctx, tx, job)
		if err != nil {
			return err
		}
		job.FetchAt = &rank
	}
	_, err := tx.NewUpdate().Table("river_job").Set("scheduled_at = ?", *job.FetchAt).Where("id = ?", *job.QueueID).
		Exec(ctx)
	return dbx.Err(err)
}

func nextRank(ctx context.Context, tx dbx.Tx, job *model.Job) (time.Time, error) {
	var last []*model.Job
	err := tx.NewSelect().Model(&last).Column("fetch_at").Where("workspace_id = ? AND job_type = ?", job.WorkspaceID,
		job.JobTypeText).
		Where("status IN ('queued', 'retrying') AND fetch_at IS NOT NULL").Order("fetch_at DESC").Limit(1).Scan(ctx)
	if err != nil {
		return time.Time{}, dbx.Err(err)
	}
	now := model.Now()
	rank := now.Add(-rankOrigin)
	if len(last) > 0 && last[0].FetchAt.Add(rankStep).After(rank) {
		rank = last[0].FetchAt.Add(rankStep)
	}
	if rank.After(now) {
		rank = now
	}
	return rank, nil
}

// snoozeJob queues a postponed job again without an event. Its row becomes available exactly when
// it is due. Otherwise jobs postponed for one resource would all start at River's next promotion.
func (s *Service) snoozeJob(ctx context.Context, tx dbx.Tx, job *model.Job, pause time.Duration) error {
	if err := s.insertDelivery(ctx, tx, job, deliveryArgs{JobID: job.ID, Snoozed: true}, pause); err != nil {
		return err
	}
	if _, err := tx.NewUpdate().Model(job).Column("queue_id").WherePK().Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return makeAvailable(ctx, tx, []int64{*job.QueueID})
}

// makeAvailable lets rows skip River's promotion, as River does for its own short retries. They
// still run only when they are due.
func makeAvailable(ctx context.Context, tx dbx.Tx, ids []int64) error {
	_, err := tx.NewUpdate().Table("river_job").Set("state = 'available'").Where("id IN (?)", bun.List(ids)).Exec(ctx)
	return dbx.Err(err)
}

// deleteDelivery removes the delivery of a dead worker. A worker that is alive after all finds that
// it no longer holds the job.
func deleteDelivery(ctx context.Context, tx dbx.Tx, id *int64) error {
	if id == nil {
		return nil
	}
	_, err := tx.NewDelete().Table("river_job").Where("id = ?", *id).Exec(ctx)
	return dbx.Err(err)
}

// Migrate brings the queue's tables up to date, and returns an error if a migration fails. The job
// table belongs to dbx's migrations.
func Migrate(ctx context.Context, db *dbx.DB) error {
	return db.WithMigrationLock(ctx, func(ctx context.Context) error {
		if pool, ok := db.QueuePool(); ok {
			return errors.Join(migrateQueue(ctx, riverpgxv5.New(pool)), dropUnused(ctx, pool))
		}
		return migrateQueue(ctx, riversqlite.New(db.Writer()))
	})
}

// unusedIndexes are River's indexes on JSON columns. No query here uses them, and each row would be
// written to both three times.
var unusedIndexes = []string{"river_job_args_index", "river_job_metadata_index"}

func dropUnused(ctx context.Context, pool *pgxpool.Pool) error {
	for _, index := range unusedIndexes {
		if _, err := pool.Exec(ctx, "DROP INDEX IF EXISTS "+index); err != nil {
			return dbx.Err(err)
		}
	}
	return nil
}

// keptIndexes returns River's indexes without the dropped ones.
func keptIndexes() []string {
	return slices.DeleteFunc(river.ReindexerIndexNamesDefault(),
		func(name string) bool { return slices.Contains(unusedIndexes, name) })
}

func migrateQueue[T any](ctx context.Context, driver riverdriver.Driver[T]) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(
		errorOnlyHandler{slog.Default().Handler()})})
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}
