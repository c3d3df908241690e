package webhook_test

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/event"
	"rostrum/domain/webhook"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/platform/seal"
	"rostrum/test/kit/dbtest"
)

// fakeClock is a clock that only advanceTo changes.
type fakeClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *fakeClock) advanceTo(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to.After(c.at) {
		c.at = to
	}
}

// fakeQueue is a queue with tasks that a test runs in the order of their times.
type fakeQueue struct {
	clock *fakeClock
	tasks map[string]job.Task
	mu    sync.Mutex
	queue []queuedTask
}

type queuedTask struct {
	name string
	job.TaskArgs
}

func (l *fakeQueue) RegisterTask(name string, task job.Task) { l.tasks[name] = task }

func (l *fakeQueue) EnqueueTasks(_ context.Context, tx dbx.Tx, name string, args ...job.TaskArgs) error {
	tx.AfterCommit(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, e := range args {
			if e.At.IsZero() {
				e.At = l.clock.now()
			}
			l.queue = append(l.queue, queuedTask{name, e})
		}
	})
	return nil
}

// takeNext removes and returns the task with the earliest time.
func (l *fakeQueue) takeNext() (queuedTask, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return queuedTask{}, false
	}
	slices.SortStableFunc(l.queue, func(a, b queuedTask) int { return a.At.Compare(b.At) })
	q := l.queue[0]
	l.queue = l.queue[1:]
	return q, true
}

// testBundle is the webhook service with its dependencies, a fake clock and a fake queue.
type testBundle struct {
	*webhook.Service
	t        *testing.T
	db       *dbx.DB
	ctx      context.Context // with a principal of workspace
	clock    *fakeClock
	queue    *fakeQueue
	events   *event.Service
	accounts *account.Service
	receiver *receiver
	audited  []string // entries of the audit log
	sealKey  [32]byte
	// the lost secrets of other packages
	otherLost []webhook.LostSecret
	timeout   time.Duration // of a post
}

const workspace = "wsp_1"

// eachDatabase runs the test on every database.
func eachDatabase(t *testing.T, test func(*testing.T, *testBundle)) {
	t.Helper()
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) { test(t, setup(t, db)) })
}

