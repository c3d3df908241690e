package dbtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// maxReusedBytes is the size above which a database is created again instead of emptied: deleted
// rows keep their space.
const maxReusedBytes = 64 << 20

// freshState is what a new copy of the template looked like. It is stored as the comment of the
// database.
type freshState struct {
	Schema    string            `json:"schema"`    // see schemaState
	Seeds     map[string]string `json:"seeds"`     // the tables that are not empty, and a hash of their rows
	Sequences map[string]int64  `json:"sequences"` // the last value of each sequence that has one
}

// reusedDatabase returns the address of the slot's database, which has the whole schema and no
// rows. It is created at first and emptied for each further test, as a copy of the template and its
// removal take ten times as long.
func reusedDatabase(t testing.TB, server, template string, slot int32) string {
	t.Helper()
	name := fmt.Sprintf("%s%s%d", template, slotInfix, slot)
	address, err := databaseAddress(server, name)
	if err != nil {
		t.Fatal(err)
	}
	if emptyDatabase(address) == nil {
		return address
	}
	err = withConn(server, func(ctx context.Context, conn *pgx.Conn) error {
		return execute(ctx, conn, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)", "CREATE DATABASE "+name+" TEMPLATE "+
			template)
	})
	if err == nil {
		err = withConn(address, func(ctx context.Context, conn *pgx.Conn) error {
			return recordFreshState(ctx, conn, name)
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func recordFreshState(ctx context.Context, conn *pgx.Conn, name string) error {
	tables, err := tablesWithPages(ctx, conn)
	if err != nil {
		return err
	}
	state, err := readState(ctx, conn, tables)
	if err != nil {
		return err
	}
	const sequences = `SELECT coalesce(json_object_agg(sequencename, last_value), '{}') FROM pg_sequences WHERE last_value IS NOT NULL`
	if err := conn.QueryRow(ctx, sequences).Scan(&state.Sequences); err != nil {
		return err
	}
	comment, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return execute(ctx, conn, "COMMENT ON DATABASE "+name+" IS '"+string(comment)+"'")
}

// emptyDatabase deletes the rows that a test left. It returns an error if the database does not
// exist, or differs from a new copy of the template in more than rows.
func emptyDatabase(address string) error {
	return withConn(address, func(ctx context.Context, conn *pgx.Conn) error {
		if err := endOtherConns(ctx, conn); err != nil {
			return err
		}
		var fresh freshState
		var size int64
		const query = `SELECT shobj_description(oid, 'pg_database')::json, pg_database_size(oid) FROM pg_database WHERE datname = current_database()`
		if err := conn.QueryRow(ctx, query).Scan(&fresh, &size); err != nil {
			return err
		}
		tables, err := tablesWithPages(ctx, conn)
		if err != nil {
			return err
		}
		var used, seeds []string
		for _, table := range tables {
			if _, ok := fresh.Seeds[table]; ok {
				seeds = append(seeds, table)
			} else {
				used = append(used, table)
			}
		}
		state, err := readState(ctx, conn, seeds)
		if err != nil {
			return err
		}
		if size > maxReusedBytes || !state.equal(fresh) {
			return errors.New("the database differs from its template")
		}
		return deleteRows(ctx, conn, used, fresh.Sequences)
	})
}

// endOtherConns ends the connections that killed processes of an earlier test left, and waits until
// the server has closed them.
func endOtherConns(ctx context.Context, conn *pgx.Conn) error {
	const query = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
	for {
		var n int
		if err := conn.QueryRow(ctx, query).Scan(&n); err != nil || n == 0 {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// tablesWithPages lists the tables that have, or had, rows.
func tablesWithPages(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	const query = `SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`
	rows, _ := conn.Query(ctx, query)
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// schemaState hashes the versions of the rows of the catalogs that a change of the schema changes,
// and the database's settings. Copies of a database have the same versions. The server's own
// objects have ids below 16384; most rows are theirs.
const schemaState = `
SELECT md5(string_agg(state, ' ')) FROM (
	SELECT format('%s %s', count(*), sum(xmin::text::bigint)) AS state FROM pg_class WHERE oid >= 16384
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_attribute WHERE attrelid >= 16384
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_attrdef
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_constraint
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_index WHERE indexrelid >= 16384
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_trigger
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_rewrite
	UNION ALL SELECT format('%s %s', count(*), sum(xmin::text::bigint)) FROM pg_proc WHERE oid >= 16384
	UNION ALL SELECT string_agg(array_to_string(setconfig, ' '), ' ') FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase AND datname = current_database()
) states`

// readState returns the state of the schema and of the tables among those given that have rows.
func readState(ctx context.Context, conn *pgx.Conn, tables []string) (state freshState, err error) {
	state.Seeds = map[string]string{}
	if err := conn.QueryRow(ctx, schemaState).Scan(&state.Schema); err != nil {
		return state, err
	}
	for _, table := range tables {
		var hash *string
		query := fmt.Sprintf("SELECT md5(string_agg(r::text, ' ' ORDER BY r::text)) FROM %s r", table)
		if err := conn.QueryRow(ctx, query).Scan(&hash); err != nil {
			return state, err
		}
		if hash != nil {
			state.Seeds[table] = *hash
		}
	}
	return state, nil
}

// deleteRows empties the tables without regard to references between them, and sets all sequences
// to the values given, or to their start.
func deleteRows(ctx context.Context, conn *pgx.Conn, tables []string, sequences map[string]int64) error {
	var batch pgx.Batch
	batch.Queue("SET LOCAL session_replication_role = replica")
	slices.Sort(tables)
	for _, table := range tables {
		batch.Queue("DELETE FROM " + table)
	}
	batch.Queue(`SELECT setval(sequencename::regclass, coalesce(($1::jsonb ->> sequencename::text)::bigint, start_value), $1::jsonb ? sequencename::text)
		FROM pg_sequences WHERE last_value IS NOT NULL`, sequences)
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return tx.SendBatch(ctx, &batch).Close() })
}

func (s freshState) equal(other freshState) bool {
	return s.Schema == other.Schema && maps.Equal(s.Seeds, other.Seeds)
}
