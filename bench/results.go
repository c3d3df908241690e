package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// resultsFile is written from the repository's root, plots into the folder beside it.
const resultsFile, plotFolder = "bench/RESULTS.md", "plot"

// write keeps the report for readers of the repository.
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
			return fmt.Errorf("write a plot, which is done from the repository's root: %w", err)
		}
		if err := os.WriteFile(file, p.svg, 0o644); err != nil {
			return fmt.Errorf("write a plot: %w", err)
		}
		fmt.Fprintf(&b, "![%s](%s/%s)\n\n", p.title, plotFolder, p.file)
	}
	b.WriteString("```\n" + r.text() + "```\n")
	if err := os.WriteFile(resultsFile, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write the results, which is done from the repository's root: %w", err)
	}
	return nil
}

// preface stands before the plots and the tables; it takes the command that measured them.
const preface = `# Measured speed

` + "`make bench`" + ` prints these tables anew; ` + "`go run ./bench -write`" + ` also writes this file and its plots, and ` + "`-help`" + ` lists what can be
varied. This file is what ` + "`%s`" + ` wrote.
It needs a Postgres server (` + "`-database` or `TEST_DATABASE_URL`" + `), makes databases of its own there and drops them; give it a machine that does
nothing else, and 3 GB of disk.

The hand-written handler is net/http, pgx, structs and encoding/json for these answers alone, without keys, limits or checks, and counts with
count(*) (` + "`baseline.go`" + `). Beside it stand the same answers as one statement that makes JSON in Postgres (` + "`baseline_json.go`" + `) and, as the
ceiling, as the bytes of pgx's rows appended to JSON without structs, all statements of an answer sent as one batch (` + "`baseline_wire.go`" + `).
Every contender first proves that its answer holds the same data, and each answer under load must be a success with all its documents.
REST stands where the shape is the body of one of its operations: its document carries text and auto-tags, its light list auto-tags and the
total, and GraphQL is asked for the same. Rates include the load generator, which shares the CPUs, and so does the CPU of 1,000 requests;
Postgres's part is in neither.

`
