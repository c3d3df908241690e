package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"
)

// report contains the measurements of a run and its environment.
type report struct {
	date           time.Time
	settings       settings
	server         string // Postgres's version
	start          *startResult
	matches        []*readComparison
	growth         *growthResult
	selection      *selectionResult
	ingestions     []ingestResult
	redirects      []*redirectResult
	delays         []delaySeries
	details        []delaySeries
	authentication time.Duration // added to a request
	webhooks       *webhookResult
	fanning        *fanOutResult
	scale          *scaleResult // nil where it cannot be measured
	filtering      *filterComparison
	sweeps         []backfillResult
	parities       []*personaComparison
	reactions      []reactionResult
	bursts         []*burstResult
}

// text returns the whole report as plain text.
func (r *report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s\n%s\n", r.date.UTC().Format(time.DateOnly), describeMachine(), moduleVersions(r.server))
	fmt.Fprintf(&b, "\nReads: Postgres with %d workspaces of %d documents; %s connections over loopback from the same process;\n",
		workspaceCount, r.settings.documents, &r.settings.connections)
	fmt.Fprintf(&b, "%d rounds of %g s for each row, interleaved; rates and ratios are medians of the rounds.\n",
		rounds, r.settings.seconds)
	for _, n := range r.settings.connections {
		r.writeReads(&b, n)
	}
	if r.growth != nil {
		b.WriteString(r.growth.text())
	}
	if r.selection != nil {
		b.WriteString("\n" + r.selection.text())
	}
	b.WriteString("\n" + r.start.text())
	if r.settings.reads {
		return trimLines(b.String())
	}
	fmt.Fprintf(&b, "\nShort links: %d connections; each new viewer starts a session, which is stored with its event before the response is sent;\n"+
		"%d rounds of %g s for each row, interleaved with a net/http handler that only redirects.\n\n",
		redirectConnections, rounds, r.settings.seconds)
	r.writeLinks(&b)
	fmt.Fprintf(&b, "\nPersonas compared with documents, through GraphQL with all fields; the same rounds.\n\n")
	r.personas(&b)
	fmt.Fprintf(&b, "\nJobs: one request at a time on an idle gateway with the embedded Redis.\n\n")
	delayTable(&b, "delay", r.delays)
	if len(r.ingestions) > 0 {
		r.ingestText(&b)
	}
	if len(r.details) > 0 {
		fmt.Fprintf(&b, "\nAn executive's details on %d documents and %d signals by that executive, over REST with the 20 latest texts; one request at a time.\n\n",
			detailDocuments, detailDocuments*detailSignals)
		delayTable(&b, "details", r.details)
	}
	fmt.Fprintf(&b, "\nAuthentication of a key that was used before: %.1f µs a request, claim under %d µs: %s\n",
		float64(r.authentication.Nanoseconds())/1000, authenticationClaim.Microseconds(),
		formatVerdict(r.authentication < authenticationClaim))
	if r.webhooks != nil {
		b.WriteString(r.webhooks.text())
	}
	if r.fanning != nil {
		b.WriteString(r.fanning.text())
	}
	b.WriteString(r.scaleText())
	if r.filtering != nil {
		r.filterText(&b)
	}
	r.reactionText(&b)
	if len(r.bursts) > 0 {
		r.burstText(&b)
	}
	return trimLines(b.String())
}

// trimLines removes the spaces that empty last cells of a table leave at the ends of lines.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// writeReads writes the table of the reads at a number of connections.
func (r *report) writeReads(b *strings.Builder, connections int) {
	fmt.Fprintf(b, "\n%d connections\n", connections)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "answer\tAPI\trequests/s\tp50 ms\tp99 ms\tof hand-written\tCPU ms of 1,000\tallocations\tSQL statements\tclaim for the rate\t")
	for _, m := range r.matches {
		if m.connections != connections {
			continue
		}
		for i, c := range m.candidates {
			name, ratio, statements := m.name, "", ""
			if i > 0 {
				name, ratio = "", fmt.Sprintf("%.2f", c.ratio(m.handWritten()))
			}
			if c.statements > 0 {
				statements = fmt.Sprintf("%d, claim at most %d: %s", c.statements, m.shape.statements(),
					formatVerdict(c.statements <= m.shape.statements()))
			}
			times := c.sortedTimes()
			fmt.Fprintf(t, "%s\t%s\t%.0f\t%s\t%s\t%s\t%.0f\t%d\t%s\t%s\t\n", name, c.name, c.perSecond(),
				formatMilliseconds(percentile(times, 50)), formatMilliseconds(percentile(times, 99)), ratio,
				float64(c.perThousand().Milliseconds()), c.allocations, statements, m.rateVerdict(c))
		}
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}

// rateVerdict compares a candidate's rate with its claim; it returns "" without a claim.
func (m *readComparison) rateVerdict(c *candidate) string {
	switch {
	case c.name == graphName && m.minRatio > 0:
		return fmt.Sprintf("at least %g: %s", m.minRatio, formatVerdict(c.ratio(m.handWritten()) >= m.minRatio))
	case c.name == restName:
		ratio := c.ratio(m.candidateNamed(graphName))
		return fmt.Sprintf("%.2f of GraphQL, at least %g: %s", ratio, restClaim, formatVerdict(ratio >= restClaim))
	}
	return ""
}

func (r *report) writeLinks(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "database\tAPI\trequests/s\tp50 ms\tp99 ms\tof the bare handler\t\t")
	for _, found := range r.redirects {
		fmt.Fprint(t, found.tableRows())
	}
	t.Flush() //nolint:errcheck // a builder takes everything
	for _, found := range r.redirects {
		fmt.Fprintf(b, "%s: %d sessions started, %d in the database afterwards.\n", found.database, found.opened,
			found.stored)
	}
}

func formatVerdict(met bool) string {
	if met {
		return "met"
	}
	return "MISSED"
}

func formatMilliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000)
}

func describeMachine() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", processorName(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version())
}

// processorName returns the CPU's name where the system reports it.
func processorName() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unnamed processor"
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unnamed processor"
}

// reportedModules are the modules whose versions affect the figures.
var reportedModules = []string{
	"github.com/99designs/gqlgen", "github.com/uptrace/bun", "github.com/jackc/pgx/v5", "github.com/riverqueue/river",
	"modernc.org/sqlite",
}

func moduleVersions(server string) string {
	list := []string{"Postgres " + server}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return list[0]
	}
	for _, path := range reportedModules {
		for _, module := range info.Deps {
			if module.Path == path {
				list = append(list, path+" "+module.Version)
			}
		}
	}
	return strings.Join(list, ", ")
}
