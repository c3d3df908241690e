package bulk

import (
	"context"
	"fmt"
	"time"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// pageSizes are how many rows the pages of the root and of nested connections have.
type pageSizes struct{ first, nested int }

var largestPages = pageSizes{100, 20}

// shrink makes the larger pages smaller, and reports false if all have one row.
func (s *pageSizes) shrink() bool {
	switch {
	case s.first > 1 && s.first >= s.nested:
		s.first /= 2
	case s.nested > 1:
		s.nested /= 2
	case s.first > 1:
		s.first /= 2
	default:
		return false
	}
	return true
}

// grow makes pages larger, up to a limit.
func (s *pageSizes) grow(limit pageSizes) {
	s.first, s.nested = min(2*s.first, limit.first), min(2*s.nested, limit.nested)
}

// fitSizes returns the largest pages that the caller may ask for. It returns the graph's error if
// that is not one row.
func (s *Service) fitSizes(ctx context.Context, p *queryPlan) (pageSizes, error) {
	size := largestPages
	for {
		err := s.executor.CheckOperation(ctx, p.page, p.variables(size, nil))
		if err == nil || !errs.Is(err, errs.LimitExceeded) || !size.shrink() {
			return size, err
		}
	}
}

// growAfter is the number of pages after which pages become larger again.
const growAfter = 16

// queryRun reads a list into the parts of a file.
type queryRun struct {
	*partWriter
	plan        *queryPlan
	limit, size pageSizes
	good        int // pages since the size has changed
	total       int // rows; 0 if it is not known
}

// workQuery writes the rest of the file.
func (s *Service) workQuery(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[model.BulkQueryParameters](run.Job)
	if err != nil {
		return nil, err
	}
	w, ctx, err := s.openPart(ctx, run)
	if err != nil || w.file.Finished {
		return nil, err
	}
	q := &queryRun{partWriter: w}
	if q.plan, err = planQuery(s.Schema, in.Query); err != nil {
		return nil, job.Permanent(err)
	}
	if q.limit, err = s.fitSizes(ctx, q.plan); err != nil {
		return nil, err
	}
	q.size = q.limit
	if err := q.begin(ctx); err != nil {
		return nil, err
	}
	for !w.file.Finished {
		if err := q.readPage(ctx); err != nil {
			return nil, err
		}
		if w.isDue() || w.file.Finished {
			if ctx, err = w.commit(ctx, q.percent(), q.note()); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// begin notes the position of the feed, before the first row is read, and counts the rows.
func (q *queryRun) begin(ctx context.Context) error {
	if q.file.Position == nil {
		position, err := q.s.EventCursor(ctx, q.file.WorkspaceID)
		if err != nil {
			return err
		}
		q.file.Position = &position
		if _, err := q.commit(ctx, 0, "reading"); err != nil {
			return err
		}
	}
	if q.plan.count == "" {
		return nil
	}
	data, failed := q.s.executor.RunOperation(ctx, q.plan.count, nil, "")
	if len(failed) == 0 { // else only the progress is unknown
		q.total = int(gjson.GetBytes(data, q.plan.root+".totalCount").Int())
	}
	return nil
}

func (q *queryRun) percent() int {
	if q.file.Finished {
		return 100
	}
	if q.total == 0 {
		return 0
	}
	return min(99, 100*q.file.RowCount/q.total)
}

func (q *queryRun) note() string {
	return fmt.Sprintf("%d rows, %.1f MB", q.file.RowCount, float64(q.file.ByteCount+int64(q.lines.Len()))/1e6)
}

// readPage writes the lines of the next page.
func (q *queryRun) readPage(ctx context.Context) error {
	data, err := q.ask(ctx, q.plan.page, func() map[string]any { return q.plan.variables(q.size, q.file.Cursor) })
	if err != nil {
		return err
	}
	connection := data.Get(q.plan.root)
	lines := &lineWriter{out: &q.lines, next: func(list *pagedList, parentID, after string) (gjson.Result, error) {
		return q.readNested(ctx, list, parentID, after)
	}}
	connection.Get(q.plan.list).ForEach(func(_, node gjson.Result) bool {
		if q.plan.element != "" {
			node = node.Get(q.plan.element)
		}
		err = lines.write(q.plan.node, node)
		q.file.RowCount++
		return err == nil
	})
	if err != nil {
		return err
	}
	if q.file.ByteCount+int64(q.lines.Len()) > MaxFile {
		return errs.New(errs.LimitExceeded, "the file would have more than the %d bytes that a file may have: select fewer fields or fewer rows",
			int64(MaxFile)).With("limit", int64(MaxFile))
	}
	after, more := following(connection)
	q.file.Cursor, q.file.Finished = &after, !more
	return nil
}

// readNested returns a further page of a nested connection.
func (q *queryRun) readNested(ctx context.Context, list *pagedList, parentID, after string) (gjson.Result, error) {
	data, err := q.ask(ctx, list.text, func() map[string]any {
		out := map[string]any{"id": parentID, "first": q.size.nested, "after": after}
		if list.nests {
			out["nested"] = q.size.nested
		}
		return out
	})
	return data.Get("node." + list.key), err
}

// The waits for a slot of the workspace.
const (
	slotTries = 30
	slotPause = time.Second
)

// ask runs an operation with smaller pages until it fits the limits.
func (q *queryRun) ask(ctx context.Context, text string, variables func() map[string]any) (gjson.Result, error) {
	for tries := 0; ; {
		data, failed := q.s.executor.RunOperation(ctx, text, variables(), "")
		err := errorOf(failed)
		switch {
		case err == nil:
			if q.good++; q.good >= growAfter {
				q.size.grow(q.limit)
				q.good = 0
			}
			return gjson.ParseBytes(data), ctx.Err()
		case ctx.Err() != nil:
			return gjson.Result{}, ctx.Err()
		case (errs.Is(err, errs.LimitExceeded) || errs.Is(err, errs.Unavailable)) && q.size.shrink():
			q.good = 0
		case errs.Is(err, errs.RateLimited) && tries < slotTries:
			tries++
			if err := pause(ctx, slotPause); err != nil {
				return gjson.Result{}, err
			}
		default:
			return gjson.Result{}, err
		}
	}
}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// errorOf returns the first error of a response as one of errs, or nil.
func errorOf(failed gqlerror.List) error {
	if len(failed) == 0 {
		return nil
	}
	if code, ok := failed[0].Extensions["code"].(string); ok {
		return errs.Wrap(failed[0], errs.Code(code), "%s", failed[0].Message)
	}
	return failed[0]
}
