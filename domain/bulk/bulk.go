package bulk

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/blob"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// The types of the package's jobs, their queue, and its number of workers in a process.
const (
	JobQuery    = "bulk_query"
	JobMutation = "bulk_mutation"

	Queue   = "bulk"
	Workers = 4
)

// The limits of files.
const (
	MaxFile  = 4 << 30 // bytes of a file
	MaxKept  = 8 << 30 // bytes of a workspace's files, of which the oldest are deleted
	MaxLine  = 16 << 20
	MaxInput = 50 << 20 // bytes of the inputs of a mutation
	MaxLines = 100_000  // of inputs
	// MaxInputLine is the number of bytes of one input.
	MaxInputLine = 1 << 20
	// Retention is how long a file is kept after the end of its job.
	Retention = 7 * 24 * time.Hour
)

// Executor runs operations of the graph as the principal of the context. The graph's server
// implements it.
type Executor interface {
	// CheckOperation returns an error if the caller may not run the text, or could not, for example
	// because it is over a limit.
	CheckOperation(ctx context.Context, text string, variables map[string]any) error
	// CheckText returns an error if the caller may not run the text, or it is too long.
	CheckText(ctx context.Context, text string) error
	// RunOperation runs an operation. A key that is not empty makes it run once: again it returns
	// the stored answer.
	RunOperation(ctx context.Context, text string, variables map[string]any, key string) (json.RawMessage, gqlerror.List)
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	DB        *dbx.DB
	Files     *blob.Store
	Jobs      *job.Service
	Schema    *ast.Schema // that clients see
	PublicURL string
	// Principal returns a key or a user as the principal that it is now. It returns an error for a
	// revoked or expired key, and for a user who is no member.
	Principal func(ctx context.Context, workspaceID, keyID, userID string) (principal.Principal, error)
	// EventCursor returns the end of the workspace's event feed.
	EventCursor func(ctx context.Context, workspaceID string) (string, error)
	// LockWorkspace locks the row of a workspace, which orders the starts of its jobs.
	LockWorkspace func(ctx context.Context, tx dbx.Tx, workspaceID string) (*model.Workspace, error)
	// Audit writes an entry of the workspace's audit log in the transaction of the change.
	Audit func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error
}

// Service implements bulk queries and bulk mutations.
type Service struct {
	Config
	executor Executor
	part     partLimits
}

// partLimits are when a part is committed; tests lower them.
type partLimits struct {
	bytes int
	time  time.Duration
}

// New returns a Service and registers its jobs. Call RunOn before the first request.
func New(c Config) *Service {
	s := &Service{Config: c, part: partLimits{bytes: 8 << 20, time: 2 * time.Second}}
	kind := job.Kind{Queue: Queue, MaxRetries: 5, Timeout: jobTime, OnEnd: s.endJob, OnRetry: s.retryJob}
	kind.Work = s.workQuery
	c.Jobs.Register(JobQuery, kind)
	kind.Work = s.workMutation
	c.Jobs.Register(JobMutation, kind)
	return s
}

// jobTime is the timeout of a run; a retry continues.
const jobTime = 4 * time.Hour

// RunOn sets the executor of operations.
func (s *Service) RunOn(executor Executor) { s.executor = executor }

// StartQuery queues the job that writes a list into a file. It returns errs.ValidationFailed for an
// invalid query and one that is no such list, the graph's errors for one that the caller may not run,
// and errs.InvalidState while another bulk query of the workspace runs.
func (s *Service) StartQuery(ctx context.Context, in api.StartBulkQueryInput) (*model.StartedJob, error) {
	if err := s.executor.CheckText(ctx, in.Query); err != nil {
		return nil, fmt.Errorf("start a bulk query: %w", err)
	}
	planned, err := planQuery(s.Schema, in.Query)
	if err != nil {
		return nil, fmt.Errorf("start a bulk query: %w", err)
	}
	if err := s.executor.CheckOperation(ctx, in.Query, nil); err != nil {
		return nil, fmt.Errorf("start a bulk query: %w", err)
	}
	if _, err := s.fitSizes(ctx, planned); err != nil {
		return nil, fmt.Errorf("start a bulk query: %w", err)
	}
	return s.enqueue(ctx, JobQuery, model.BulkQueryParameters{Query: in.Query}, nil)
}

