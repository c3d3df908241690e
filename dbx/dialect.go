package dbx

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
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

// sqlDialect holds all differences between Postgres and SQLite. No other file of the program names
// them.
type sqlDialect struct {
	schema schemaWords
	// matches selects the rows that have every word in their indexed text.
	matches func(q *bun.SelectQuery, table, words string) *bun.SelectQuery
	index   textIndex
	// contains is true if the JSON list in a column has the string.
	contains string
	// memberContains is true if the JSON list in a member of the object in a column has the string.
	memberContains string
	// among is true if a column has one of the values of a query, which runs once.
	among string
	// rowsToJSON is the expression of a table's rows, under the alias r, as a JSON list of objects.
	rowsToJSON func(columns []string) string
	// rowsOfJSON is the table r with the rows of such a list, which replaces ?.
	rowsOfJSON func(table string, columns []string) string
	// lock locks a selected row, but lets others insert rows that refer to it. A stronger lock
	// could deadlock: an insert waits for the row, and the row's holder waits for the inserting
	// transaction.
	lock string
	// inProcess is true if statements run in this process. Several small statements then cost less
	// than one large statement.
	inProcess bool
	// migrationLock runs fn while no other process holds the lock.
	migrationLock func(ctx context.Context, db *DB, fn func(context.Context) error) error
	// layout selects the names of tables, and the names and types of their columns.
	layout string
	// snapshot calls do with a reader of one moment's rows.
	snapshot func(ctx context.Context, db *DB, do func(context.Context, bun.IDB) error) error
	// loading calls do while triggers do not run, and references need not be whole.
	loading func(ctx context.Context, tx Tx, tables []Table, do func() error) error
	// givenSerials is what an insert says that gives values of serial columns.
	givenSerials string
}

// schemaWords are the functions and words of the migrations' templates.
type schemaWords struct {
	JSON, Time, Float, Bytes, Serial string
	// Functions is true if triggers call functions and several transactions write at the same time.
	Functions bool

	search  func(table string, columns ...string) string
	include func(columns ...string) string
}

// Include adds columns to an index, so that a query is answered from the index alone. It does so
// only where reading rows is slow.
func (w schemaWords) Include(columns ...string) string { return w.include(columns...) }

// Search returns the statements that create a full-text index of the columns.
func (w schemaWords) Search(table string, columns ...string) string {
	return w.search(table, columns...)
}

var serverDialect = sqlDialect{
	schema: schemaWords{
		JSON: "jsonb", Time: "timestamptz", Float: "double precision", Bytes: "bytea",
		Serial:    "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
		Functions: true,
		search:    serverSearch,
		// long texts are stored apart from the row, and an index entry has limited size
		include: func(...string) string { return "" },
	},
	matches: func(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
		return q.Where("?.search @@ plainto_tsquery('simple', ?)", bun.Ident(table), words)
	},
	index:          serverIndex,
	contains:       "? @> to_jsonb(?::text)",
	memberContains: "(? -> ?::text) @> to_jsonb(?::text)",
	among:          "? = ANY (ARRAY(?))",
	rowsToJSON:     serverRowsToJSON,
	rowsOfJSON:     serverRowsOfJSON,
	lock:           "NO KEY UPDATE",
	migrationLock:  withServerLock,
	layout:         serverLayout,
	snapshot:       serverSnapshot,
	loading:        withoutServerChecks,
	givenSerials:   "OVERRIDING SYSTEM VALUE ",
}

