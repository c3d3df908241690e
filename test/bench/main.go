// Command bench measures the program's speed as ratios: reads beside a hand-written handler and
// among a million documents, short links and webhooks beside minimal loops, the intake of texts and
// pages, events to many subscribers, the start, and other GraphQL servers on the same tables.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
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

// runCommand takes the measurements, or runs a process of one when the environment asks for it.
func runCommand(ctx context.Context) error {
	if task := os.Getenv(subscriberVariable); task != "" {
		return runSubscribers(ctx, task)
	}
	if address := os.Getenv(handWrittenVariable); address != "" {
		return serveHandWritten(ctx, address, os.Getenv("DATABASE_URL"), os.Getenv("CONNECTIONS"))
	}
	s, err := readSettings()
	if err != nil {
		return err
	}
	if s.only == onlyPeers {
		return measurePeers(ctx, s)
	}
	return takeMeasurements(ctx, s)
}

// result is the text of a measurement, with its plots.
type result struct {
	text  string
	plots []plot
}

// measurements are taken in this order. The comparison with other servers is taken only if it is
// asked for, because it installs them.
var measurements = []struct {
	name, about string
	measure     func(context.Context, settings) (result, error)
}{
	{"reads", "responses of the graph and of REST beside a hand-written handler", measureReads},
	{"growth", "a long list, search and facets", measureGrowth},
	{"search", "searches of a long list", measureSearch},
	{"bulk", "a list as a file, beside another workspace", measureBulk},
	{"start", "the start of the program", measureStart},
	{"redirects", "short links", measureRedirects},
	{"intake", "texts and pages", measureIntake},
	{"deliveries", "webhooks", measureDeliveries},
	{"fanout", "events to subscribers", measureFanOut},
}

// takeMeasurements takes all measurements, or the only one of the settings, and prints them. The
// settings decide whether it also writes them.
func takeMeasurements(ctx context.Context, s settings) error {
	version, err := serverVersion(ctx, s.database)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s · %s\n%s\n", time.Now().UTC().Format(time.DateOnly), describeMachine(),
		moduleVersions(version))
	var plots []plot
	for _, m := range measurements {
		if s.only != "" && s.only != m.name {
			continue
		}
		logProgress("%s: %s", m.name, m.about)
		found, err := m.measure(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		text, plots = text+"\n"+trimLines(found.text), append(plots, found.plots...)
	}
	fmt.Print("\n" + text)
	if s.write {
		return writeResults(s.command, text, plots)
	}
	return nil
}

// resultsFile is written from the repository's root, plots into the folder plot next to it.
const resultsFile, plotFolder = "test/bench/RESULTS.md", "plot"

// writeResults writes the text and the plots to the repository.
func writeResults(command, text string, plots []plot) error {
	var b strings.Builder
	fmt.Fprintf(&b, preface, command)
	for _, p := range plots {
		file := filepath.Join(filepath.Dir(resultsFile), plotFolder, p.file)
		if err := os.WriteFile(file, p.svg, 0o644); err != nil {
			return fmt.Errorf("write a plot (run from the repository's root): %w", err)
		}
		fmt.Fprintf(&b, "![%s](%s/%s)\n\n", p.title, plotFolder, p.file)
	}
	b.WriteString("```\n" + text + "```\n")
	if err := os.WriteFile(resultsFile, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write the results (run from the repository's root): %w", err)
	}
	return nil
}

// preface precedes the plots and the tables; its argument is the command that measured them.
const preface = `# Measured speed

` + "`make bench`" + ` prints these tables; ` + "`go run ./test/bench -write`" + ` also writes this file and its plots, and ` + "`-help`" + ` lists the
settings. This file was written by ` + "`%s`" + `.
It needs a Postgres server (` + "`-database` or `TEST_DATABASE_URL`" + `), creates temporary databases there and drops them. Run it on an otherwise idle machine
with 3 GB of free disk space.

The hand-written handler is net/http, pgx, structs and encoding/json for these responses alone, without keys, limits or checks, and counts with
count(*) (` + "`baseline.go`" + `). Before the measurement every candidate must return the same data, and each response under load must be a
success with all its documents. REST is measured where the shape is the body of one of its operations: its document has text and auto-tags,
its light list auto-tags and the total, and GraphQL selects the same. Vegeta sends the load. Rates include it, as it shares the CPUs, and
so does the CPU of 1,000 requests; neither includes Postgres's CPU time. A ratio is the median of the rounds with its interval of 95 %%.

`

// trimLines removes the spaces that empty last cells of a table leave at the ends of lines.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// logProgress prints the current measurement to standard error.
func logProgress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}
