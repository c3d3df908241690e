package executive

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// How many documents one comparison looks through, and how many of them at once.
const (
	mostExtracted = 20
	extractAtOnce = 4
)

// Compare holds what executives or companies say on themes beside one another. A comparison that is kept is given again and costs nothing, unless a
// fresh one is asked for; a new one costs a run, and one for each document that it has to look through first. It fails with validation_failed for
// lists that are too long and for unknown subjects and personas, with budget_exhausted, and as the text model does.
func (s *Service) Compare(ctx context.Context, in model.CompareInsightsInput, estimate bool) (*model.CompareInsightsPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := s.question(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.look(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	runs := compareRuns(kept, unread)
	switch {
	case estimate:
		costs, err := s.estimate(ctx, p.WorkspaceID, runs)
		return &model.CompareInsightsPayload{Estimate: costs, AiAnalysis: &model.InsightAnalysis{}}, err
	case kept != nil:
		return kept, s.Accounts.TellBudget(ctx, p.WorkspaceID)
	}
	var out *model.CompareInsightsPayload
	err = s.Accounts.Spend(ctx, p.WorkspaceID, opCompare, runs, func(ctx context.Context) (Finish, error) {
		made, err := llm.Within(ctx, callTime, func(ctx context.Context) (*model.Insight, error) { return s.compare(ctx, p.WorkspaceID, q, unread) })
		if err != nil {
			return nil, err
		}
		out = made.Answer
		return func(ctx context.Context, tx dbx.Tx) error { return keepInsight(ctx, tx, made) }, nil
	})
	if err != nil {
		return nil, fmt.Errorf("compare insights: %w", err)
	}
	return out, nil
}

// CompareAsync is Compare by a job; it fails as that does, but for what the text model does.
func (s *Service) CompareAsync(ctx context.Context, in model.CompareInsightsInput) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := s.question(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.look(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	q.Runs = compareRuns(kept, unread)
	return s.enqueue(ctx, p, job.Request{Type: JobCompare, Parameters: q}, opCompare, q.Runs)
}

func compareRuns(kept *model.CompareInsightsPayload, unread []*model.Document) int {
	if kept != nil {
		return 0
	}
	return oneRun + min(len(unread), mostExtracted)
}

func compareCost(of *model.Job) (int, error) {
	q, err := job.Parameters[question](of)
	if err != nil {
		return 0, err
	}
	return max(q.Runs, oneRun), nil
}

// workCompare compares for a job and spends of its runs what it took. It looks through no more documents than it has runs for.
func (s *Service) workCompare(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	q, err := job.Parameters[question](run.Job)
	if err != nil {
		return nil, err
	}
	kept, unread, err := s.look(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		return kept, run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.Accounts.Settle(ctx, tx, run.Job.ID, 0) })
	}
	unread = unread[:min(len(unread), max(q.Runs-oneRun, 0))]
	if err := run.Progress(ctx, 10, fmt.Sprintf("looking through %d documents", len(unread))); err != nil {
		return nil, err
	}
	made, err := llm.Within(ctx, jobTime, func(ctx context.Context) (*model.Insight, error) { return s.compare(ctx, p.WorkspaceID, q, unread) })
	if err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := keepInsight(ctx, tx, made); err != nil {
			return err
		}
		return s.Accounts.Settle(ctx, tx, run.Job.ID, oneRun+len(unread))
	})
	return made.Answer, err
}

// look finds the comparison that is kept of a question, brought up to date, and the subjects' documents whose signals are not, latest first.
func (s *Service) look(ctx context.Context, workspaceID string, q question) (*model.CompareInsightsPayload, []*model.Document, error) {
	row, err := s.keptInsight(ctx, workspaceID, q)
	if err != nil {
		return nil, nil, err
	}
	if row == nil || q.Fresh {
		unread, err := s.unread(ctx, workspaceID, q)
		return nil, unread, err
	}
	if err := s.mark(ctx, row); err != nil {
		return nil, nil, err
	}
	row.Answer.CachedAt = &row.CreatedAt
	row.Answer.UnreadDocuments, err = s.countUnread(ctx, workspaceID, q, &row.CreatedAt)
	return row.Answer, nil, err
}

// compare looks through the documents that need it and makes a comparison, which is not stored yet.
func (s *Service) compare(ctx context.Context, workspaceID string, q question, unread []*model.Document) (*model.Insight, error) {
	if err := s.extractAll(ctx, workspaceID, unread[:min(len(unread), mostExtracted)]); err != nil {
		return nil, err
	}
	m, err := s.material(ctx, workspaceID, q)
	if err != nil {
		return nil, err
	}
	made := &model.Insight{
		ID: model.NewID(model.InsightPrefix), WorkspaceID: workspaceID, RequestKey: q.key(s.Engine.Model()), CreatedAt: model.Now(),
	}
	if made.Answer, err = s.answer(ctx, m); err != nil {
		return nil, err
	}
	if made.Answer.AudienceResonance, err = s.resonance(ctx, m); err != nil {
		return nil, err
	}
	if made.Answer.UnreadDocuments, err = s.countUnread(ctx, workspaceID, q, nil); err != nil {
		return nil, err
	}
	made.Sources, err = s.versions(ctx, made)
	return made, err
}

// extractAll looks through documents, some at once, and keeps what each says, whatever becomes of the comparison.
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
		work.Go(func() error {
			found, err := s.extract(ctx, doc)
			if err != nil {
				return err
			}
			err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) })
			if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Conflict) {
				return nil // kept, gone or changed meanwhile: what is there counts
			}
			return err
		})
	}
	return work.Wait()
}
