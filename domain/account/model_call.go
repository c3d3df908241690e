package account

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/slot"
)

const (
	// records that wait for a database that does not answer; further ones are logged and lost
	maxBufferedCalls = 10_000
	callStoreTime    = 2 * time.Second // of storing records
)

// callBuffer holds records of model requests until they are stored. It is safe for concurrent use.
type callBuffer struct {
	mu   sync.Mutex
	rows []*model.ModelCall
}

// add appends records; false means that the buffer is full.
func (b *callBuffer) add(rows ...*model.ModelCall) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.rows)+len(rows) > maxBufferedCalls {
		return false
	}
	b.rows = append(b.rows, rows...)
	return true
}

// take removes all records.
func (b *callBuffer) take() []*model.ModelCall {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows := b.rows
	b.rows = nil
	return rows
}

// RecordCall stores the record of a model request for the context's workspace and job; without a
// workspace it does nothing. It waits for the database up to two seconds, so that readers of the
// job's result also find its cost. After that Run stores the record.
func (s *Service) RecordCall(ctx context.Context, call *model.ModelCall) {
	call.WorkspaceID = slot.TenantOf(ctx)
	if call.WorkspaceID == "" {
		return
	}
	call.ID, call.JobID, call.CreatedAt = model.NewID(model.ModelCallPrefix), job.RunningID(ctx), model.Now()
	s.bufferCalls(ctx, call)
	_ = s.storeCalls(ctx) // Run retries
}

func (s *Service) bufferCalls(ctx context.Context, rows ...*model.ModelCall) {
	if !s.calls.add(rows...) {
		slog.ErrorContext(ctx, "records of requests to models are lost: the database does not answer", "records",
			len(rows))
	}
}

// storeCalls stores the buffered records. After an error it keeps them for the next call, unless
// the database refuses them.
func (s *Service) storeCalls(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callStoreTime)
	defer cancel()
	rows := s.calls.take()
	for len(rows) > 0 {
		batch := rows[:min(len(rows), usageBatch)]
		_, err := s.db.NewInsert().Model(&batch).On("CONFLICT (id) DO NOTHING").Exec(ctx)
		switch err = dbx.Err(err); {
		case errs.Is(err, errs.Unavailable), err != nil && ctx.Err() != nil:
			s.bufferCalls(ctx, rows...)
			return err
		case err != nil:
			slog.ErrorContext(ctx, "records of requests to models cannot be stored", "records", len(batch), "error",
				err)
		}
		rows = rows[len(batch):]
	}
	return nil
}

// DeleteOldCalls deletes the records that are older than the retention.
func (s *Service) DeleteOldCalls(ctx context.Context) error {
	if s.callRetention == 0 {
		return nil
	}
	return dbx.DeleteBefore[model.ModelCall](ctx, s.db, model.ModelCallPrefix, "created_at",
		model.Now().Add(-s.callRetention))
}

// ModelCallPages returns a page of records per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) ModelCallPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.ModelCallConnection, error) {
	list := dbx.List[model.ModelCall]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.ModelCall) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.ModelCall]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// ModelCallsByID returns the workspace's records with the ids (see dbx.ByIDs).
func (s *Service) ModelCallsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.ModelCall, error) {
	return dbx.ByIDs[model.ModelCall](ctx, s.db, workspaceID, ids, columns...)
}

// sumCalls selects the sums of requests: the cost is null if one of them has none.
func sumCalls(q *bun.SelectQuery) *bun.SelectQuery {
	return q.ColumnExpr("count(*) AS calls, sum(prompt_tokens) AS prompt_tokens, sum(answer_tokens) AS answer_tokens").
		ColumnExpr("CASE WHEN count(cost_nanos) = count(*) THEN CAST(sum(cost_nanos) AS bigint) END AS cost_nanos")
}

// maxTotals is the maximum number of models that ModelTotals returns.
const maxTotals = 100

// ModelTotals sums the workspace's stored requests by server and model. It returns at most 100
// sums, the most frequent first.
func (s *Service) ModelTotals(ctx context.Context, workspaceID string) ([]*model.ModelTotal, error) {
	totals := []*model.ModelTotal{}
	err := s.db.NewSelect().Model((*model.ModelCall)(nil)).Apply(sumCalls).Column("provider", "model").
		ColumnExpr("sum(CASE WHEN outcome = ? THEN 0 ELSE 1 END) AS failed_calls", model.ModelCallOK).
		Where("workspace_id = ?", workspaceID).
		Group("provider", "model").OrderExpr("count(*) DESC, provider, model").Limit(maxTotals).Scan(ctx, &totals)
	return totals, dbx.Err(err)
}

// ModelUsage returns the sum of each job's requests, in the order of the ids and with one
// statement.
func (s *Service) ModelUsage(ctx context.Context, workspaceID string, jobIDs []string) ([]*model.ModelUsage, error) {
	var sums []*model.ModelUsage
	err := s.db.NewSelect().Model((*model.ModelCall)(nil)).Column("job_id").Apply(sumCalls).
		Where("workspace_id = ? AND job_id IN (?)", workspaceID, bun.List(jobIDs)).Group("job_id").Scan(ctx, &sums)
	byJob := make(map[string]*model.ModelUsage, len(sums))
	for _, sum := range sums {
		byJob[sum.JobID] = sum
	}
	out := make([]*model.ModelUsage, len(jobIDs))
	for i, id := range jobIDs {
		if out[i] = byJob[id]; out[i] == nil {
			out[i] = &model.ModelUsage{JobID: id, CostNanos: new(int64)}
		}
	}
	return out, dbx.Err(err)
}
