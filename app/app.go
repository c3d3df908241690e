package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/brand"
	"rostrum/domain/bulk"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/executive"
	"rostrum/domain/house"
	"rostrum/domain/ingest"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/domain/mail"
	"rostrum/domain/notice"
	"rostrum/domain/operation"
	"rostrum/domain/party"
	"rostrum/domain/passage"
	"rostrum/domain/persona"
	"rostrum/domain/search"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/errs"
	"rostrum/graph"
	"rostrum/llm"
	"rostrum/platform/blob"
	"rostrum/platform/idempotency"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/seal"
	"rostrum/platform/slot"
	"rostrum/platform/web"
	"rostrum/rest"
)

// stores holds the database, Redis and the files, which every command opens.
type stores struct {
	db     *dbx.DB
	live   *live.Live
	files  *blob.Store
	unlock func() error // releases the data directory
}

func openStores(ctx context.Context, config Config) (*stores, error) {
	if err := makeDataDir(config.DataDir); err != nil {
		return nil, err
	}
	files, err := blob.Open(ctx, config.BlobURL, filepath.Join(config.DataDir, "blobs"))
	if err != nil {
		return nil, err
	}
	db, err := dbx.Open(ctx, config.databaseAddress(), slot.New)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	redis, err := live.Open(ctx, live.Config{Address: config.Redis, Namespace: config.Namespace})
	if err != nil {
		return nil, errors.Join(err, db.Close(), files.Close())
	}
	return &stores{db: db, live: redis, files: files, unlock: func() error { return nil }}, nil
}

// makeDataDir creates the data directory, which only this user may read.
func makeDataDir(folder string) error {
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.Chmod(folder, 0o700)); err != nil { //nolint:gosec // a directory needs x
		return fmt.Errorf("make the data directory: %w", err)
	}
	return nil
}

func (b *stores) closeAll() error {
	return errors.Join(b.live.Close(), b.db.Close(), b.files.Close(), b.unlock())
}

// openLocked opens the stores for a process that serves requests or runs jobs.
func openLocked(ctx context.Context, config Config) (*stores, error) {
	if err := makeDataDir(config.DataDir); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(config)
	if err != nil {
		return nil, err
	}
	base, err := openStores(ctx, config)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	base.unlock = unlock
	return base, nil
}

// migrateSchema migrates the program's and the queue's tables, and returns the applied migrations. It
// returns an error, and changes nothing, if this release would break a registered operation.
func migrateSchema(ctx context.Context, db *dbx.DB) ([]string, error) {
	if err := refuseBroken(ctx, db); err != nil {
		return nil, err
	}
	steps, err := db.Migrate(ctx)
	if err != nil {
		return nil, err
	}
	return steps, job.Migrate(ctx, db)
}

// App is the assembled program.
type App struct {
	*stores
	config     Config
	log        *slog.Logger
	accounts   *account.Service
	documents  *document.Service
	events     *event.Service
	content    *content.Service
	jobs       *job.Service
	ingest     *ingest.Service
	visitors   *visitor.Reader
	links      *link.Service
	brands     *brand.Service
	mails      *mail.Service
	notices    *notice.Service
	operations *operation.Service
	bulk       *bulk.Service
	parties    *party.Service
	passages   *passage.Service
	house      *house.Service
	searches   *search.Service
	sealer     *seal.Sealer
	webhooks   *webhook.Service
	tags       *tag.Service
	personas   *persona.Service
	audience   *audience.Service
	executives *executive.Service
	limiter    *live.Limiter
	answers    *idempotency.Service
	models     llm.Engine
	judge      llm.Judge
	embedder   llm.Embedder // nil without an embedding model
	graph      *graph.Server
	rest       *rest.Adapter
	handler    http.Handler
	bodies     *web.BodyBudget
	stop       context.CancelFunc
	running    sync.WaitGroup
	draining   atomic.Bool                // the process stops; readyz responds with 503
	outdated   atomic.Pointer[errs.Error] // why the process writes no more; nil if it does
}

