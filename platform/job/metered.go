package job

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// retryOperation is the operation for which a retry reserves runs: the GraphQL field.
const retryOperation = "retryJob"

// Budget reserves and settles model runs of a workspace. account.Service implements it.
type Budget interface {
	// Reserve takes runs from the workspace's budget for a job. It returns errs.BudgetExhausted if
	// fewer remain.
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	// Commit spends the job's open reservation. It does nothing if the reservation is settled.
	Commit(ctx context.Context, tx dbx.Tx, jobID string) error
	// Return puts the job's open reservation back into the budget. It does nothing if it is
	// settled.
	Return(ctx context.Context, tx dbx.Tx, jobID string) error
	// Settle spends some runs of the job's open reservation and returns the rest. It does nothing
	// if it is settled.
	Settle(ctx context.Context, tx dbx.Tx, jobID string, spent int) error
	// ReportRunsRemaining sets the workspace's remaining runs in the response metadata.
	ReportRunsRemaining(ctx context.Context, workspaceID string) error
}

// Metered registers and queues jobs that are paid from a workspace's run budget, for example
// reactions. Runs are reserved with the job and settled in the transaction that ends it. A retry
// reserves again.
type Metered struct {
	jobs   *Service
	budget Budget
}

// NewMetered returns a Metered that queues jobs in a service and reserves their runs in a budget.
func NewMetered(jobs *Service, budget Budget) *Metered { return &Metered{jobs, budget} }

// MeteredKind is the Kind of a metered job type. Work and RetryRuns run as the job's owner; OnEnd
// runs after the settlement. OnRetry and BeforeRetry must be nil.
type MeteredKind struct {
	Kind
	// SpentRuns returns how many reserved runs an ended job spent; the budget gets the rest back.
	// It runs in the transaction that ends the job and may set Result. If it is nil, a completed
	// job spends all and any other job none. Work may settle earlier with Budget.Settle.
	SpentRuns func(ctx context.Context, tx dbx.Tx, job *model.Job, cause error) (int, error)
	// RetryRuns returns how many runs a retry reserves, or an error that refuses the retry. It runs
	// before the retry's transaction, so it may read the database without waiting for a second
	// connection. See FixedRuns.
	RetryRuns func(ctx context.Context, job *model.Job) (int, error)
}

// MeteredRequest is a Request with the runs that its job reserves.
type MeteredRequest struct {
	Request
	Operation string // the GraphQL field that the runs are reserved for
	Runs      int    // 0 reserves none
	// AfterReserve runs in the same transaction after the reservation. Its error undoes the job;
	// nil does nothing.
	AfterReserve func(ctx context.Context, tx dbx.Tx, job *model.Job) error
}

// Register adds a metered job type. Like Service.Register it panics on a programming error.
func (m *Metered) Register(jobType string, kind MeteredKind) {
	if kind.RetryRuns == nil || kind.OnRetry != nil || kind.BeforeRetry != nil {
		panic(fmt.Sprintf("job: metered type %q needs RetryRuns and neither OnRetry nor BeforeRetry", jobType))
	}
	registered := kind.Kind
	if kind.Work != nil {
		registered.Work = func(ctx context.Context, run *Run) (any,
			error) {
			return kind.Work(AsOwner(ctx, run.Job), run)
		}
	}
	registered.OnEnd = func(ctx context.Context, tx dbx.Tx, job *model.Job, cause error) error {
		if err := m.settleJob(ctx, tx, kind, job, cause); err != nil || kind.OnEnd == nil {
			return err
		}
		return kind.OnEnd(ctx, tx, job, cause)
	}
	registered.BeforeRetry = func(ctx context.Context, job *model.Job) (func(context.Context, dbx.Tx, *model.Job) error,
		error) {
		runs, err := kind.RetryRuns(AsOwner(ctx, job), job)
		return func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
			return m.reserveRuns(ctx, tx, job, retryOperation, runs)
		}, err
	}
	m.jobs.Register(jobType, registered)
}

func (m *Metered) settleJob(ctx context.Context, tx dbx.Tx, kind MeteredKind, job *model.Job, cause error) error {
	switch {
	case kind.SpentRuns != nil:
		spent, err := kind.SpentRuns(ctx, tx, job, cause)
		if err != nil {
			return err
		}
		return m.budget.Settle(ctx, tx, job.ID, spent)
	case job.Status == model.JobStatusCompleted:
		return m.budget.Commit(ctx, tx, job.ID)
	}
	return m.budget.Return(ctx, tx, job.ID)
}

func (m *Metered) reserveRuns(ctx context.Context, tx dbx.Tx, job *model.Job, operation string, runs int) error {
	if runs == 0 {
		return nil
	}
	return m.budget.Reserve(ctx, tx, job.WorkspaceID, operation, job.ID, runs)
}

// Enqueue queues a job for the workspace and user of the context's principal and reserves its runs.
// It returns errs.BudgetExhausted if the budget does not cover them.
func (m *Metered) Enqueue(ctx context.Context, r MeteredRequest) (*model.Job, error) {
	p := principal.Must(ctx)
	r.WorkspaceID, r.UserID = p.WorkspaceID, p.UserID
	var queued *model.Job
	err := m.jobs.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		queued, err = m.EnqueueTx(ctx, tx, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", r.Type, err)
	}
	if r.Runs == 0 {
		err = m.budget.ReportRunsRemaining(ctx, p.WorkspaceID)
	}
	return queued, err
}

// EnqueueTx queues a job and reserves its runs in the caller's transaction, for the workspace and
// user of the request. The reservation locks the workspace's row. It returns errs.BudgetExhausted
// if the budget does not cover the runs.
func (m *Metered) EnqueueTx(ctx context.Context, tx dbx.Tx, r MeteredRequest) (*model.Job, error) {
	queued, err := m.jobs.Enqueue(ctx, tx, r.Request)
	if err != nil {
		return nil, err
	}
	if err := m.reserveRuns(ctx, tx, queued, r.Operation, r.Runs); err != nil {
		return nil, err
	}
	if r.AfterReserve == nil {
		return queued, nil
	}
	return queued, r.AfterReserve(ctx, tx, queued)
}

// Start queues a job like Enqueue and returns it as operations of the graph do.
func (m *Metered) Start(ctx context.Context, r MeteredRequest) (*model.StartedJob, error) {
	queued, err := m.Enqueue(ctx, r)
	if err != nil {
		return nil, err
	}
	return &model.StartedJob{Job: queued}, nil
}

// Estimate returns what an operation would cost, and reports the workspace's remaining runs in the
// response metadata.
func (m *Metered) Estimate(ctx context.Context, runs int) (*model.Estimate, error) {
	return &model.Estimate{Runs: runs}, m.budget.ReportRunsRemaining(ctx, principal.Must(ctx).WorkspaceID)
}

// FixedRuns returns a RetryRuns function for job types that always cost the same.
func FixedRuns(runs int) func(context.Context, *model.Job) (int, error) {
	return func(context.Context, *model.Job) (int, error) { return runs, nil }
}

// QuadraticBackoff returns the pause before the attempt-th retry: 2 s, 8 s, 18 s and so on.
func QuadraticBackoff(attempt int) time.Duration {
	return time.Duration(attempt*attempt) * 2 * time.Second
}

// AsOwner returns a context with the principal that queued a job, without key and scopes.
func AsOwner(ctx context.Context, job *model.Job) context.Context {
	return principal.With(ctx, principal.Principal{WorkspaceID: job.WorkspaceID,
		UserID: optional.ValueOr(job.UserID, "")})
}
