package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"rostrum/test/bench/compare"
)

// text returns the comparison with other servers as plain text.
func (m *peerMeasurement) text() string {
	var b strings.Builder
	m.writeServers(&b)
	fmt.Fprintf(&b, "\nPostgres with %d workspaces of %d documents; each server has at most %d connections to it for requests\n"+
		"(the gateway's default is %d). %s connections of one load generator over loopback; %d rounds of %g s for each row, interleaved; rates and ratios are medians of the rounds.\n",
		workspaceCount, m.settings.documents, m.connections, handWrittenConnections, &m.settings.connections,
		m.settings.rounds(), m.settings.seconds)
	for _, n := range m.settings.connections {
		fmt.Fprintf(&b, "\n%d connections\n", n)
		m.writeRows(&b, n)
	}
	return trimLines(b.String())
}

// writeServers writes the versions of the servers, and how each runs.
func (m *peerMeasurement) writeServers(w io.Writer) {
	setups := map[string]string{}
	for _, p := range compare.Peers() {
		setups[p.Name] = p.License + "; " + p.Setup
	}
	for _, s := range m.servers {
		line := s.name + " " + s.version
		if setup := setups[s.name]; setup != "" {
			line += ": " + setup
		}
		if s.failure != "" {
			line += "; " + s.failure
		}
		fmt.Fprintln(w, line)
	}
}

// writeRows writes the table at a number of connections.
func (m *peerMeasurement) writeRows(w io.Writer, connections int) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "answer\tserver\trequests/s\tp50 ms\tp99 ms\tof Rostrum\tCPU ms of 1,000\tPostgres CPU ms of 1,000\tMB\t")
	var own *peerRow
	for _, row := range m.rows {
		if row.connections != connections {
			continue
		}
		name := ""
		if row.server.name == rostrumName {
			own, name = row, row.comparison.name
		}
		fmt.Fprint(t, name+"\t"+row.cells(own))
	}
	t.Flush()
}

// cells returns the row's cells, from the name of its server; its ratio is that to the gateway's
// row.
func (r *peerRow) cells(own *peerRow) string {
	if r.failure != "" {
		return fmt.Sprintf("%s\t%s\t\t\t\t\t\t\t\n", r.server.name, r.failure)
	}
	ratio := ""
	if r != own {
		ratio = formatRatio(ratiosOf(r.rates, own.rates))
	}
	return fmt.Sprintf("%s\t%s\t%s\t%.0f\t%.0f\t%d\t\n", r.server.name, r.candidate.cells(), ratio, median(r.serverCPU),
		median(r.databaseCPU), r.memory>>20)
}

// peersPreface precedes the table in its file; its argument is the command that measured it.
const peersPreface = `# Other GraphQL servers on the same tables

` + "`make compare`" + ` prints this table; ` + "`go run ./test/bench -only=peers -write`" + ` also writes this file, which was written by ` + "`%s`" + `.
It needs a Postgres server, Node.js with npm, and the network: PostGraphile is installed from npm and GraphJin from the Go module proxy, in the
versions of ` + "`postgraphile5`, `postgraphile4` and `graphjin`" + `, into a temporary folder. If one cannot be installed, the table has the reason.

How to read it:

- All servers answer the same requests on the same rows: a document by its id, and pages of 50 documents of a workspace, newest first. Before
  the load, the data of ten requests of each kind must equal the gateway's; under load each response must have all its documents.
- Rostrum gets its operation as text with each request, as PostGraphile does, and keeps parsed operations as PostGraphile does. GraphJin has the
  queries and gets their names, which is its production mode.
- The others have no keys: the workspace is a condition in their queries, except in PostGraphile's for one document, whose field for a row by
  its id takes no other condition and is faster than a list of one. Rostrum authenticates a key for each request, restricts every
  statement to its workspace, checks the limits of the operation, and has all its other types, mutations and jobs. The hand-written handler
  checks nothing.
- They skip to a page by its offset, at most 150 rows, and Rostrum by a cursor. The hand-written handler uses the offset too.
- Rostrum keeps the number of documents with the workspace. The others count rows, so "50 documents, total" compares designs, not servers.
- Each server is warmed up by load on each answer. PostGraphile runs a process for each processor, with the connections shared among them.
- The memory is the sum over the processes of a server, where shared pages count once, and the most after any slice.
- The CPU time of 1,000 requests is that of the server's processes, and next to it that of Postgres's backends. The load generator shares the
  processors with both.

`