// New opens the database, migrates it, and builds the program. Close releases all resources.
func New(ctx context.Context, config Config) (*App, error) {
	stores, err := openLocked(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := migrateSchema(ctx, stores.db); err != nil {
		return nil, errors.Join(err, stores.closeAll())
	}
	a := &App{stores: stores, config: config, log: slog.Default(), bodies: web.NewBodyBudget(bodyBytes())}
	if err := a.buildAll(ctx); err != nil {
		return nil, errors.Join(err, stores.closeAll())
	}
	return a, nil
}

// buildAll builds the services and then the transports.
func (a *App) buildAll(ctx context.Context) error {
	if err := a.buildServices(ctx); err != nil {
		return err
	}
	if err := a.webhooks.CheckSeal(ctx); err != nil {
		return err
	}
	if err := a.parties.Backfill(ctx); err != nil {
		return err
	}
	if err := a.operations.Load(ctx); err != nil {
		return err
	}
	return a.buildTransports()
}

// Handler returns the handler of all requests.
func (a *App) Handler() http.Handler { return a.handler }

// Start starts job workers and subscriptions. Close stops them.
func (a *App) Start(ctx context.Context) error {
	ctx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := a.jobs.Start(ctx); err != nil {
		a.stop()
		a.stop = nil
		return fmt.Errorf("start jobs: %w", err)
	}
	a.running.Go(func() { a.accounts.Run(ctx) })
	a.running.Go(func() { a.answers.Run(ctx) })
	a.running.Go(func() { a.bulk.Run(ctx) })
	a.running.Go(func() { a.documents.Run(ctx) })
	a.running.Go(func() { a.ingest.Run(ctx) })
	a.running.Go(func() { a.links.Run(ctx) })
	a.running.Go(func() { a.notices.Run(ctx) })
	a.running.Go(func() { a.operations.Run(ctx) })
	a.running.Go(func() { a.parties.Run(ctx) })
	a.running.Go(func() { a.passages.Run(ctx) })
	a.running.Go(func() { a.events.Run(ctx) })
	a.running.Go(func() { a.webhooks.Run(ctx) })
	a.running.Go(func() { a.watchSchema(ctx) })
	return nil
}

// Close closes the sockets, stops taking jobs, and waits up to 20 seconds for running jobs. It
// returns the others to the queue and closes all resources that New opened. No goroutine of the app
// remains.
func (a *App) Close() error {
	a.graph.Stop()
	return errors.Join(a.stopWork(func() {}), a.visitors.Close(), a.stores.closeAll())
}

// stopWork stops everything that Start started. Jobs stop while drain runs; what open requests need
// stops after it. Further calls have no effect.
func (a *App) stopWork(drain func()) error {
	if a.stop == nil {
		return nil
	}
	stopped := make(chan error, 1)
	go func() { stopped <- a.jobs.Stop(context.Background()) }()
	drain()
	err := <-stopped
	a.stop()
	a.stop = nil
	a.running.Wait()
	return err
}

// maxHeader is the largest header of a request in bytes, with its address.
const maxHeader = 32 << 10

// maxStreams is the number of concurrent requests on one connection of HTTP/2.
const maxStreams = 100

// limitedServer is an HTTP server with limits for headers and writes. It serves HTTP/1.1, and
// HTTP/2 without TLS to clients that begin with it, for example proxies. Its drainer shuts it down.
type limitedServer struct {
	*http.Server
	*drainer
}

func newServer(handler http.Handler) limitedServer {
	server := &http.Server{
		Handler: web.PaceStreams(handler), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: maxHeader,
		Protocols:      new(http.Protocols), HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	return limitedServer{server, newDrainer(server)}
}

// Serve serves a listener's connections until the server is shut down; see [http.Server.Serve].
func (s limitedServer) Serve(l net.Listener) error {
	return s.Server.Serve(s.listen(web.NewListener(l)))
}

// serveRequests runs the program until the context ends.
func serveRequests(ctx context.Context, config Config) error {
	limitMemory()
	slog.SetDefault(slog.New(config.Log.newHandler(os.Stderr)))
	a, err := New(ctx, config)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", config.Addr)
	if err != nil {
		return errors.Join(fmt.Errorf("listen: %w", err), a.Close())
	}
	if err := a.Start(ctx); err != nil {
		return errors.Join(err, listener.Close(), a.Close())
	}
	requests, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	server := newServer(a.handler)
	server.BaseContext = func(net.Listener) context.Context { return requests }
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	a.printBanner(ctx)
	debug.FreeOSMemory() // releases the memory that building the schema, the operations and OpenAPI needed
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.draining.Store(true)
		slog.Info("shutting down; open requests and running jobs have 20 seconds", "delay", config.ShutdownDelay)
		time.Sleep(config.ShutdownDelay)
	}
	var drained error
	stopped := a.stopWork(func() {
		a.graph.Stop() // open streams end at once; their clients resume by position
		drained = server.drain()
		end() // requests that did not finish in time
	})
	return errors.Join(ignoreClosed(err), stopped, drained, a.Close())
}

// drain closes the listener and waits for requests that have begun, at most drainTime.
func (s limitedServer) drain() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	return s.shutdown(ctx)
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// workJobs only runs jobs, until the context ends.
func workJobs(ctx context.Context, config Config) error {
	limitMemory()
	slog.SetDefault(slog.New(config.Log.newHandler(os.Stderr)))
	a, err := New(ctx, config)
	if err != nil {
		return err
	}
	if err := a.Start(ctx); err != nil {
		return errors.Join(err, a.Close())
	}
	slog.Info("working jobs")
	<-ctx.Done()
	slog.Info("shutting down; running jobs have 20 seconds")
	return a.Close()
}
