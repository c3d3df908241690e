package dbx

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// patientConnector retries while the server has no free connection. Its connections are
// inlineConns.
type patientConnector struct{ driver.Connector }

// Connect returns a connection of the pool.
func (c patientConnector) Connect(ctx context.Context) (conn driver.Conn, err error) {
	err = retryWhileFull(ctx, func() error {
		conn, err = c.Connector.Connect(ctx)
		return err
	})
	if std, ok := conn.(*stdlib.Conn); ok {
		conn = inlineConn{std}
	}
	return conn, err
}

// inlineConn runs queries without preparing them. bun writes arguments into the text, so most texts
// occur once and preparing them would only fill memory. [Read] prepares the queries that repeat.
type inlineConn struct{ *stdlib.Conn }

// QueryContext implements driver.QueryerContext.
func (c inlineConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) == 0 {
		args = []driver.NamedValue{{Value: pgx.QueryExecModeExec}}
	}
	return c.Conn.QueryContext(ctx, query, args)
}

const (
	// fullWait limits how long a statement waits while the server has too many connections.
	fullWait = 10 * time.Second
	// fullPause is the first pause between two attempts, and maxFullPause the longest one.
	fullPause    = 5 * time.Millisecond
	maxFullPause = 100 * time.Millisecond
)

// retryWhileFull repeats an attempt while the server has too many connections. It helps even if no
// other program disconnects, because one of this process's connections becomes free. When the
// context ends or fullWait is over, it returns the attempt's error.
func retryWhileFull(ctx context.Context, attempt func() error) error {
	var deadline <-chan time.Time
	for pause := fullPause; ; pause = min(2*pause, maxFullPause) {
		err := attempt()
		if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != "53300" {
			return err
		}
		if deadline == nil {
			deadline = time.After(fullWait)
		}
		select {
		case <-ctx.Done():
			return err
		case <-deadline:
			return err
		case <-time.After(pause):
		}
	}
}
