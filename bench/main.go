// Command bench measures what the project claims about its speed: reads beside a hand-written handler, redirects beside
// a bare one, deliveries beside a bare loop, comms filters, reactions, executives, the delays of ingestion, and events to many subscribers.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// settings are the command line.
type settings struct {
	database    string
	seconds     float64
	connections int
	documents   int
	reads       bool
	write       bool
	fanOut      bool
}

// standardServer is where a development machine has its Postgres.
const standardServer = "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

func parse() (settings, error) {
	var s settings
	flag.StringVar(&s.database, "database", cmp.Or(os.Getenv("TEST_DATABASE_URL"), standardServer), "address of a Postgres server on which a database can be made; its parameters hold for the gateway too")
	flag.Float64Var(&s.seconds, "seconds", 1.5, "length of one slice of load")
	flag.IntVar(&s.connections, "connections", 16, "connections that send at once")
	flag.IntVar(&s.documents, "documents", 10_000, "documents in each of the ten workspaces, at least 50")
	flag.BoolVar(&s.reads, "reads", false, "measure reads only, which is bounded also with a million documents")
	flag.BoolVar(&s.write, "write", false, "also write "+resultsFile)
	flag.BoolVar(&s.fanOut, "fanout", false, "measure events to subscribers and nothing else")
	flag.Parse()
	if s.documents < rows || s.connections < 1 || s.seconds <= 0 || flag.NArg() > 0 {
		return s, fmt.Errorf("it takes at least %d documents, one connection and a positive time, and no arguments", rows)
	}
	return s, nil
}

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
	s, err := parse()
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
	if err := r.follows(ctx, g, "Postgres"); err != nil {
		return err
	}
	found, err := delays(ctx, g, "Postgres", 10*time.Millisecond)
	if err != nil {
		return err
	}
	r.delays = append(r.delays, found...)
	if err := r.onBackfill(ctx, g, "Postgres"); err != nil {
		return err
	}
	if err := r.onReactions(ctx, g, "Postgres"); err != nil {
		return err
	}
	if err := r.onExecutive(ctx, g, db.address, "Postgres"); err != nil {
		return err
	}
	if err := r.onWebhooks(ctx); err != nil {
		return err
	}
	return r.onFanOut(ctx)
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
	if err := r.follows(ctx, g, "SQLite"); err != nil {
		return err
	}
	found, err := delays(ctx, g, "SQLite", 50*time.Millisecond)
	if err != nil {
		return err
	}
	r.delays = append(r.delays, found...)
	if err := r.onBackfill(ctx, g, "SQLite"); err != nil {
		return err
	}
	if err := r.onReactions(ctx, g, "SQLite"); err != nil {
		return err
	}
	return r.onExecutive(ctx, g, g.file(), "SQLite")
}

// progress tells, beside the report, what takes the time.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}
