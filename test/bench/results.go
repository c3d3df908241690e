package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// resultsFile is written from the repository's root, plots into the folder plot next to it.
const resultsFile, plotFolder = "test/bench/RESULTS.md", "plot"

// write writes the report and its plots to the repository.
func (r *report) write() error {
	plots, err := r.plots()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, preface, r.settings.command)
	for _, p := range plots {
		file := filepath.Join(filepath.Dir(resultsFile), plotFolder, p.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("write a plot (run from the repository's root): %w", err)
		}
		if err := os.WriteFile(file, p.svg, 0o644); err != nil {
			return fmt.Errorf("write a plot: %w", err)
		}
		fmt.Fprintf(&b, "![%s](%s/%s)\n\n", p.title, plotFolder, p.file)
	}
	b.WriteString("```\n" + r.text() + "```\n")
	if err := os.WriteFile(resultsFile, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write the results (run from the repository's root): %w", err)
	}
	return nil
}

// preface precedes the plots and the tables; its argument is the command that measured them.
const preface = `# Measured speed

` + "`make bench`" + ` prints these tables; ` + "`go run ./bench -write`" + ` also writes this file and its plots, and ` + "`-help`" + ` lists the
settings. This file was written by ` + "`%s`" + `.
It needs a Postgres server (` + "`-database` or `TEST_DATABASE_URL`" + `), creates temporary databases there and drops them. Run it on an otherwise idle machine
with 3 GB of free disk space.

The hand-written handler is net/http, pgx, structs and encoding/json for these responses alone, without keys, limits or checks, and counts with
count(*) (` + "`baseline.go`" + `). It is compared with the same responses as one statement that builds JSON in Postgres (` + "`baseline_json.go`" + `) and, as an
upper bound, as the bytes of pgx's rows appended to JSON without structs, with all statements of a response in one batch (` + "`baseline_wire.go`" + `).
Before the measurement every candidate must return the same data, and each response under load must be a success with all its documents.
REST is measured where the shape is the body of one of its operations: its document has text and auto-tags, its light list auto-tags and the
total, and GraphQL selects the same. Rates include the load generator, which shares the CPUs, and so does the CPU of 1,000 requests;
neither includes Postgres's CPU time.

`