// enqueue stores a job with its file.
func (s *Service) enqueue(ctx context.Context, kind string, parameters any, input *string) (*model.StartedJob, error) {
	p, started := principal.Must(ctx), new(model.StartedJob)
	if _, err := s.deleteOld(ctx, p.WorkspaceID, s.DB.Now()); err != nil {
		return nil, fmt.Errorf("queue a bulk job: %w", err)
	}
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if err := checkAlone(ctx, tx, p.WorkspaceID, kind); err != nil {
			return err
		}
		started.Job, err = s.Jobs.Enqueue(ctx, tx, job.Request{Type: kind, WorkspaceID: p.WorkspaceID, UserID: p.UserID,
			Parameters: parameters})
		if err != nil {
			return err
		}
		file := &model.BulkFile{JobID: started.Job.ID, WorkspaceID: p.WorkspaceID, Kind: kind,
			KeyID: optional.NonEmpty(p.KeyID), UserID: optional.NonEmpty(p.UserID), InputBlob: input, CreatedAt: s.DB.Now()}
		if _, err := tx.NewInsert().Model(file).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		return s.Audit(ctx, tx, p.WorkspaceID, kind+".started", started.Job.ID, nil)
	})
	if err != nil {
		return nil, fmt.Errorf("queue a bulk job: %w", err)
	}
	return started, nil
}

// checkAlone returns errs.InvalidState if a job of the kind runs in the workspace, whose row is locked.
func checkAlone(ctx context.Context, tx dbx.Tx, workspaceID, kind string) error {
	other, err := runningFile(ctx, tx, workspaceID, kind)
	if err != nil || other == nil {
		return err
	}
	return errs.New(errs.InvalidState, "the job %s of the same kind runs in this workspace: wait for its end, or cancel it",
		other.JobID)
}

// endJob sets the result of an ended job, with what its file has.
func (s *Service) endJob(ctx context.Context, tx dbx.Tx, of *model.Job, _ error) error {
	file, err := dbx.NilIfNotFound(findFile(ctx, tx, of.WorkspaceID, of.ID))
	if file == nil || err != nil {
		return err
	}
	now := s.DB.Now()
	if err := s.endFile(ctx, tx, of, file, now); err != nil {
		return err
	}
	raw, err := json.Marshal(s.resultOf(file, now.Add(Retention)))
	text := string(raw)
	of.ResultText = &text
	return err
}

// resultOf returns the result of a job with the file.
func (s *Service) resultOf(file *model.BulkFile, expires time.Time) model.JobResult {
	address := s.PublicURL + "/api/v1/jobs/" + file.JobID + "/file"
	if file.Kind == JobMutation {
		return &model.BulkMutationResult{URL: address, LineCount: file.RowCount, FailedCount: file.FailedCount,
			ByteCount: int(file.ByteCount), ExpiresAt: expires}
	}
	return &model.BulkQueryResult{URL: address, RowCount: file.RowCount, ByteCount: int(file.ByteCount),
		Position: optional.ValueOr(file.Position, ""), ExpiresAt: expires}
}

// mutationRetry is how long after its start a mutation may be retried: less than idempotency keys
// are kept.
const mutationRetry = 12 * time.Hour

// retryJob allows a retry, which continues the file.
func (s *Service) retryJob(ctx context.Context, tx dbx.Tx, of *model.Job) error {
	if _, err := s.LockWorkspace(ctx, tx, of.WorkspaceID); err != nil {
		return err
	}
	file, err := dbx.NilIfNotFound(findFile(ctx, tx, of.WorkspaceID, of.ID))
	switch {
	case err != nil:
		return err
	case file == nil:
		return errs.New(errs.InvalidState, "the file of this job was deleted; start another one")
	case of.JobTypeText == JobMutation && s.DB.Now().Sub(of.CreatedAt) > mutationRetry:
		return errs.New(errs.InvalidState, "a bulk mutation can be retried for 12 hours after its start; start another one with the lines that its report does not have")
	}
	if err := checkAlone(ctx, tx, of.WorkspaceID, of.JobTypeText); err != nil {
		return err
	}
	return reopenFile(ctx, tx, of.ID)
}
