package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"rostrum/app"
)

// The claims for a bulk query of a million documents: its time, the memory that the process takes
// more, and the p99 of another workspace in the multiple of an idle gateway's.
const (
	bulkRate   = 1_000_000 / 60 // documents per second
	bulkMemory = 100 << 20
	bulkOthers = 2
)

// bulkText is the query whose rows are written into a file.
const bulkText = "{ documents { nodes { id title company { id name } createdAt wordCount } } }"

// otherList is what the other workspace reads.
const otherList = "query ($first: Int!) { documents(first: $first) { documents: nodes { " + documentFields + " } } }"

// bulkRun is a bulk query on one database.
type bulkRun struct {
	*growthDatabase
	other        *seededWorkspace
	idle, beside *candidate
	took         time.Duration
	memory       int64 // that the process took more at most
}

// measureBulk writes the documents of a long list into a file on each database, while another
// workspace reads.
func measureBulk(ctx context.Context, s settings) (result, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Bulk: documents are written into a file, while %d connections read the first %d of another workspace.\n\n",
		s.connections[0], listSize)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "database\tdocuments\tdocuments/s\tclaim\tmemory MB\tclaim\tother p99 ms, idle\tduring\tclaim\t")
	err := withGrowthDatabase(ctx, s.database, s.large, func(g *growthDatabase) error {
		return bulkIn(ctx, s, t, "Postgres", g)
	})
	if err == nil {
		err = withGateway(ctx, app.Config{QueryTime: growthQueryTime}, func(gate *gateway) (err error) {
			g := &growthDatabase{documents: s.count(fileDocuments), gateway: gate}
			if g.workspace, err = gate.createWorkspace(ctx, "Bulk"); err != nil {
				return err
			}
			logProgress("posting %d documents", g.documents)
			in := intake{gate.base, g.workspace.key, newGenerator(uint64(g.documents))}
			if err := in.postShort(ctx, g.documents); err != nil {
				return err
			}
			return bulkIn(ctx, s, t, "SQLite", g)
		})
	}
	t.Flush()
	return result{text: b.String()}, err
}

// bulkIn runs the bulk query in a database and adds its row to the table.
func bulkIn(ctx context.Context, s settings, table *tabwriter.Writer, database string, g *growthDatabase) (err error) {
	r := &bulkRun{growthDatabase: g}
	if r.other, err = g.gateway.createWorkspace(ctx, "Other"); err != nil {
		return err
	}
	in := intake{g.gateway.base, r.other.key, newGenerator(1)}
	if err := in.postShort(ctx, listSize); err != nil {
		return err
	}
	logProgress("bulk query on %s", database)
	list := graphRequest(g.gateway.base, r.other, listSize, otherList, map[string]any{"first": listSize})
	r.idle = &candidate{name: "other, idle", requests: []request{list}}
	r.beside = &candidate{name: "other, during", requests: []request{list}}
	if err := r.idle.warmUp(ctx, s.connections[0], s.slice()); err != nil {
		return err
	}
	for range s.rounds() {
		if _, err := r.idle.measure(ctx, s.connections[0], s.slice()); err != nil {
			return err
		}
	}
	if err := r.run(ctx, s); err != nil {
		return err
	}
	rate := float64(g.documents) / r.took.Seconds()
	idle, beside := quantile(r.idle.times, 0.99), quantile(r.beside.times, 0.99)
	logProgress("%s: %d documents in %s, %d MB more, p99 of the other workspace %s idle and %s during", database, g.documents,
		r.took.Round(time.Millisecond), r.memory>>20, formatMilliseconds(idle), formatMilliseconds(beside))
	fmt.Fprintf(table, "%s\t%d\t%.0f\tat least %d: %s\t", database, g.documents, rate, bulkRate, formatVerdict(rate >= bulkRate))
	fmt.Fprintf(table, "%d\tat most %d: %s\t", r.memory>>20, bulkMemory>>20, formatVerdict(r.memory <= bulkMemory))
	fmt.Fprintf(table, "%s\t%s\tat most %d times: %s\t\n", formatMilliseconds(idle), formatMilliseconds(beside), bulkOthers,
		formatVerdict(beside <= bulkOthers*idle))
	return nil
}

// bulkJob is what the bench reads of a job.
type bulkJob struct {
	ID           string
	Status       string
	ErrorMessage string    `json:"error_message"`
	StartedAt    time.Time `json:"started_at"`
	CompletedAt  time.Time `json:"completed_at"`
}

// run runs the bulk query while the other workspace reads.
func (r *bulkRun) run(ctx context.Context, s settings) error {
	liveMemory()
	before := processMemory(os.Getpid())
	base, key := r.gateway.base, r.workspace.key
	start := request{method: http.MethodPost, url: base + "/api/v1/bulk-queries", key: key,
		body: map[string]string{"query": bulkText}}
	var job bulkJob
	if err := start.read(ctx, &job); err != nil {
		return err
	}
	get := request{method: http.MethodGet, url: base + "/api/v1/jobs/" + job.ID, key: key}
	for job.Status != "completed" {
		if _, err := r.beside.measure(ctx, s.connections[0], time.Second); err != nil {
			return err
		}
		r.memory = max(r.memory, processMemory(os.Getpid())-before)
		if err := get.read(ctx, &job); err != nil {
			return err
		}
		if job.Status == "failed" {
			return fmt.Errorf("the bulk query failed: %s", job.ErrorMessage)
		}
	}
	r.took = job.CompletedAt.Sub(job.StartedAt)
	return nil
}
