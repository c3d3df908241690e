// Command bench measures what the project claims about its speed: reads beside hand-written handlers and in a million documents, redirects
// beside a bare one, deliveries beside a bare loop, comms filters, reactions, executives, ingestion, and events to many subscribers.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	err := act(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// act runs the measurements, or the part of them that a process of subscribers plays.
func act(ctx context.Context) error {
	if task := os.Getenv(subscribingVariable); task != "" {
		return subscribe(ctx, task)
	}
	return run(ctx)
}

func run(ctx context.Context) error {
	s, err := readSettings()
	if err != nil {
		return err
	}
	r := &report{date: time.Now(), settings: s}
	if s.fanOut {
		err := r.onFanOut(ctx)
		if err == nil {
			fmt.Print(r.fanning.text())
		}
		return err
	}
	if err := r.onServer(ctx); err != nil {
		return err
	}
	if err := r.onGrowth(ctx); err != nil {
		return err
	}
	if r.selection, err = selected(ctx); err != nil {
		return err
	}
	if r.start, err = start(ctx); err != nil {
		return err
	}
	if !s.reads {
		if err := r.onFile(ctx); err != nil {
			return err
		}
	}
	fmt.Print("\n" + r.text())
	if s.write {
		return r.write()
	}
	return nil
}

// onServer measures on Postgres, in a database that is gone afterwards.
func (r *report) onServer(ctx context.Context) (err error) {
	db, err := createDatabase(ctx, r.settings.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.drop(ctx)) }()
	r.server = db.version
	g, err := openGateway(ctx, db.address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	if err := r.onReads(ctx, g, db.address); err != nil || r.settings.reads {
		return err
	}
	if r.admits, err = admit(ctx, g); err != nil {
		return err
	}
	if err := r.onEither(ctx, g, "Postgres", db.address, 10*time.Millisecond); err != nil {
		return err
	}
	if err := r.onWebhooks(ctx); err != nil {
		return err
	}
	return r.onFanOut(ctx)
}

// onEither measures what is claimed of both databases; start is what may pass from enqueueing to a worker's start.
func (r *report) onEither(ctx context.Context, g *gateway, database, address string, start time.Duration) error {
	if err := r.follows(ctx, g, database); err != nil {
		return err
	}
	if err := r.onIntake(ctx, g, database); err != nil {
		return err
	}
	found, err := delays(ctx, g, database, start)
	if err != nil {
		return err
	}
	r.delays = append(r.delays, found...)
	if err := r.onBackfill(ctx, g, database); err != nil {
		return err
	}
	if err := r.onReactions(ctx, g, database); err != nil {
		return err
	}
	return r.onExecutive(ctx, g, address, database)
}

// onExecutive measures what is told of an executive.
func (r *report) onExecutive(ctx context.Context, g *gateway, address, database string) error {
	found, err := details(ctx, g, address, database)
	r.details = append(r.details, found...)
	return err
}

// onWebhooks measures deliveries in a database of their own, where no gateway takes any of them.
func (r *report) onWebhooks(ctx context.Context) (err error) {
	db, err := createDatabase(ctx, r.settings.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.drop(ctx)) }()
	r.webhooks, err = deliveries(ctx, db.address)
	return err
}

// onFanOut measures events to subscribers in a database of their own.
func (r *report) onFanOut(ctx context.Context) (err error) {
	db, err := createDatabase(ctx, r.settings.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.drop(ctx)) }()
	r.fanning, err = fanOut(ctx, db.address)
	return err
}

// onReads seeds the workspaces and plays the comparisons.
func (r *report) onReads(ctx context.Context, g *gateway, address string) error {
	pool, err := openPool(ctx, address)
	if err != nil {
		return err
	}
	defer pool.Close()
	places := make([]*place, workspaces)
	for i := range places {
		if places[i], err = g.place(ctx, fmt.Sprintf("Workspace %d", i+1)); err != nil {
			return err
		}
	}
	progress("seeding %d × %d documents", workspaces, r.settings.documents)
	if err := seed(ctx, pool, places, r.settings.documents); err != nil {
		return err
	}
	if r.matches, err = compare(ctx, g, pool, places, r.settings); err != nil {
		return err
	}
	if r.settings.reads {
		return nil
	}
	if r.filtering, err = compareFilters(ctx, g, pool, r.settings); err != nil {
		return err
	}
	r.parities, err = parities(ctx, g, places, r.settings)
	return err
}

// follows measures what following a short link costs.
func (r *report) follows(ctx context.Context, g *gateway, database string) error {
	found, err := redirect(ctx, g, database, r.settings.seconds)
	if err == nil {
		r.redirects = append(r.redirects, found)
	}
	return err
}

func (r *report) onBackfill(ctx context.Context, g *gateway, database string) error {
	s, err := backfill(ctx, g, database)
	r.sweeps = append(r.sweeps, s)
	return err
}

// onFile measures on SQLite, where redirects, the delays of jobs and the time of a backfill are claimed.
func (r *report) onFile(ctx context.Context) (err error) {
	g, err := openGateway(ctx, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	return r.onEither(ctx, g, "SQLite", g.file(), 50*time.Millisecond)
}

// progress tells, beside the report, what takes the time.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}
