package visibility

import (
	"context"
	"time"

	"rostrum/model"
)

// AuditReads stores an audit entry for each subject that the caller has read.
type AuditReads func(ctx context.Context, action string, subjectIDs []string) error

// Read is a text that a caller reads words of.
type Read struct {
	ID         string
	Visibility model.Visibility
	Until      *time.Time // the end of an embargo
}

// NoteReads notes in the audit log that the caller reads rows under embargo. Without such a row it
// runs no statement. If it returns an error, the rows must not be returned.
func NoteReads[T any](ctx context.Context, audit AuditReads, action string, now time.Time, rows []T,
	read func(T) Read) error {
	var ids []string
	for _, row := range rows {
		if r := read(row); Current(r.Visibility, r.Until, now) == model.VisibilityEmbargoed {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return audit(ctx, action, ids)
}
