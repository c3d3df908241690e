// Command bench measures the project's performance claims: reads in comparison with hand-written
// handlers and among a million documents, redirects and deliveries in comparison with minimal
// loops, comms filters, reactions, executives, ingestion, and events to many subscribers.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"rostrum/app"
)

func main() {
	app.ServeExtraction()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	err := runCommand(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// runCommand runs the measurements, or a process of one when the environment asks for it.
func runCommand(ctx context.Context) error {
	if task := os.Getenv(subscriberVariable); task != "" {
		return runSubscribers(ctx, task)
	}
	if address := os.Getenv(handWrittenVariable); address != "" {
		return serveHandWritten(ctx, address, os.Getenv("DATABASE_URL"), os.Getenv("CONNECTIONS"))
	}
	return runMeasurements(ctx)
}

func runMeasurements(ctx context.Context) error {
	s, err := readSettings()
	if err != nil {
		return err
	}
	r := &report{date: time.Now(), settings: s}
	if s.only != "" {
		return r.measureOnly(ctx, s.only)
	}
	if err := r.measurePostgres(ctx); err != nil {
		return err
	}
	if err := r.measureGrowth(ctx); err != nil {
		return err
	}
	if r.selection, err = benchmarkSelection(ctx); err != nil {
		return err
	}
	if r.start, err = measureStart(ctx); err != nil {
		return err
	}
	if !s.reads {
		if err := r.measureSQLite(ctx); err != nil {
			return err
		}
	}
	fmt.Print("\n" + r.text())
	if s.write {
		return r.write()
	}
	return nil
}

// measureOnly takes one measurement and prints it.
func (r *report) measureOnly(ctx context.Context, name string) error {
	switch name {
	case onlyFanOut:
		err := r.measureFanOut(ctx)
		if err == nil {
			fmt.Print(r.fanning.text())
		}
		return err
	case onlyGrowth:
		err := r.measureGrowth(ctx)
		if err == nil {
			fmt.Print(trimLines(r.growth.text()))
		}
		return err
	case onlyPeers:
		return r.measurePeers(ctx)
	case onlyScale:
		err := r.measureScale(ctx)
		if err == nil {
			fmt.Print(r.scaleText())
		}
		return err
	}
	measure, write := r.measureBursts, r.burstText
	switch name {
	case onlyIntake:
		measure, write = r.measureIngestion, r.ingestText
	case onlyRedirects:
		measure, write = r.measureRedirects, r.writeLinks
	}
	for _, database := range []string{r.settings.database, ""} {
		if err := measureOn(ctx, database, measure); err != nil {
			return err
		}
	}
	var b strings.Builder
	write(&b)
	fmt.Print(b.String())
	return nil
}

// measureOn takes a measurement on a temporary database of a server, or on SQLite if it is empty.
func measureOn(ctx context.Context, server string,
	measure func(ctx context.Context, g *gateway, database string) error) (err error) {
	address, name := "", "SQLite"
	if server != "" {
		db, failure := createDatabase(ctx, server)
		if failure != nil {
			return failure
		}
		defer func() { err = errors.Join(err, db.drop(ctx)) }()
		address, name = db.address, "Postgres"
	}
	g, err := openGateway(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(measure(ctx, g, name), g.close())
}

// measurePostgres measures on Postgres, in a temporary database.
func (r *report) measurePostgres(ctx context.Context) (err error) {
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
	if err := r.measureReads(ctx, g, db.address); err != nil || r.settings.reads {
		return err
	}
	if r.authentication, err = measureAuthentication(ctx, g); err != nil {
		return err
	}
	if err := r.measureDatabase(ctx, g, "Postgres", db.address, 10*time.Millisecond); err != nil {
		return err
	}
	if err := r.measureWebhooks(ctx); err != nil {
		return err
	}
	if err := r.measureFanOut(ctx); err != nil {
		return err
	}
	return r.measureScale(ctx)
}

// measureDatabase measures the claims that apply to both databases; start limits the time from
// enqueueing to a worker's start.
func (r *report) measureDatabase(ctx context.Context, g *gateway, database, address string, start time.Duration) error {
	if err := r.measureRedirects(ctx, g, database); err != nil {
		return err
	}
	if err := r.measureIngestion(ctx, g, database); err != nil {
		return err
	}
	found, err := measureIngestDelays(ctx, g, database, start)
	if err != nil {
		return err
	}
	r.delays = append(r.delays, found...)
	if err := r.measureBackfill(ctx, g, database); err != nil {
		return err
	}
	if err := r.measureReactions(ctx, g, database); err != nil {
		return err
	}
	if err := r.measureBursts(ctx, g, database); err != nil {
		return err
	}
	return r.measureExecutive(ctx, g, address, database)
}

// measureExecutive measures an executive's details.
func (r *report) measureExecutive(ctx context.Context, g *gateway, address, database string) error {
	found, err := compareDetails(ctx, g, address, database)
	r.details = append(r.details, found...)
	return err
}

// measureWebhooks measures deliveries in a separate database, where no gateway competes for them.
func (r *report) measureWebhooks(ctx context.Context) (err error) {
	db, err := createDatabase(ctx, r.settings.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.drop(ctx)) }()
	r.webhooks, err = measureWebhooks(ctx, db.address)
	return err
}

// measureScale compares three gateways with one in a separate database, where this process may
// limit the processor time of others.
func (r *report) measureScale(ctx context.Context) (err error) {
	if !hasCPUQuotas() {
		return nil
	}
	db, err := createDatabase(ctx, r.settings.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.drop(ctx)) }()
	r.scale, err = measureScale(ctx, db.address)
	return err
}

// scaleText returns the report on processes, or that they were not measured.
func (r *report) scaleText() string {
	if r.scale == nil {
		return "\nProcesses: not measured, as control groups of Linux cannot be created here.\n"
	}
	return r.scale.text()
}

// measureFanOut measures events to subscribers in a separate database.
func (r *report) measureFanOut(ctx context.Context) (err error) {
	db, err := createDatabase(ctx, r.settings.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.drop(ctx)) }()
	r.fanning, err = measureFanOut(ctx, db.address)
	return err
}

