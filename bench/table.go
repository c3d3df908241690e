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

// report is what a run has measured and where.
type report struct {
	date      time.Time
	settings  settings
	server    string // Postgres's version
	start     *started
	matches   []*match
	growth    *growth
	selection *selection
	intakes   []intake
	redirects []*redirects
	delays    []delay
	details   []delay
	admits    time.Duration // what finding out who asks adds to a request
	webhooks  *delivering
	fanning   *fanning
	filtering *filtering
	sweeps    []sweep
	parities  []*parity
	reactions []reactions
}

// text is the whole report as plain text.
func (r *report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s\n%s\n", r.date.UTC().Format(time.DateOnly), machine(), versions(r.server))
	fmt.Fprintf(&b, "\nReads: Postgres with %d workspaces of %d documents; %s connections over loopback from the same process;\n",
		workspaces, r.settings.documents, &r.settings.connections)
	fmt.Fprintf(&b, "%d rounds of %g s for each row, interleaved; rates and ratios are medians of the rounds.\n", rounds, r.settings.seconds)
	for _, n := range r.settings.connections {
		r.reads(&b, n)
	}
	if r.growth != nil {
		b.WriteString(r.growth.text())
	}
	if r.selection != nil {
		b.WriteString("\n" + r.selection.text())
	}
	b.WriteString("\n" + r.start.text())
	if r.settings.reads {
		return trimmed(b.String())
	}
	fmt.Fprintf(&b, "\nShort links: %d connections; each new viewer begins a session, which is in the database, with its event, before the answer leaves;\n"+
		"%d rounds of %g s for each row, interleaved with a net/http handler that only redirects.\n\n", redirectConnections, rounds, r.settings.seconds)
	r.links(&b)
	fmt.Fprintf(&b, "\nPersonas beside documents, through GraphQL with all fields; the same rounds.\n\n")
	r.personas(&b)
	fmt.Fprintf(&b, "\nJobs: one request after the other on an idle gateway with the embedded Redis.\n\n")
	delayTable(&b, "delay", r.delays)
	if len(r.intakes) > 0 {
		r.intakeText(&b)
	}
	if len(r.details) > 0 {
		fmt.Fprintf(&b, "\nAn executive's details on %d documents and %d signals, all theirs, over REST with the 20 latest texts; one request after the other.\n\n",
			detailDocuments, detailDocuments*detailSignals)
		delayTable(&b, "details", r.details)
	}
	fmt.Fprintf(&b, "\nAuthentication of a key that was used before: %.1f µs a request, asked under %d µs: %s\n",
		float64(r.admits.Nanoseconds())/1000, admitClaim.Microseconds(), verdict(r.admits < admitClaim))
	if r.webhooks != nil {
		b.WriteString(r.webhooks.text())
	}
	if r.fanning != nil {
		b.WriteString(r.fanning.text())
	}
	if r.filtering != nil {
		r.filterText(&b)
	}
	r.reactionText(&b)
	return trimmed(b.String())
}

// trimmed is the text without what a table's empty last cells leave at the ends of lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// reads is the table of the reads at so many connections.
func (r *report) reads(b *strings.Builder, connections int) {
	fmt.Fprintf(b, "\n%d connections\n", connections)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "answer\tthrough\trequests/s\tp50 ms\tp99 ms\tof hand-written\tCPU ms of 1,000\tallocations\tSQL statements\tasked of the rate\t")
	for _, m := range r.matches {
		if m.connections != connections {
			continue
		}
		for i, c := range m.contenders {
			name, ratio, statements := m.name, "", ""
			if i > 0 {
				name, ratio = "", fmt.Sprintf("%.2f", c.ratio(m.handWritten()))
			}
			if c.statements > 0 {
				statements = fmt.Sprintf("%d, asked at most %d: %s", c.statements, m.shape.statements(), verdict(c.statements <= m.shape.statements()))
			}
			times := c.times()
			fmt.Fprintf(t, "%s\t%s\t%.0f\t%s\t%s\t%s\t%.0f\t%d\t%s\t%s\t\n", name, c.face, c.perSecond(),
				milliseconds(percentile(times, 50)), milliseconds(percentile(times, 99)), ratio,
				float64(c.perThousand().Milliseconds()), c.allocations, statements, m.verdict(c))
		}
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}

// verdict holds a face's rate to what is asked of it; it is empty where nothing is.
func (m *match) verdict(c *contender) string {
	switch {
	case c.face == graphFace && m.asked > 0:
		return fmt.Sprintf("at least %g: %s", m.asked, verdict(c.ratio(m.handWritten()) >= m.asked))
	case c.face == restFace:
		ratio := c.ratio(m.named(graphFace))
		return fmt.Sprintf("%.2f of GraphQL, at least %g: %s", ratio, restClaim, verdict(ratio >= restClaim))
	}
	return ""
}

func (r *report) links(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "database\tthrough\trequests/s\tp50 ms\tp99 ms\tof the bare handler\t\t")
	for _, found := range r.redirects {
		fmt.Fprint(t, found.lines())
	}
	t.Flush() //nolint:errcheck // a builder takes everything
	for _, found := range r.redirects {
		fmt.Fprintf(b, "%s: %d sessions begun, %d in the database afterwards.\n", found.database, found.opened, found.stored)
	}
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "MISSED"
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000) }

func machine() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// processor is the CPU's name where the system tells it.
func processor() string {
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

// named are the modules whose versions say something about the numbers.
var named = []string{
	"github.com/99designs/gqlgen", "github.com/uptrace/bun", "github.com/jackc/pgx/v5", "github.com/riverqueue/river", "modernc.org/sqlite",
}

func versions(server string) string {
	list := []string{"Postgres " + server}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return list[0]
	}
	for _, path := range named {
		for _, module := range info.Deps {
			if module.Path == path {
				list = append(list, path+" "+module.Version)
			}
		}
	}
	return strings.Join(list, ", ")
}
