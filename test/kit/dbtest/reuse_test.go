package dbtest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestReusedDatabase shows that a slot's database has no trace of an earlier test: neither rows,
// numbers of sequences and changes of kept rows, nor changes of the schema, nor a connection.
func TestReusedDatabase(t *testing.T) {
	for _, b := range Backends(t) {
		if b.server != "" {
			testReusedDatabase(t, b.server)
		}
	}
}

func testReusedDatabase(t *testing.T, server string) {
	template, err := serverTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	slot := acquireSlot(t, server)
	if slot == 0 {
		t.Fatal("no slot became free")
	}
	for name, statement := range map[string]string{
		"rows":     `INSERT INTO river_queue (name, created_at, updated_at) VALUES ('left', now(), now())`,
		"sequence": `SELECT nextval('river_job_id_seq')`,
		"seed":     `DELETE FROM bun_migrations`,
		"column":   `ALTER TABLE workspace ADD COLUMN another text`,
		"index":    `CREATE INDEX another ON workspace (id)`,
		"trigger":  `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER t BEFORE INSERT ON workspace EXECUTE FUNCTION f()`,
		"check":    `ALTER TABLE workspace ADD CONSTRAINT long CHECK (id <> '')`,
		"table":    `DROP TABLE river_queue`,
		"name":     `ALTER TABLE river_queue RENAME TO another`,
	} {
		t.Run(name, func(t *testing.T) {
			before := databaseState(t, reusedDatabase(t, server, template, slot))
			left, err := connect(t.Context(), reusedDatabase(t, server, template, slot))
			if err != nil {
				t.Fatal(err)
			}
			defer left.Close(context.Background())
			if err := execute(t.Context(), left, statement); err != nil {
				t.Fatal(err)
			}
			if after := databaseState(t, reusedDatabase(t, server, template, slot)); after != before {
				t.Errorf("after %s the database has\n%s", statement, strings.Join(changedLines(before, after), "\n"))
			}
			if err := left.Ping(t.Context()); err == nil {
				t.Error("the connection of an earlier test stays open")
			}
		})
	}
}

// databaseState returns every table with its columns and its number of rows, every index, trigger
// and constraint, and every sequence.
func databaseState(t *testing.T, address string) (state string) {
	t.Helper()
	const query = `
SELECT string_agg(line, E'\n' ORDER BY line) FROM (
	SELECT format('%s.%s %s', table_name, column_name, data_type) AS line FROM information_schema.columns WHERE table_schema = 'public'
	UNION ALL SELECT format('%s rows in %s', (xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', c.oid::regclass), true, false, '')))[1], c.oid::regclass)
		FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
	UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
	UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
	UNION ALL SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
	UNION ALL SELECT format('%s at %s', sequencename, last_value) FROM pg_sequences
) lines`
	err := withConn(address, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, query).
			Scan(&state)
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// changedLines returns the lines that only one of the texts has.
func changedLines(before, after string) (changed []string) {
	lines := map[string]int{}
	for line := range strings.SplitSeq(before, "\n") {
		lines[line]--
	}
	for line := range strings.SplitSeq(after, "\n") {
		lines[line]++
	}
	for line, n := range lines {
		if n != 0 {
			changed = append(changed, fmt.Sprintf("%+d %s", n, line))
		}
	}
	return changed
}
