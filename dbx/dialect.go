package dbx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// dialect names everything in which the two databases differ; no other file of the program names them.
type dialect struct {
	schema schemaWords
	// matches is true for rows of the table whose indexed text has every word of the query.
	matches func(q *bun.SelectQuery, table, words string) *bun.SelectQuery
	// matchesAny is true for rows of the table whose indexed text has one of the words.
	matchesAny func(q *bun.SelectQuery, table string, words []string) *bun.SelectQuery
	// contains is true where a JSON column holds the string in its list.
	contains string
	// lock keeps a selected row for this transaction, but lets others write rows that point at it: a foreign key that waited for
	// the row, while its holder waits for theirs, would wait for ever.
	lock string
	// near is whether statements run in this process, so that several small ones cost less than one large one.
	near bool
	// turn runs fn while no other process is in its own turn; nil where one process owns the database.
	turn func(ctx context.Context, db *DB, fn func(context.Context) error) error
}

// schemaWords fill the templates of migrations.
type schemaWords struct {
	JSON, Time, Float, Bytes, Serial string
	search                           func(table string, columns ...string) string
	beside                           func(columns ...string) string
}

// Beside writes further columns of an index, which then answers without its rows where those are slow to read.
func (w schemaWords) Beside(columns ...string) string { return w.beside(columns...) }

// Search writes the statements that index the columns' text.
func (w schemaWords) Search(table string, columns ...string) string {
	return w.search(table, columns...)
}

var serverDialect = dialect{
	schema: schemaWords{
		JSON: "jsonb", Time: "timestamptz", Float: "double precision", Bytes: "bytea",
		Serial: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
		search: serverSearch,
		beside: func(...string) string { return "" }, // long texts lie apart from the row, and an entry of an index is bounded
	},
	matches: func(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
		return q.Where("?.search @@ plainto_tsquery('simple', ?)", bun.Ident(table), words)
	},
	matchesAny: func(q *bun.SelectQuery, table string, words []string) *bun.SelectQuery {
		return q.Where("?.search @@ websearch_to_tsquery('simple', ?)", bun.Ident(table), anyWord(words))
	},
	contains: "? @> to_jsonb(?::text)",
	lock:     "NO KEY UPDATE",
	turn:     serverTurn,
}

var fileDialect = dialect{
	schema: schemaWords{
		JSON: "text", Time: "timestamp", Float: "real", Bytes: "blob",
		Serial: "integer PRIMARY KEY AUTOINCREMENT",
		search: fileSearch,
		beside: func(columns ...string) string { return ", " + strings.Join(columns, ", ") }, // a row is read past its long texts
	},
	matches: func(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
		fts := bun.Ident(table + "_search")
		return q.Where("?.seq IN (SELECT rowid FROM ? WHERE ? MATCH ?)", bun.Ident(table), fts, fts, quoteWords(words))
	},
	matchesAny: func(q *bun.SelectQuery, table string, words []string) *bun.SelectQuery {
		fts := bun.Ident(table + "_search")
		return q.Where("?.seq IN (SELECT rowid FROM ? WHERE ? MATCH ?)", bun.Ident(table), fts, fts, anyWord(words))
	},
	contains: "EXISTS (SELECT 1 FROM json_each(?) WHERE value = ?)",
	near:     true,
}

func openServer(ctx context.Context, address string) (*DB, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = max(config.MaxConns, 24) - queueConns
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.AfterConnect = inUTC
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	config = config.Copy()
	config.MaxConns, config.MinConns, config.MinIdleConns = queueConns, 0, 0
	config.ConnConfig.RuntimeParams["synchronous_commit"] = "off"
	queue, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		pool.Close()
		return nil, err
	}
	std := stdlib.OpenDBFromPool(pool)
	std.SetMaxOpenConns(int(pool.Config().MaxConns))
	db := bun.NewDB(std, pgdialect.New(), bun.WithDiscardUnknownColumns())
	return &DB{DB: db, writer: db, dialect: serverDialect, pool: pool, queue: queue}, nil
}