// measureReads seeds the workspaces and runs the comparisons.
func (r *report) measureReads(ctx context.Context, g *gateway, address string) error {
	pool, err := openPool(ctx, address)
	if err != nil {
		return err
	}
	defer pool.Close()
	tenants, err := g.createTenants(ctx)
	if err != nil {
		return err
	}
	if err := seedWorkspaces(ctx, pool, tenants, r.settings.documents); err != nil {
		return err
	}
	if r.matches, err = compareReads(ctx, g, pool, tenants, r.settings); err != nil {
		return err
	}
	if r.settings.reads {
		return nil
	}
	if r.filtering, err = compareFilters(ctx, g, pool, r.settings); err != nil {
		return err
	}
	r.parities, err = comparePersonas(ctx, g, tenants, r.settings)
	return err
}

// measureRedirects measures the redirects of short links.
func (r *report) measureRedirects(ctx context.Context, g *gateway, database string) error {
	found, err := measureRedirects(ctx, g, database, r.settings.seconds)
	if err == nil {
		r.redirects = append(r.redirects, found)
	}
	return err
}

func (r *report) measureBackfill(ctx context.Context, g *gateway, database string) error {
	s, err := measureBackfill(ctx, g, database)
	r.sweeps = append(r.sweeps, s)
	return err
}

// measureSQLite measures on SQLite, where redirects, the delays of jobs and the time of a backfill
// have claims.
func (r *report) measureSQLite(ctx context.Context) (err error) {
	g, err := openGateway(ctx, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	return r.measureDatabase(ctx, g, "SQLite", g.databaseFile(), 50*time.Millisecond)
}

// logProgress prints the current measurement to standard error.
func logProgress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}