var fileDialect = sqlDialect{
	schema: schemaWords{
		JSON: "text", Time: "timestamp", Float: "real", Bytes: "blob",
		Serial: "integer PRIMARY KEY AUTOINCREMENT",
		search: fileSearch,
		// reading a row reads its long texts too
		include: func(columns ...string) string { return ", " + strings.Join(columns, ", ") },
	},
	matches: func(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
		fts := bun.Ident(table + "_search")
		return q.Where("?.seq IN (SELECT rowid FROM ? WHERE ? MATCH ?)", bun.Ident(table), fts, fts, quoteWords(words))
	},
	index:          fileIndex,
	contains:       "EXISTS (SELECT 1 FROM json_each(?) WHERE value = ?)",
	memberContains: "EXISTS (SELECT 1 FROM json_each(?, '$.' || ?) WHERE value = ?)",
	among:          "? IN (?)",
	rowsToJSON:     fileRowsToJSON,
	rowsOfJSON:     fileRowsOfJSON,
	inProcess:      true,
	migrationLock:  withFileLock,
	layout:         fileLayout,
	snapshot:       fileSnapshot,
	loading:        withoutFileChecks,
}

func openServer(ctx context.Context, address string) (*DB, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns, err = requestConns(address, config)
	if err != nil {
		return nil, err
	}
	isPooled, err := adaptSession(config.ConnConfig)
	if err != nil {
		return nil, err
	}
	config.AfterConnect = inUTC
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	config = config.Copy()
	config.MaxConns, config.MinConns, config.MinIdleConns = queueConns, 0, 0
	if !isPooled {
		config.ConnConfig.RuntimeParams["synchronous_commit"] = "off"
	}
	queue, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		pool.Close()
		return nil, err
	}
	conns := int(pool.Config().MaxConns)
	std := sql.OpenDB(patientConnector{stdlib.GetPoolConnector(pool)})
	std.SetMaxIdleConns(0) // pool keeps the idle ones
	std.SetMaxOpenConns(conns)
	db := newPool(std, pgdialect.New())
	return &DB{reader: db, writer: db, dialect: serverDialect, pool: pool, queue: queue, isPooled: isPooled,
		txConns: conns - max(conns/4, 1), commitWait: maxCommitWait}, nil
}

// inUTC makes a connection return times in UTC in any time zone of the process.
func inUTC(_ context.Context, conn *pgx.Conn) error {
	codec := &pgtype.TimestamptzCodec{ScanLocation: time.UTC}
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: codec})
	return nil
}

const (
	// connectTimeout limits the time to open a connection, unless the address has connect_timeout.
	connectTimeout = 5 * time.Second
	// preparedTexts is the number of statements that a connection keeps prepared. Both sides keep
	// them in memory.
	preparedTexts = 128
	// idleTimeoutParam limits the time between two statements of a transaction, and idleTimeout is
	// its default. Without it, a process that is stopped in a transaction could hold its row locks
	// for hours.
	idleTimeoutParam, idleTimeout = "idle_in_transaction_session_timeout", "10s"
	// queueConns is the number of connections for the queue.
	queueConns = 6
	// defaultConns is the number of connections to a server including the queue's, unless the
	// address has pool_max_conns.
	defaultConns = 24
)

// requestConns returns how many connections remain for requests and jobs beside the queue's. It
// fails if fewer than two remain, because a read must be possible beside a transaction.
func requestConns(address string, config *pgxpool.Config) (int32, error) {
	all := int32(defaultConns)
	if strings.Contains(address, "pool_max_conns") {
		all = config.MaxConns
	}
	if all < queueConns+2 {
		return 0, fmt.Errorf("pool_max_conns is %d: at least %d connections are needed", all, queueConns+2)
	}
	return all - queueConns, nil
}

// fileReaders is the number of connections that read a file; readers do not wait for the writer.
const fileReaders = 10

// uriEscaper escapes the characters of a path that have a meaning in an SQLite URI.
var uriEscaper = strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23")

// lowerCase replaces SQLite's function lower, which converts only ASCII, by one for every letter,
// as in Postgres and Go.
var lowerCase = sync.OnceValue(func() error {
	return sqlite.RegisterDeterministicScalarFunction("lower", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if text, ok := args[0].(string); ok {
				return strings.ToLower(text), nil
			}
			return args[0], nil
		})
})

