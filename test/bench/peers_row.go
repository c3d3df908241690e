package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/test/bench/compare"
)

// verifiedRequests is the number of requests whose responses are compared ahead of the load: one to
// each workspace.
const verifiedRequests = workspaceCount

// peerRow is a server's part of a comparison at a number of connections.
type peerRow struct {
	comparison
	*candidate
	connections int
	server      *comparedServer
	failure     string // the reason why it is not measured

	memory                 int64     // the most that the server's processes had after a slice
	serverCPU, databaseCPU []float64 // milliseconds of 1,000 requests, by round
}

// newPeerRow returns a row without results. A server that has no query for the answer is noted as
// such.
func newPeerRow(c comparison, answer compare.Answer, s *comparedServer, targets []target) *peerRow {
	row := &peerRow{comparison: c, candidate: &candidate{name: s.name}, server: s, failure: s.failure}
	if row.failure != "" {
		return row
	}
	for _, t := range targets {
		ask, err := s.request(answer, c.shape, t)
		if errors.Is(err, os.ErrNotExist) {
			row.failure = "cannot express it"
			return row
		}
		if err != nil {
			row.failure = "not measured: " + err.Error()
			return row
		}
		row.requests = append(row.requests, ask)
	}
	return row
}

// withConnections returns the same row without results, at another number of connections.
func (r *peerRow) withConnections(n int) *peerRow {
	other, same := *r, *r.candidate
	other.candidate, other.connections = &same, n
	return &other
}

// verifyRows compares the responses of all servers with those of the first, the gateway's. A peer
// with other data is not measured; for the hand-written handler it is an error.
func verifyRows(ctx context.Context, rows []*peerRow) error {
	for _, row := range rows[1:] {
		if row.failure != "" {
			continue
		}
		err := row.compareWith(ctx, rows[0])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && row.server.canonical == nil:
			return err
		case err != nil:
			row.failure = fmt.Sprintf("not measured: %.200s", err)
		}
	}
	return nil
}

// compareWith returns an error unless the row's server and the other's respond with the same data.
func (r *peerRow) compareWith(ctx context.Context, other *peerRow) error {
	for i := range min(verifiedRequests, len(r.requests)) {
		want, err := other.fetchPlain(ctx, i)
		if err != nil {
			return err
		}
		got, err := r.fetchPlain(ctx, i)
		if err != nil {
			return err
		}
		if path, same := compareValues("", want, got); !same {
			return fmt.Errorf("%s and %s return different data at %s", r.server.name, other.server.name, path)
		}
	}
	return nil
}

// fetchPlain returns the response to a request as plain values.
func (r *peerRow) fetchPlain(ctx context.Context, i int) (any, error) {
	body, err := r.fetchBody(ctx, r.requests[i])
	if err == nil && r.server.canonical != nil {
		body, err = r.server.canonical(body)
	}
	if err != nil {
		return nil, err
	}
	return decodeBody(body)
}

// measureSlice sends a slice of load and adds its results. A peer that fails is not measured any
// more; for the others it is an error.
func (r *peerRow) measureSlice(ctx context.Context, conn *pgx.Conn, d time.Duration) error {
	before, err := databaseUsage(ctx, conn)
	if err != nil {
		return err
	}
	used := compare.GroupUsage(r.server.process.PID())
	count, err := r.measure(ctx, r.connections, d)
	if err != nil {
		if ctx.Err() != nil || r.server.canonical == nil {
			return err
		}
		r.failure = fmt.Sprintf("failed under load: %.200s", err)
		return nil
	}
	after, err := databaseUsage(ctx, conn)
	if err != nil {
		return err
	}
	now := compare.GroupUsage(r.server.process.PID())
	r.memory = max(r.memory, now.Memory)
	r.serverCPU = append(r.serverCPU, millisecondsOfThousand(now.CPU-used.CPU, count))
	r.databaseCPU = append(r.databaseCPU, millisecondsOfThousand(compare.AddedCPU(before, after), count))
	return nil
}

// databaseUsage returns the CPU time of each connection to the database, if the server runs on this
// machine.
func databaseUsage(ctx context.Context, conn *pgx.Conn) (map[int32]time.Duration, error) {
	rows, err := conn.Query(ctx, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	if err != nil {
		return nil, fmt.Errorf("list the database's connections: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return nil, fmt.Errorf("list the database's connections: %w", err)
	}
	return compare.ServerCPU(ids), nil
}