func setup(t *testing.T, db *dbx.DB) *testBundle {
	t.Helper()
	pubsub := dbtest.OpenLive(t, live.Config{})
	accounts := account.New(account.Config{DB: db, Live: pubsub, OnPlan: []account.OnPlan{webhook.PauseOnFreePlan}})
	b := &testBundle{t: t, db: db, clock: &fakeClock{at: model.Now()}, accounts: accounts, receiver: newReceiver(t),
		timeout: time.Minute}
	b.queue = &fakeQueue{clock: b.clock, tasks: map[string]job.Task{}}
	b.useService(b.queue)
	b.events = event.New(event.Config{DB: db, Live: pubsub, Hooks: []event.AppendHook{b.EnqueueDeliveries}})
	for _, id := range []string{workspace, "wsp_2"} {
		if _, err := db.NewInsert().Model(&model.Workspace{ID: id, Plan: model.PlanPro, CreatedAt: model.Now()}).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.ctx = principal.With(t.Context(), principal.Principal{WorkspaceID: workspace})
	return b
}

// useService gives the bundle a new service.
func (b *testBundle) useService(tasks webhook.Tasks) {
	b.t.Helper()
	b.Service = b.newService(tasks, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	b.SetClock(b.clock.now)
}

func (b *testBundle) newService(tasks webhook.Tasks, allow []netip.Prefix) *webhook.Service {
	b.t.Helper()
	client := fetch.New(fetch.Config{
		Allow: allow, Roots: b.receiver.roots, Timeout: b.timeout, PerHost: webhook.MaxRunning, Pause: time.Nanosecond,
	})
	hasLink := func(_ context.Context, workspaceID, id string) (bool, error) {
		return workspaceID == workspace && (id == "lnk_1" || id == "lnk_2"), nil
	}
	hasSearch := func(_ context.Context, workspaceID, id string) (bool, error) {
		return workspaceID == workspace && id == "sea_1", nil
	}
	readEvents := func(ctx context.Context, ids []string) ([]*model.Event, error) { return b.events.ByIDs(ctx, ids) }
	sealer, err := seal.New(b.sealKey[:])
	if err != nil {
		b.t.Fatal(err)
	}
	return webhook.New(webhook.Config{
		DB: b.db, Tasks: tasks, Accounts: b.accounts, HasLink: hasLink, HasSearch: hasSearch, ReadEvents: readEvents, Client: client,
		Audit: func(_ context.Context, _ dbx.Tx, _, action, id string, details map[string]any) error {
			b.audited = append(b.audited, fmt.Sprint(action, " ", id, " ", details))
			return nil
		},
		RecordChange: func(tx dbx.Tx, workspaceID, name, id string) {
			b.events.RecordChange(tx, workspaceID, name, id)
		},
		LockFeed: event.LockFeed,
		AppendState: func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
			return b.events.AppendWebhookState(ctx, tx, w)
		},
		Sealer: sealer, ChatURLs: []string{b.receiver.URL + "/chat/"},
		OtherSecrets: func(context.Context, dbx.Tx) (int, []webhook.LostSecret, error) {
			return len(b.otherLost), b.otherLost, nil
		},
	})
}

// appendOpenings appends n openings of a link.
func (b *testBundle) appendOpenings(n int, link string) []*model.Event {
	b.t.Helper()
	return b.appendEvents(newEvents(workspace, n, link))
}

func (b *testBundle) appendEvents(events []*model.Event) []*model.Event {
	b.t.Helper()
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return b.events.Append(ctx, tx, events)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return events
}

func newEvents(workspaceID string, n int, link string) []*model.Event {
	events := make([]*model.Event, n)
	for i := range events {
		events[i] = &model.Event{
			WorkspaceID: workspaceID, Event: model.EventLinkOpened, LinkID: &link, Timestamp: time.Now(),
			Link:   &model.LinkSummary{ID: link, Slug: "s", Title: "Tides", ShortURL: "http://localhost/l/s"},
			Viewer: []byte(`{"country":"DE","city":"Köln","device":"desktop","browser":"Firefox","os":"Linux","referrer":""}`),
		}
	}
	return events
}

// runNextTask advances the clock to the next task and runs it; it returns false if there is none.
func (b *testBundle) runNextTask() bool {
	b.t.Helper()
	q, ok := b.queue.takeNext()
	if !ok {
		return false
	}
	b.clock.advanceTo(q.At)
	if err := b.queue.tasks[q.name].Work(b.t.Context(), q.Ref); err != nil {
		b.t.Fatal(err)
	}
	return true
}

// runTasksWithin runs all tasks due within the duration and then advances the clock to its end.
func (b *testBundle) runTasksWithin(within time.Duration) {
	b.t.Helper()
	end := b.clock.now().Add(within)
	defer b.clock.advanceTo(end)
	for {
		q, ok := b.queue.takeNext()
		if !ok {
			return
		}
		if q.At.After(end) {
			b.queue.mu.Lock()
			b.queue.queue = append(b.queue.queue, q)
			b.queue.mu.Unlock()
			return
		}
		b.clock.advanceTo(q.At)
		if err := b.queue.tasks[q.name].Work(b.t.Context(), q.Ref); err != nil {
			b.t.Fatal(err)
		}
	}
}

// dispatchAll sends the deferred deliveries that may be sent now.
func (b *testBundle) dispatchAll() {
	b.t.Helper()
	for range 100 {
		if err := b.DispatchDeferred(b.ctx); err != nil {
			b.t.Fatal(err)
		}
		b.runTasksWithin(0)
	}
}

// createWebhook creates a webhook for a path of the receiver; change edits its input.
func (b *testBundle) createWebhook(path string, change ...func(*api.CreateWebhookInput)) *model.Webhook {
	b.t.Helper()
	in := api.CreateWebhookInput{URL: b.receiver.URL + path}
	for _, c := range change {
		c(&in)
	}
	created, err := b.Create(b.ctx, in)
	if err != nil {
		b.t.Fatal(err)
	}
	return created.Webhook
}

func (b *testBundle) getWebhook(id string) *model.Webhook {
	b.t.Helper()
	w, err := b.Get(b.ctx, id)
	if err != nil || w == nil {
		b.t.Fatal(w, err)
	}
	return w
}

// listDeliveries returns the deliveries of a webhook, oldest first.
func (b *testBundle) listDeliveries(id string) []*model.Delivery {
	b.t.Helper()
	var rows []*model.Delivery
	if err := b.db.NewSelect().Model(&rows).Where("webhook_id = ?", id).Order("position", "id").
		Scan(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	return rows
}

// countByStatus returns the number of a webhook's deliveries in each status.
func (b *testBundle) countByStatus(id string) map[model.DeliveryStatus]int {
	out := map[model.DeliveryStatus]int{}
	for _, d := range b.listDeliveries(id) {
		out[d.Status]++
	}
	return out
}

// receiver is a local HTTPS server that records requests and responds as configured by path.
type receiver struct {
	*httptest.Server
	roots    *x509.CertPool
	mu       sync.Mutex
	received []receivedPost
	handlers map[string]func(http.ResponseWriter, *http.Request)
}

type receivedPost struct {
	path   string
	header http.Header
	body   string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{roots: x509.NewCertPool(), handlers: map[string]func(http.ResponseWriter, *http.Request){}}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	r.roots.AddCert(r.Certificate())
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	r.received = append(r.received, receivedPost{request.URL.Path, request.Header, string(body)})
	answer := r.handlers[request.URL.Path]
	r.mu.Unlock()
	if answer != nil {
		answer(w, request)
	}
}

// setStatus sets the status and headers of later responses of a path.
func (r *receiver) setStatus(path string, status int, header ...string) {
	r.setHandler(path, func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(cmp.Or(status, http.StatusOK))
	})
}

func (r *receiver) setHandler(path string, answer func(http.ResponseWriter, *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handlers[path] = answer
}

// postsTo returns the requests to a path.
func (r *receiver) postsTo(path string) (out []receivedPost) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.received {
		if p.path == path {
			out = append(out, p)
		}
	}
	return out
}

// startOnQueue runs the service on River with the system clock.
func (b *testBundle) startOnQueue() {
	b.t.Helper()
	if err := job.Migrate(b.t.Context(), b.db); err != nil {
		b.t.Fatal(err)
	}
	pubsub := dbtest.OpenLive(b.t, live.Config{})
	jobs, err := job.New(job.Config{DB: b.db, Live: pubsub, Queues: map[string]int{webhook.Queue: webhook.Workers}})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Service = b.newService(jobs, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	b.events = event.New(event.Config{DB: b.db, Live: pubsub, Hooks: []event.AppendHook{b.EnqueueDeliveries}})
	if err := jobs.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { b.Run(ctx) })
	b.t.Cleanup(func() {
		b.receiver.CloseClientConnections()
		if err := jobs.Stop(context.Background()); err != nil {
			b.t.Error(err)
		}
		stop()
		running.Wait()
	})
}
