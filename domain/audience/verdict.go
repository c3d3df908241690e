package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// testVerdict is one persona's verdict on a tested text.
type testVerdict struct {
	PersonaName string                 `json:"persona_name"`
	Verdict     model.NarrativeVerdict `json:"verdict"`
	*model.Reaction
}

// testResult is the public result of a narrative test.
type testResult struct {
	Personas      int             `json:"personas"`
	Reacted       int             `json:"reacted"`
	Kept          int             `json:"kept"`
	Failed        int             `json:"failed"`
	AverageRating *float64        `json:"average_rating"` // nil without ratings
	Verdicts      []*testVerdict  `json:"verdicts"`
	Coverage      []*coveredPoint `json:"coverage"` // nil without points or after an error
	ParseError    *bool           `json:"parse_error"`
	CoverageError *coverageError  `json:"coverage_error"`
	DocumentID    string          `json:"document_id,omitempty"`
	DraftID       string          `json:"draft_id,omitempty"`
}

// coveredPoint reports whether the text covers a point. Fields are in Postgres's order, so that
// both databases return the same text. The same holds for a history entry.
type coveredPoint struct {
	End      *int                  `json:"end"`
	Text     string                `json:"text"`
	Level    string                `json:"level"`
	Start    *int                  `json:"start"`
	Covered  bool                  `json:"covered"`
	Verdict  model.CoverageVerdict `json:"verdict"`
	Evidence string                `json:"evidence"`
}

// historyEntry is a narrative test in a draft's history.
type historyEntry struct {
	Failed        int              `json:"failed"`
	JobID         string           `json:"job_id"`
	Version       string           `json:"version"` // of the text
	Coverage      []*coveredPoint  `json:"coverage"`
	Verdicts      []historyVerdict `json:"verdicts"`
	TestedAt      time.Time        `json:"tested_at"`
	AverageRating *float64         `json:"average_rating"`
}

type historyVerdict struct {
	Rating      *float64                 `json:"rating"`
	Verdict     model.NarrativeVerdict   `json:"verdict"`
	Sentiment   *model.ReactionSentiment `json:"sentiment"`
	PersonaID   string                   `json:"persona_id"`
	PersonaName string                   `json:"persona_name"`
}

type coverageError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (s *Service) workNarrative(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[readingPlan](run.Job)
	if err != nil {
		return nil, err
	}
	of, err := s.jobSubject(ctx, in)
	if err != nil {
		return nil, err
	}
	read, err := s.readAll(ctx, run, of, in)
	if err != nil {
		return nil, err
	}
	out, err := s.judgeReactions(ctx, run.Job.WorkspaceID, in, read)
	if err != nil {
		return nil, err
	}
	if err := s.addCoverage(ctx, run, of, in, out); err != nil {
		return nil, err
	}
	return out, s.addHistory(ctx, run, of, out)
}

// judgeReactions converts reactions into verdicts. It returns an error if the personas cannot be
// read.
func (s *Service) judgeReactions(ctx context.Context, workspaceID string, in readingPlan,
	read *readingResult) (*testResult, error) {
	personas, err := s.Personas.ByIDs(ctx, workspaceID, in.PersonaIDs)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, p := range personas {
		names[p.ID] = p.Name
	}
	out := &testResult{
		Personas: read.Personas, Reacted: read.Reacted, Kept: read.Kept, Failed: read.Failed,
		Verdicts:   []*testVerdict{},
		DocumentID: in.DocumentID, DraftID: in.DraftID,
	}
	var ratings []float64
	for _, one := range read.Reactions {
		out.Verdicts = append(out.Verdicts, &testVerdict{names[one.PersonaID], verdictOf(one), one})
		if one.Rating != nil {
			ratings = append(ratings, *one.Rating)
		}
	}
	out.AverageRating = averageOf(ratings)
	return out, nil
}

func verdictOf(r *model.Reaction) model.NarrativeVerdict {
	switch {
	case r.Status == model.ReactionStatusFailed:
		return model.NarrativeVerdictFailed
	case r.Rating == nil:
		return model.NarrativeVerdictUnrated
	case *r.Rating >= model.PositiveFrom:
		return model.NarrativeVerdictResonates
	case *r.Rating <= model.NegativeUpTo:
		return model.NarrativeVerdictMisses
	}
	return model.NarrativeVerdictMixed
}

// addCoverage finds the points that the text covers. A model's error is stored in the result and
// does not fail the test; other errors are returned.
func (s *Service) addCoverage(ctx context.Context, run *job.Run, of *subject, in readingPlan, out *testResult) error {
	if len(in.Points) == 0 {
		return nil
	}
	if err := run.Progress(ctx, 92, "looking for the points"); err != nil {
		return err
	}
	points := make([]*api.PullThroughPriorityInput, len(in.Points))
	for i, p := range in.Points {
		level := p.Level
		points[i] = &api.PullThroughPriorityInput{Text: p.Text, Level: graphql.OmittableOf(&level)}
	}
	found, err := s.Drafts.JudgeCoverage(ctx, of.Content, points)
	if err != nil {
		if ctx.Err() != nil || !affectsOnePersona(err) {
			return err
		}
		shown := errs.From(err)
		out.CoverageError = &coverageError{string(shown.Code), shown.Message}
		return nil
	}
	out.ParseError = found.ParseError
	for _, row := range found.Coverage {
		out.Coverage = append(out.Coverage, &coveredPoint{row.End, row.Text, row.Level, row.Start, row.Covered,
			row.Verdict, row.Evidence})
	}
	return nil
}

// addHistory adds the test to its draft's history, once per job.
func (s *Service) addHistory(ctx context.Context, run *job.Run, of *subject, out *testResult) error {
	if of.DraftID == nil {
		return nil
	}
	entry := historyEntry{
		JobID: run.Job.ID, TestedAt: model.Now(), Version: of.Version, AverageRating: out.AverageRating,
		Failed: out.Failed, Coverage: out.Coverage,
	}
	for _, v := range out.Verdicts {
		entry.Verdicts = append(entry.Verdicts, historyVerdict{v.Rating, v.Verdict, v.Sentiment, v.PersonaID,
			v.PersonaName})
	}
	raw, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("encode a test: %w", err)
	}
	same := func(known json.RawMessage) bool {
		var of struct {
			JobID string `json:"job_id"`
		}
		return json.Unmarshal(known, &of) == nil && of.JobID == run.Job.ID
	}
	return run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.Drafts.AddTestEntry(ctx, tx, run.Job.WorkspaceID, *of.DraftID, raw, same)
	})
}

// narrativeRetryRuns returns the runs that retrying a narrative test costs now.
func (s *Service) narrativeRetryRuns(ctx context.Context, failed *model.Job) (int, error) {
	in, err := job.Parameters[readingPlan](failed)
	if err != nil {
		return 0, err
	}
	due, err := s.reactionsRetryRuns(ctx, failed)
	return in.totalRuns(due), err
}