// inUTC makes a connection give its instants in UTC, wherever the program runs.
func inUTC(_ context.Context, conn *pgx.Conn) error {
	codec := &pgtype.TimestamptzCodec{ScanLocation: time.UTC}
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: codec})
	return nil
}

// queueConns are the queue's share of the connections.
const queueConns = 6

// fileReaders are the connections that read a file; reading waits for no writer.
const fileReaders = 10

func openFile(_ context.Context, path string) (*DB, error) {
	dsn := "file:" + strings.ReplaceAll(path, "?", "%3F") + "?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)"
	writer, err := sql.Open("sqlite", dsn+"&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", dsn+"&_pragma=query_only(1)")
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(fileReaders)
	reader.SetMaxIdleConns(fileReaders)
	dialect := sqlitedialect.New()
	return &DB{
		DB:     bun.NewDB(reader, dialect, bun.WithDiscardUnknownColumns()),
		writer: bun.NewDB(writer, dialect, bun.WithDiscardUnknownColumns()), dialect: fileDialect,
	}, nil
}

// migrationLock is the number of the server's lock under which one process at a time migrates.
const migrationLock = 0x726f7374

func serverTurn(ctx context.Context, db *DB, fn func(context.Context) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(?)", migrationLock); err != nil {
		return fmt.Errorf("wait to migrate: %w", err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(?)", migrationLock) //nolint:errcheck // the connection's end unlocks too
	return fn(ctx)
}

// serverSearch keeps a word index beside the row; a text beyond 200,000 characters is indexed by its beginning, as an index row is bounded.
func serverSearch(table string, columns ...string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "left(coalesce(" + c + ", ''), 200000)"
	}
	return fmt.Sprintf(`ALTER TABLE %[1]s ADD COLUMN search tsvector GENERATED ALWAYS AS (to_tsvector('simple', %[2]s)) STORED;
--bun:split
CREATE INDEX %[1]s_search ON %[1]s USING gin (search);`, table, strings.Join(parts, " || ' ' || "))
}

// fileSearch keeps a word index in a table of its own, which triggers hold in step.
func fileSearch(table string, columns ...string) string {
	list := strings.Join(columns, ", ")
	fresh, stale := "new."+strings.Join(columns, ", new."), "old."+strings.Join(columns, ", old.")
	drop := fmt.Sprintf("INSERT INTO %[1]s_search(%[1]s_search, rowid, %[2]s) VALUES ('delete', old.seq, %[3]s);", table, list, stale)
	add := fmt.Sprintf("INSERT INTO %[1]s_search(rowid, %[2]s) VALUES (new.seq, %[3]s);", table, list, fresh)
	return fmt.Sprintf(`CREATE VIRTUAL TABLE %[1]s_search USING fts5(%[2]s, content='%[1]s', content_rowid='seq', tokenize='unicode61 remove_diacritics 0');
--bun:split
CREATE TRIGGER %[1]s_search_insert AFTER INSERT ON %[1]s BEGIN %[4]s END;
--bun:split
CREATE TRIGGER %[1]s_search_delete AFTER DELETE ON %[1]s BEGIN %[3]s END;
--bun:split
CREATE TRIGGER %[1]s_search_update AFTER UPDATE OF %[2]s ON %[1]s BEGIN %[3]s %[4]s END;`, table, list, drop, add)
}

// quoteWords makes every word a plain one, so that none is read as an operator.
func quoteWords(words string) string {
	fields := strings.Fields(words)
	for i, f := range fields {
		fields[i] = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
	}
	return strings.Join(fields, " ")
}

// anyWord joins quoted words with the operator that both databases know.
func anyWord(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = `"` + strings.ReplaceAll(word, `"`, " ") + `"`
	}
	return strings.Join(quoted, " OR ")
}

// driverFault is what a driver's error means, in words that both databases share.
type driverFault int

const (
	faultNone driverFault = iota
	faultUnique
	faultDown
	faultText
)

func faultOf(err error) driverFault {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() {
		case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
			return faultUnique
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL:
			return faultDown
		}
		return faultNone
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return faultDown
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case e.Code == "23505":
			return faultUnique
		case e.Code == "22021", e.Code == "22P05":
			return faultText
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "53"):
			return faultDown
		}
	}
	return faultNone
}
