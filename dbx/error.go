package dbx

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"

	"rostrum/errs"
)

// Err converts a driver's error to an errs.Error: NotFound for a missing row, Conflict for a
// duplicate value, Unavailable for an unreachable database and for a transaction that was ended
// because others waited for it and it for them. Errors of errs and of an ended context are returned
// unchanged.
func Err(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, ok := errors.AsType[*errs.Error](err); ok {
		return err
	}
	if errors.Is(err, sql.ErrNoRows) {
		return errs.Wrap(err, errs.NotFound, "there is no such thing in this workspace")
	}
	switch faultOf(err) {
	case faultUnique:
		return errs.Wrap(err, errs.Conflict, "another one of that name or address exists")
	case faultDown:
		return errs.Wrap(err, errs.Unavailable, "the database cannot be reached")
	case faultDeadlock:
		return errs.Wrap(err, errs.Unavailable, "another change of the same rows came first and nothing was stored; send it again")
	case faultText:
		return errs.Wrap(err, errs.BadRequest, "the text holds characters that cannot be stored")
	}
	if _, ok := errors.AsType[net.Error](err); ok || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) {
		return errs.Wrap(err, errs.Unavailable, "the database cannot be reached")
	}
	return errs.Wrap(err, errs.Internal, "the database refused a statement")
}

// IsOrphan reports whether a row was refused because it refers to a missing row, for example to a
// workspace that was deleted.
func IsOrphan(err error) bool { return faultOf(err) == faultReference }
