package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/app"
	"rostrum/test/bench/compare"
)

// peersFolder contains the configuration of the other servers, below the repository's root.
const peersFolder, peersFile = "test/bench/compare", "test/bench/compare/RESULTS.md"

const (
	peersTimeout     = 30 * time.Minute // limits the whole measurement
	queueConnections = 6                // the gateway's for its queue, besides those for requests
	seedConnections  = 4                // of this program, ahead of the load
	// warmUpSlices is the load for each server and answer ahead of the rounds. JavaScript is compiled
	// while it runs: PostGraphile needs some thousand requests until its CPU time of a request stops
	// falling.
	warmUpSlices = 4
)

// peerAnswers are the answers that all servers are asked for. The names are those of the other
// reads.
var peerAnswers = []struct {
	comparison
	answer compare.Answer
}{
	{comparison{name: "one document", shape: shape{single: true}}, compare.OneDocument},
	{comparison{name: "50 documents", shape: shape{}}, compare.ListedDocuments},
	{comparison{name: "50 documents, auto-tags", shape: shape{tags: true}}, compare.TaggedDocuments},
	{comparison{name: "50 documents, total", shape: shape{total: true}}, compare.CountedDocuments},
}

// peerMeasurement compares the gateway with servers of other projects on one database, each as a
// process.
type peerMeasurement struct {
	settings    settings
	database    string // its address
	folder      string // temporary
	tenants     []*seededWorkspace
	connections int // to the database for requests, of each server
	servers     []*comparedServer
	rows        []*peerRow
}

// measurePeers runs the comparison with other servers and prints its table. It ends all servers and
// drops the database, even after an error.
func measurePeers(ctx context.Context, s settings) (err error) {
	ctx, cancel := context.WithTimeout(ctx, peersTimeout)
	defer cancel()
	version, err := serverVersion(ctx, s.database)
	if err != nil {
		return err
	}
	m := &peerMeasurement{settings: s}
	if m.folder, err = os.MkdirTemp("", "rostrum-peers-"); err != nil {
		return fmt.Errorf("create a folder for the servers: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.folder)) }()
	err = withDatabase(ctx, s.database, func(address string) error {
		m.database = address
		defer m.stopServers()
		for _, step := range []func(context.Context) error{m.migrateDatabase, m.startServers, m.seedDocuments,
			m.prepareRows, m.runRounds} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s · %s\n%s\n\n", time.Now().UTC().Format(time.DateOnly), describeMachine(),
		moduleVersions(version)) + m.text()
	fmt.Print(text)
	if !s.write {
		return nil
	}
	if err := os.WriteFile(peersFile, []byte(fmt.Sprintf(peersPreface, s.command)+"```\n"+text+"```\n"),
		0o644); err != nil {
		return fmt.Errorf("write the results (run from the repository's root): %w", err)
	}
	return nil
}

// migrateDatabase migrates the database and creates the workspaces.
func (m *peerMeasurement) migrateDatabase(ctx context.Context) error {
	return withGateway(ctx, app.Config{Database: m.database}, func(g *gateway) (err error) {
		m.tenants, err = g.createTenants(ctx)
		return err
	})
}

// seedDocuments stores the documents of the other reads. The gateway already runs, as in the other
// reads: its start on them would attribute them to companies, and the updates would leave dead
// rows.
func (m *peerMeasurement) seedDocuments(ctx context.Context) error {
	pool, err := openPoolOf(ctx, m.database, seedConnections)
	if err != nil {
		return err
	}
	defer pool.Close()
	return seedWorkspaces(ctx, pool, m.tenants, m.settings.documents)
}

// prepareRows creates the rows of the table and leaves out those whose server does not return the
// gateway's data.
func (m *peerMeasurement) prepareRows(ctx context.Context) error {
	own := &gateway{base: m.servers[0].base}
	for _, a := range peerAnswers {
		targets, err := own.placeTargets(ctx, spreadTargets(m.tenants, a.shape.single, m.settings.documents), a.shape)
		if err != nil {
			return err
		}
		var rows []*peerRow
		for _, s := range m.servers {
			rows = append(rows, newPeerRow(a.comparison, a.answer, s, targets))
		}
		if err := verifyRows(ctx, rows); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		for _, n := range m.settings.connections {
			for _, row := range rows {
				m.rows = append(m.rows, row.withConnections(n))
			}
		}
	}
	return nil
}

// runRounds warms the servers up and sends a slice of load to each row in every round. The servers
// of an answer get theirs in alternation, in an order that changes from round to round, so that
// other load on the machine affects all of them equally.
func (m *peerMeasurement) runRounds(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, m.database)
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	logProgress("warming %d servers up", len(m.servers))
	for _, row := range m.rows {
		if row.connections == m.settings.connections[0] && row.failure == "" {
			// a failure occurs again when it is measured
			_ = row.warmUp(ctx, row.connections, m.settings.slice()*warmUpSlices)
		}
	}
	n := len(m.servers)
	for round := range m.settings.rounds() {
		logProgress("servers, round %d of %d", round+1, m.settings.rounds())
		for first := 0; first < len(m.rows); first += n {
			for i := range n {
				row := m.rows[first+(i+round)%n]
				if row.failure != "" {
					continue
				}
				runtime.GC() // no server pays for the load generator's garbage
				if err := row.measureSlice(ctx, conn, m.settings.slice()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sharedConnections returns how many connections for requests each of n servers can have, at most
// the gateway's default.
func (m *peerMeasurement) sharedConnections(ctx context.Context, n int) (int, error) {
	conn, err := pgx.Connect(ctx, m.database)
	if err != nil {
		return 0, fmt.Errorf("reach the database: %w", err)
	}
	defer conn.Close(ctx)
	const free = `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - count(*) FROM pg_stat_activity
		WHERE backend_type = 'client backend'`
	var available int
	if err := conn.QueryRow(ctx, free).Scan(&available); err != nil {
		return 0, fmt.Errorf("count the server's connections: %w", err)
	}
	const spare, fewest = 3, 4 // spare: of this program
	share := min(handWrittenConnections, (available-queueConnections-spare)/n)
	if share < fewest {
		return 0, fmt.Errorf("the database server has %d free connections, which are too few for %d servers", available,
			n)
	}
	return share, nil
}

// logPath returns the path of the output of a server.
func (m *peerMeasurement) logPath(name string) string {
	return filepath.Join(m.folder, strings.ReplaceAll(strings.ToLower(name), " ", "-")+".log")
}
