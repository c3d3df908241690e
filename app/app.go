// Package app builds the whole program by hand, in one readable order, and runs it.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/executive"
	"rostrum/domain/ingest"
	"rostrum/domain/link"
	"rostrum/domain/link/visitor"
	"rostrum/domain/persona"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/graph"
	"rostrum/job"
	"rostrum/live"
	"rostrum/llm"
	"rostrum/replay"
	"rostrum/rest"
)

// base is the floor that every command stands on: the database and Redis.
type base struct {
	db   *dbx.DB
	live *live.Live
}

func openBase(ctx context.Context, config Config) (*base, error) {
	if err := os.MkdirAll(config.DataDir, 0o755); err != nil {
		return nil, fmt.Errorf("make the data directory: %w", err)
	}
	db, err := dbx.Open(ctx, config.databaseAddress())
	if err != nil {
		return nil, err
	}
	news, err := live.Open(ctx, live.Config{Address: config.Redis, Namespace: config.Namespace})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &base{db: db, live: news}, nil
}

func (b *base) close() error { return errors.Join(b.live.Close(), b.db.Close()) }

// migrate brings the program's tables and the queue's up to date.
func migrate(ctx context.Context, db *dbx.DB) ([]string, error) {
	steps, err := db.Migrate(ctx)
	if err != nil {
		return nil, err
	}
	return steps, job.Migrate(ctx, db)
}

// App is the whole program, built and not yet running.
type App struct {
	*base
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
	webhooks   *webhook.Service
	tags       *tag.Service
	personas   *persona.Service
	audience   *audience.Service
	executives *executive.Service
	limiter    *live.Limiter
	answers    *replay.Service
	models     llm.Engine
	graph      *graph.Server
	rest       *rest.Adapter
	handler    http.Handler
	stop       context.CancelFunc
	running    sync.WaitGroup
}

// New opens the database, brings it up to date, and builds everything; Close ends what it opened.
func New(ctx context.Context, config Config) (*App, error) {
	floor, err := openBase(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := migrate(ctx, floor.db); err != nil {
		return nil, errors.Join(err, floor.close())
	}
	a := &App{base: floor, config: config, log: slog.Default()}
	if err := a.build(ctx); err != nil {
		return nil, errors.Join(err, floor.close())
	}
	return a, nil
}

// build fills the rooms from the floor up, then the doors.
func (a *App) build(ctx context.Context) error {
	if err := a.rooms(ctx); err != nil {
		return err
	}
	return a.doors()
}

// Handler answers every request of the program.
func (a *App) Handler() http.Handler { return a.handler }

// Start begins to work jobs and to hear news; Close ends it.
func (a *App) Start(ctx context.Context) error {
	ctx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := a.jobs.Start(ctx); err != nil {
		a.stop()
		a.stop = nil
		return fmt.Errorf("start jobs: %w", err)
	}
	a.running.Go(func() { a.accounts.Run(ctx) })
	a.running.Go(func() { a.answers.Run(ctx) })
	a.running.Go(func() { a.links.Run(ctx) })
	a.running.Go(func() { a.events.Run(ctx) })
	a.running.Go(func() { a.webhooks.Run(ctx) })
	return nil
}

// Close stops taking work, gives running jobs 20 seconds, returns the rest to the queue, and closes what New opened.
func (a *App) Close() error { return errors.Join(a.halt(), a.visitors.Close(), a.base.close()) }

// halt ends the work that Start began; the second time it does nothing.
func (a *App) halt() error {
	if a.stop == nil {
		return nil
	}
	err := a.jobs.Stop(context.Background())
	a.stop()
	a.stop = nil
	a.running.Wait()
	return err
}

// drainTime is how long open requests have to end at a shutdown.
const drainTime = 5 * time.Second

// serve runs the whole program until the context ends.
func serve(ctx context.Context, config Config) error {
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
	server := &http.Server{
		Handler: a.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return requests },
	}
	server.RegisterOnShutdown(end) // open streams end at once; their watchers resume by position
	server.RegisterOnShutdown(a.graph.Stop)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	a.greet(ctx)
	debug.FreeOSMemory() // what building the schema, the operations and their description took would else stay with the process
	select {
	case err = <-failed:
	case <-ctx.Done():
		slog.Info("shutting down; running jobs have 20 seconds")
	}
	drained := make(chan error, 1)
	go func() { drained <- shutdown(server) }()
	return errors.Join(ignoreClosed(err), a.halt(), <-drained, a.Close())
}

func shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// work runs jobs and nothing else until the context ends.
func work(ctx context.Context, config Config) error {
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
