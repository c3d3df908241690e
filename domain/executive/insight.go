package executive

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// The number of documents that one comparison reads, and how many of them concurrently.
const (
	mostExtracted = 20
	extractAtOnce = 4
)

// Compare compares executives or companies by their statements on themes. A stored comparison costs
// nothing and is returned unless a fresh one is requested. A new one costs one run, plus one per
// document to read first. It returns errs.ValidationFailed for long lists, unknown subjects and
// personas, errs.BudgetExhausted, and the text model's errors.
func (s *Service) Compare(ctx context.Context, in api.CompareInsightsInput) (*model.CompareInsightsPayload, error) {
	p := principal.Must(ctx)
	q, err := s.parseQuestion(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.findComparison(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	runs := compareRuns(kept, unread)
	if kept != nil {
		return comparisonPayload(kept), s.Accounts.ReportRunsRemaining(ctx, p.WorkspaceID)
	}
	var made *model.Insight
	err = s.Accounts.Spend(ctx, p.WorkspaceID, opCompare, runs, func(ctx context.Context) (Finish, error) {
		made, err = llm.Within(ctx, callTime, func(ctx context.Context) (*model.Insight, error) {
			return s.newComparison(ctx, p.WorkspaceID, q, unread)
		})
		return func(ctx context.Context, tx dbx.Tx) error { return s.keepInsight(ctx, tx, made) }, err
	})
	if err != nil {
		return nil, fmt.Errorf("compare insights: %w", err)
	}
	return comparisonPayload(made), nil
}

func comparisonPayload(of *model.Insight) *model.CompareInsightsPayload {
	return &model.CompareInsightsPayload{Comparison: of.Answer, StoredID: of.StoredID()}
}

// EstimateCompare returns the cost of Compare, or errs.ValidationFailed.
func (s *Service) EstimateCompare(ctx context.Context, in api.CompareInsightsInput) (*model.Estimate, error) {
	p := principal.Must(ctx)
	q, err := s.parseQuestion(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.findComparison(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, compareRuns(kept, unread))
}

// StartComparison queues Compare as a job. It returns the same errors, except the text model's.
func (s *Service) StartComparison(ctx context.Context, in api.CompareInsightsInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	q, err := s.parseQuestion(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.findComparison(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	q.Runs = compareRuns(kept, unread)
	return s.metered.Start(ctx, job.MeteredRequest{
		Request: job.Request{Type: JobCompare, Parameters: q}, Operation: opCompare, Runs: q.Runs,
	})
}

func compareRuns(kept *model.Insight, unread []*model.Document) int {
	if kept != nil {
		return 0
	}
	return oneRun + min(len(unread), mostExtracted)
}

// retryCost returns the runs that a retry of a comparison reserves, at least one.
func retryCost(_ context.Context, of *model.Job) (int, error) {
	q, err := job.Parameters[comparisonQuestion](of)
	if err != nil {
		return 0, err
	}
	return max(q.Runs, oneRun), nil
}

// workCompare runs a job's comparison and spends the used runs. It reads no more documents than it
// has runs for.
func (s *Service) workCompare(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	q, err := job.Parameters[comparisonQuestion](run.Job)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.findComparison(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		return comparisonResult(kept), run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			return s.Accounts.Settle(ctx, tx, run.Job.ID, 0)
		})
	}
	unread = unread[:min(len(unread), max(q.Runs-oneRun, 0))]
	if err := run.Progress(ctx, 10, fmt.Sprintf("looking through %d documents", len(unread))); err != nil {
		return nil, err
	}
	made, err := llm.Within(ctx, jobTime, func(ctx context.Context) (*model.Insight, error) {
		return s.newComparison(ctx, p.WorkspaceID, q, unread)
	})
	if err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.keepInsight(ctx, tx, made); err != nil {
			return err
		}
		return s.Accounts.Settle(ctx, tx, run.Job.ID, oneRun+len(unread))
	})
	return comparisonResult(made), err
}

func comparisonResult(of *model.Insight) *model.ComparisonResult {
	return &model.ComparisonResult{InsightComparison: *of.Answer, StoredID: of.StoredID()}
}

// findComparison returns the stored comparison of a question with current citations. It also
// returns the subjects' documents without signals, latest first.
func (s *Service) findComparison(ctx context.Context, workspaceID string,
	q comparisonQuestion) (*model.Insight, []*model.Document, error) {
	row, err := s.keptInsight(ctx, workspaceID, q)
	if err != nil {
		return nil, nil, err
	}
	if row == nil || q.Fresh {
		unread, err := s.unreadDocuments(ctx, workspaceID, q)
		return nil, unread, err
	}
	if err := s.refreshCitations(ctx, row); err != nil {
		return nil, nil, err
	}
	row.IsStored, row.Answer.CachedAt = true, &row.CreatedAt
	row.Answer.UnreadDocuments, err = s.countUnread(ctx, workspaceID, q, &row.CreatedAt)
	return row, nil, err
}

// newComparison reads the unread documents and returns an unsaved comparison.
func (s *Service) newComparison(ctx context.Context, workspaceID string, q comparisonQuestion,
	unread []*model.Document) (*model.Insight, error) {
	if err := s.extractAll(ctx, workspaceID, unread[:min(len(unread), mostExtracted)]); err != nil {
		return nil, err
	}
	m, err := s.loadSignals(ctx, workspaceID, q)
	if err != nil {
		return nil, err
	}
	made := &model.Insight{
		ID: model.NewID(model.InsightPrefix), WorkspaceID: workspaceID, RequestKey: q.requestKey(s.Engine.Model()),
		CreatedAt: model.Now(),
	}
	if made.Answer, err = s.requestComparison(ctx, m); err != nil {
		return nil, err
	}
	if made.Answer.AudienceResonance, err = s.measureResonance(ctx, m); err != nil {
		return nil, err
	}
	if made.Answer.UnreadDocuments, err = s.countUnread(ctx, workspaceID, q, nil); err != nil {
		return nil, err
	}
	made.Sources, err = s.citedVersions(ctx, made)
	return made, err
}

// extractAll extracts signals from documents concurrently. They are stored even if the comparison
// fails.
func (s *Service) extractAll(ctx context.Context, workspaceID string, unread []*model.Document) error {
	ids := make([]string, len(unread))
	for i, doc := range unread {
		ids[i] = doc.ID
	}
	docs, err := s.Documents.ByIDs(ctx, workspaceID, ids, readColumns...)
	if err != nil {
		return err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(extractAtOnce)
	for _, doc := range docs {
		work.Go(errs.CatchPanic(func() error {
			found, err := s.extractSignals(ctx, doc)
			if err != nil {
				return err
			}
			err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) })
			if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Conflict) {
				return nil // stored, deleted or changed concurrently; the stored signals are used
			}
			return err
		}))
	}
	return work.Wait()
}
