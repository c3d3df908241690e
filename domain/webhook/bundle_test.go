package webhook_test

import (
	"cmp"
	"context"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/event"
	"rostrum/domain/webhook"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

// clock is a time that stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to.After(c.at) {
		c.at = to
	}
}

// line is a queue that works only when it is told to, in the order of time.
type line struct {
	clock *clock
	tasks map[string]job.Task
	mu    sync.Mutex
	queue []queued
}

type queued struct {
	name string
	job.Errand
}

func (l *line) RegisterTask(name string, task job.Task) { l.tasks[name] = task }

func (l *line) EnqueueTasks(_ context.Context, tx dbx.Tx, name string, errands ...job.Errand) error {
	tx.AfterCommit(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, e := range errands {
			if e.At.IsZero() {
				e.At = l.clock.now()
			}
			l.queue = append(l.queue, queued{name, e})
		}
	})
	return nil
}

// next takes the task whose time comes first.
func (l *line) next() (queued, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return queued{}, false
	}
	slices.SortStableFunc(l.queue, func(a, b queued) int { return a.At.Compare(b.At) })
	q := l.queue[0]
	l.queue = l.queue[1:]
	return q, true
}

// bundle is the room on its neighbours, with a clock and a queue of the test's own.
type bundle struct {
	*webhook.Service
	t        *testing.T
	db       *dbx.DB
	ctx      context.Context // of the pro workspace w
	clock    *clock
	line     *line
	events   *event.Service
	accounts *account.Service
	receiver *receiver
}

const workspace = "wsp_1"

// each runs the test on every database.
func each(t *testing.T, test func(*testing.T, *bundle)) {
	t.Helper()
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) { test(t, prepare(t, db)) })
}

func prepare(t *testing.T, db *dbx.DB) *bundle {
	t.Helper()
	news := testkit.OpenLive(t, live.Config{})
	accounts := account.New(db, news, webhook.OnPlan)
	b := &bundle{t: t, db: db, clock: &clock{at: model.Now()}, accounts: accounts, receiver: newReceiver(t)}
	b.line = &line{clock: b.clock, tasks: map[string]job.Task{}}
	b.Service = b.room(b.line, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	b.SetClock(b.clock.now)
	b.events = event.New(db, news, b.Follow)
	for _, id := range []string{workspace, "wsp_2"} {
		if _, err := db.NewInsert().Model(&model.Workspace{ID: id, Plan: model.PlanPro, CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.ctx = model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: workspace})
	return b
}

func (b *bundle) room(tasks webhook.Tasks, allow []netip.Prefix) *webhook.Service {
	b.t.Helper()
	client := fetch.New(fetch.Config{
		Allow: allow, Roots: b.receiver.roots, Timeout: time.Second, PerHost: webhook.Workers, Pause: time.Nanosecond,
	})
	hasLink := func(_ context.Context, workspaceID, id string) (bool, error) {
		return workspaceID == workspace && (id == "lnk_1" || id == "lnk_2"), nil
	}
	s, err := webhook.New(b.db, tasks, b.accounts, hasLink, client, webhook.Config{SealKey: make([]byte, 32), ChatURLs: []string{b.receiver.URL + "/chat/"}})
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// happen appends so many openings of a link.
func (b *bundle) happen(n int, link string) []*model.Event {
	b.t.Helper()
	return b.append(opened(workspace, n, link))
}

func (b *bundle) append(events []*model.Event) []*model.Event {
	b.t.Helper()
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) error { return b.events.Append(ctx, tx, events) })
	if err != nil {
		b.t.Fatal(err)
	}
	return events
}

func opened(workspaceID string, n int, link string) []*model.Event {
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

// step works the next task, at its time; false when there is none.
func (b *bundle) step() bool {
	b.t.Helper()
	q, ok := b.line.next()
	if !ok {
		return false
	}
	b.clock.move(q.At)
	if err := b.line.tasks[q.name].Work(b.t.Context(), q.Ref); err != nil {
		b.t.Fatal(err)
	}
	return true
}

// drain works all tasks that are due within the time from now on, which has passed then.
func (b *bundle) drain(within time.Duration) {
	b.t.Helper()
	end := b.clock.now().Add(within)
	defer b.clock.move(end)
	for {
		q, ok := b.line.next()
		if !ok {
			return
		}
		if q.At.After(end) {
			b.line.mu.Lock()
			b.line.queue = append(b.line.queue, q)
			b.line.mu.Unlock()
			return
		}
		b.clock.move(q.At)
		if err := b.line.tasks[q.name].Work(b.t.Context(), q.Ref); err != nil {
			b.t.Fatal(err)
		}
	}
}

// hook makes a webhook for a path of the receiver; change may say more.
func (b *bundle) hook(path string, change ...func(*model.CreateWebhookInput)) *model.Webhook {
	b.t.Helper()
	in := model.CreateWebhookInput{URL: b.receiver.URL + path}
	for _, c := range change {
		c(&in)
	}
	made, err := b.Create(b.ctx, in)
	if err != nil {
		b.t.Fatal(err)
	}
	return made.Webhook
}

func (b *bundle) get(id string) *model.Webhook {
	b.t.Helper()
	w, err := b.Get(b.ctx, id)
	if err != nil || w == nil {
		b.t.Fatal(w, err)
	}
	return w
}

// deliveries are those of a webhook, oldest first.
func (b *bundle) deliveries(id string) []*model.Delivery {
	b.t.Helper()
	var rows []*model.Delivery
	if err := b.db.NewSelect().Model(&rows).Where("webhook_id = ?", id).Order("position", "id").Scan(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	return rows
}

// count is how many of a webhook's deliveries stand where.
func (b *bundle) count(id string) map[model.DeliveryStatus]int {
	out := map[model.DeliveryStatus]int{}
	for _, d := range b.deliveries(id) {
		out[d.Status]++
	}
	return out
}

// receiver is a local https server that notes what it gets and answers as it is told, by path.
type receiver struct {
	*httptest.Server
	roots  *x509.CertPool
	mu     sync.Mutex
	got    []post
	answer map[string]func(http.ResponseWriter, *http.Request)
}

type post struct {
	path   string
	header http.Header
	body   string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{roots: x509.NewCertPool(), answer: map[string]func(http.ResponseWriter, *http.Request){}}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	r.roots.AddCert(r.Certificate())
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	r.got = append(r.got, post{request.URL.Path, request.Header, string(body)})
	answer := r.answer[request.URL.Path]
	r.mu.Unlock()
	if answer != nil {
		answer(w, request)
	}
}

// respond sets what a path answers from now on.
func (r *receiver) respond(path string, status int, header ...string) {
	r.serve(path, func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(cmp.Or(status, http.StatusOK))
	})
}

func (r *receiver) serve(path string, answer func(http.ResponseWriter, *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer[path] = answer
}

// posts are those to a path.
func (r *receiver) posts(path string) (out []post) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.got {
		if p.path == path {
			out = append(out, p)
		}
	}
	return out
}

// startOnQueue puts the room on the real queue, with the real clock.
func (b *bundle) startOnQueue() {
	b.t.Helper()
	if err := job.Migrate(b.t.Context(), b.db); err != nil {
		b.t.Fatal(err)
	}
	news := testkit.OpenLive(b.t, live.Config{})
	jobs, err := job.New(b.db, news, job.Config{Queues: map[string]int{webhook.Queue: webhook.Workers}})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Service = b.room(jobs, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	b.events = event.New(b.db, news, b.Follow)
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