func openFile(_ context.Context, path string) (*DB, error) {
	if err := errors.Join(lowerCase(), createPrivate(path)); err != nil {
		return nil, err
	}
	dsn := "file:" + uriEscaper.Replace(path) + "?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)"
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
	sqlite := sqlitedialect.New()
	return &DB{
		reader: newPool(reader, sqlite), writer: newPool(writer, sqlite), dialect: fileDialect, txConns: 1, path: path,
	}, nil
}

// createPrivate creates the file if it is missing and makes it readable by this user only. SQLite
// gives its other files the same mode.
func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(0o600), file.Close())
}

// serverSearch adds a tsvector column with an index. It indexes only the first 200,000 characters
// of a text, because the size of an index row is limited.
func serverSearch(table string, columns ...string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "left(coalesce(" + c + ", ''), 200000)"
	}
	return fmt.Sprintf(`ALTER TABLE %[1]s ADD COLUMN search tsvector GENERATED ALWAYS AS (to_tsvector('simple', %[2]s)) STORED;
--bun:split
CREATE INDEX %[1]s_search ON %[1]s USING gin (search);`, table, strings.Join(parts, " || ' ' || "))
}

// fileSearch creates a full-text table that triggers keep up to date.
func fileSearch(table string, columns ...string) string {
	list := strings.Join(columns, ", ")
	fresh, stale := "new."+strings.Join(columns, ", new."), "old."+strings.Join(columns, ", old.")
	drop := fmt.Sprintf("INSERT INTO %[1]s_search(%[1]s_search, rowid, %[2]s) VALUES ('delete', old.seq, %[3]s);",
		table, list, stale)
	add := fmt.Sprintf("INSERT INTO %[1]s_search(rowid, %[2]s) VALUES (new.seq, %[3]s);", table, list, fresh)
	return fmt.Sprintf(`CREATE VIRTUAL TABLE %[1]s_search USING fts5(%[2]s, content='%[1]s', content_rowid='seq', tokenize='unicode61 remove_diacritics 0');
--bun:split
CREATE TRIGGER %[1]s_search_insert AFTER INSERT ON %[1]s BEGIN %[4]s END;
--bun:split
CREATE TRIGGER %[1]s_search_delete AFTER DELETE ON %[1]s BEGIN %[3]s END;
--bun:split
CREATE TRIGGER %[1]s_search_update AFTER UPDATE OF %[2]s ON %[1]s BEGIN %[3]s %[4]s END;`, table, list, drop, add)
}

// quoteWords quotes every word, so that none is parsed as an operator.
func quoteWords(words string) string {
	fields := strings.Fields(words)
	for i, f := range fields {
		fields[i] = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
	}
	return strings.Join(fields, " ")
}

// driverFault classifies the errors of both drivers.
type driverFault int

const (
	faultNone driverFault = iota
	faultUnique
	faultReference // to a row that does not exist
	faultDown
	faultDeadlock // the server ended one of several transactions that waited for each other
	faultText
)

func faultOf(err error) driverFault {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() {
		case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
			return faultUnique
		case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
			return faultReference
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL:
			return faultDown
		}
		return faultNone
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok || isDisconnected(err) {
		return faultDown
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case e.Code == "23505":
			return faultUnique
		case e.Code == "23503":
			return faultReference
		case e.Code == "22021", e.Code == "22P05":
			return faultText
		case e.Code == "40P01":
			return faultDeadlock
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "53"),
			e.Code == "25P03":
			return faultDown
		}
	}
	return faultNone
}

// isUnanswered reports whether a commit failed without an answer of the server. pgconn.SafeToRetry
// cannot tell: it is also true for a commit that was sent, because pgx then reads from the
// connection that it has just closed.
func isUnanswered(err error) bool {
	_, isAnswered := errors.AsType[*pgconn.PgError](err)
	return err != nil && !isAnswered && !errors.Is(err, pgx.ErrTxCommitRollback)
}

// isDisconnected reports whether the connection was closed before or while the statement ran.
func isDisconnected(err error) bool {
	return pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
