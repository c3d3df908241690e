package webhook

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/periodic"
	"rostrum/platform/seal"
)

// Tasks is the queue of lightweight jobs.
type Tasks interface {
	RegisterTask(name string, task job.Task)
	EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, args ...job.TaskArgs) error
}

// Accounts returns the plan of a workspace and locks it for the transaction. It returns
// errs.NotFound for an unknown workspace.
type Accounts interface {
	PlanForUpdate(ctx context.Context, tx dbx.Tx, workspaceID string) (model.Plan, error)
}

// HasLink reports whether the workspace has a link with this id.
type HasLink func(ctx context.Context, workspaceID, linkID string) (bool, error)

// HasSearch reports whether the workspace has a saved search with this id.
type HasSearch func(ctx context.Context, workspaceID, searchID string) (bool, error)

// ReadEvents returns the events with the ids from any workspace, in no order. Unknown ids are left
// out.
type ReadEvents func(ctx context.Context, ids []string) ([]*model.Event, error)

// AuditFunc writes an entry of the workspace's audit log in the transaction of the change. details
// must not contain a secret.
type AuditFunc func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error

// Config is the configuration of a Service. All fields but ChatURLs are required.
type Config struct {
	DB         *dbx.DB
	Tasks      Tasks
	Accounts   Accounts
	HasLink    HasLink
	HasSearch  HasSearch
	ReadEvents ReadEvents
	Client     *fetch.Client // sends deliveries; its timeout should be SendTimeout
	Sealer     *seal.Sealer  // encrypts the stored signing secrets
	Audit      AuditFunc     // writes entries of the audit log
	// OtherSecrets finds the secrets that other packages sealed with the same key.
	OtherSecrets OtherSecrets
	// RecordChange adds a change of a webhook to the workspace's feed in the transaction. Webhooks
	// do not receive it.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
	// AppendState appends webhook.paused or webhook.resumed to the workspace's feed, and locks the
	// feed.
	AppendState func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error
	// LockFeed locks the workspace's feed until the end of the transaction.
	LockFeed func(ctx context.Context, tx dbx.Tx, workspaceID string) error
	ChatURLs []string // base URLs of incoming webhooks of team chats, in addition to Slack's
}

// Service manages webhooks and sends their deliveries.
type Service struct {
	db         *dbx.DB
	tasks      Tasks
	accounts   Accounts
	hasLink    HasLink
	hasSearch  HasSearch
	readEvents ReadEvents
	client     *fetch.Client
	audit      AuditFunc
	chatURLs   []string
	sealer     *seal.Sealer
	others     OtherSecrets

	recordChange func(tx dbx.Tx, workspaceID, name, id string)
	appendState  func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error
	lockFeed     func(ctx context.Context, tx dbx.Tx, workspaceID string) error
	changed      changedWebhooks

	running  *semaphore.Weighted // of MaxRunning
	sends    activeSends
	limiter  *concurrencyLimiter
	loads    batcher[taskRef, *loadedDelivery]
	results  batcher[*deliveryResult, struct{}]
	deferred deferredWebhooks

	now    func() time.Time // the clock of schedules; model.Now
	jitter func() float64   // returns a random number in [0, 1)
}

// New returns a Service and registers its tasks. Run must be called to send deferred deliveries.
func New(config Config) *Service {
	s := &Service{
		db: config.DB, tasks: config.Tasks, accounts: config.Accounts, hasLink: config.HasLink,
		hasSearch:  config.HasSearch,
		readEvents: config.ReadEvents,
		client:     config.Client, audit: config.Audit, chatURLs: config.ChatURLs, sealer: config.Sealer,
		others:  config.OtherSecrets,
		limiter: newConcurrencyLimiter(), running: semaphore.NewWeighted(MaxRunning),
		sends:        make(activeSends, maxActive),
		deferred:     deferredWebhooks{ids: map[string]bool{}},
		recordChange: config.RecordChange, changed: changedWebhooks{ids: map[string]string{}}, now: model.Now,
		jitter: rand.Float64, appendState: config.AppendState, lockFeed: config.LockFeed,
	}
	s.loads.process, s.loads.maxSize, s.loads.maxWorkers = s.loadDeliveries, batchSize, 3
	s.results.process, s.results.maxSize, s.results.maxWorkers = s.storeResults, batchSize, 2
	s.tasks.RegisterTask(JobDelivery, job.Task{Queue: Queue, Timeout: taskTimeout, Work: s.runDeliveries})
	s.tasks.RegisterTask(JobProbe, job.Task{Queue: Queue, Timeout: taskTimeout, Work: s.runProbe})
	s.tasks.RegisterTask(JobAnnounce, job.Task{Queue: Queue, Timeout: taskTimeout, Work: s.runAnnouncement})
	return s
}

const (
	// SendTimeout limits the request to a receiver, including its response.
	SendTimeout = 15 * time.Second
	// taskTimeout limits a task: SendTimeout plus the time to read and write its rows.
	taskTimeout = 24 * time.Second
	// batchSize is the largest number of deliveries that a statement reads or writes.
	batchSize = 500
)

// Intervals of the background loops of Run.
const (
	dispatchInterval = 100 * time.Millisecond
	findInterval     = 5 * time.Second
	deleteInterval   = time.Hour
)

// Run enqueues deferred deliveries, deletes expired ones and records changes until the context
// ends. Errors are logged.
func (s *Service) Run(ctx context.Context) {
	var loops sync.WaitGroup
	loops.Go(func() { periodic.Every(ctx, dispatchInterval, "enqueue deferred deliveries", s.dispatchDeferred) })
	loops.Go(func() { periodic.Every(ctx, findInterval, "find deferred deliveries", s.findDeferred) })
	loops.Go(func() { periodic.Every(ctx, deleteInterval, "delete expired deliveries", s.deleteExpired) })
	loops.Go(func() { periodic.Every(ctx, recordInterval, "record changes of webhooks", s.recordChanges) })
	loops.Wait()
	if err := s.recordLast(ctx); err != nil {
		slog.WarnContext(ctx, "failed to record changes of webhooks", "error", err)
	}
}
