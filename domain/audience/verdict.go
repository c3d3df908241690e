package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// The verdicts of a narrative test, from the rating of a reaction.
const (
	verdictResonates = "resonates"
	verdictMixed     = "mixed"
	verdictMisses    = "misses"
	verdictFailed    = "failed"
)

// verdict is what one persona makes of a tested text.
type verdict struct {
	PersonaName string `json:"persona_name"`
	Verdict     string `json:"verdict"`
	*model.Reaction
}

// tested is the result of a narrative test, as callers see it.
type tested struct {
	Personas      int            `json:"personas"`
	Reacted       int            `json:"reacted"`
	Kept          int            `json:"kept"`
	Failed        int            `json:"failed"`
	AverageRating *float64       `json:"average_rating"` // nil when nobody reacted
	Verdicts      []*verdict     `json:"verdicts"`
	Coverage      []*coverage    `json:"coverage"` // nil when there are no points, or they could not be looked for
	ParseError    *bool          `json:"parse_error"`
	CoverageError *coverageError `json:"coverage_error"`
	DocumentID    string         `json:"document_id,omitempty"`
	DraftID       string         `json:"draft_id,omitempty"`
}

// coverage is whether the text makes a point. Its members, as those of a history's entry, stand in the order in which Postgres keeps them, so
// that both databases give the same text.
type coverage struct {
	End      *int   `json:"end"`
	Text     string `json:"text"`
	Level    string `json:"level"`
	Start    *int   `json:"start"`
	Covered  bool   `json:"covered"`
	Evidence string `json:"evidence"`
}

// historyEntry is a narrative test in a draft's history.
type historyEntry struct {
	Failed        int              `json:"failed"`
	JobID         string           `json:"job_id"`
	Version       string           `json:"version"` // of the text
	Coverage      []*coverage      `json:"coverage"`
	Verdicts      []historyVerdict `json:"verdicts"`
	TestedAt      time.Time        `json:"tested_at"`
	AverageRating *float64         `json:"average_rating"`
}

type historyVerdict struct {
	Rating      *float64                 `json:"rating"`
	Verdict     string                   `json:"verdict"`
	Sentiment   *model.ReactionSentiment `json:"sentiment"`
	PersonaID   string                   `json:"persona_id"`
	PersonaName string                   `json:"persona_name"`
}

type coverageError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (s *Service) workNarrative(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[plan](run.Job)
	if err != nil {
		return nil, err
	}
	of, err := s.again(ctx, in)
	if err != nil {
		return nil, err
	}
	read, err := s.readAll(ctx, run, of, in)
	if err != nil {
		return nil, err
	}
	out, err := s.judge(ctx, run.Job.WorkspaceID, in, read)
	if err != nil {
		return nil, err
	}
	if err := s.cover(ctx, run, of, in, out); err != nil {
		return nil, err
	}
	return out, s.noteTest(ctx, run, of, out)
}

// judge turns reactions into verdicts.
func (s *Service) judge(ctx context.Context, workspaceID string, in plan, read *outcome) (*tested, error) {
	personas, err := s.Personas.ByIDs(ctx, workspaceID, in.PersonaIDs)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, p := range personas {
		names[p.ID] = p.Name
	}
	out := &tested{
		Personas: read.Personas, Reacted: read.Reacted, Kept: read.Kept, Failed: read.Failed, Verdicts: []*verdict{},
		DocumentID: in.DocumentID, DraftID: in.DraftID,
	}
	sum := 0.0
	for _, one := range read.Reactions {
		out.Verdicts = append(out.Verdicts, &verdict{names[one.PersonaID], verdictOf(one), one})
		sum += model.ValueOr(one.Rating, 0)
	}
	if n := len(read.Reactions) - read.Failed; n > 0 {
		average := math.Round(10*sum/float64(n)) / 10
		out.AverageRating = &average
	}
	return out, nil
}

func verdictOf(r *model.Reaction) string {
	switch {
	case r.Rating == nil:
		return verdictFailed
	case *r.Rating >= positiveFrom:
		return verdictResonates
	case *r.Rating <= negativeUpTo:
		return verdictMisses
	}
	return verdictMixed
}

// cover looks for the points that the text is to make. That the model fails on them takes nothing from the verdicts.
func (s *Service) cover(ctx context.Context, run *job.Run, of *subject, in plan, out *tested) error {
	if len(in.Points) == 0 {
		return nil
	}
	if err := run.Progress(ctx, 92, "looking for the points"); err != nil {
		return err
	}
	points := make([]*model.PullThroughPriorityInput, len(in.Points))
	for i, p := range in.Points {
		level := p.Level
		points[i] = &model.PullThroughPriorityInput{Text: p.Text, Level: graphql.OmittableOf(&level)}
	}
	found, err := s.Drafts.Cover(ctx, of.Content, points)
	if err != nil {
		if ctx.Err() != nil || !alone(err) {
			return err
		}
		shown := errs.From(err)
		out.CoverageError = &coverageError{string(shown.Code), shown.Message}
		return nil
	}
	out.ParseError = found.ParseError
	for _, row := range found.Coverage {
		out.Coverage = append(out.Coverage, &coverage{row.End, row.Text, row.Level, row.Start, row.Covered, row.Evidence})
	}
	return nil
}

// noteTest adds the test to its draft's history; a job that runs twice adds one entry.
func (s *Service) noteTest(ctx context.Context, run *job.Run, of *subject, out *tested) error {
	if of.DraftID == nil {
		return nil
	}
	entry := historyEntry{
		JobID: run.Job.ID, TestedAt: model.Now(), Version: of.Version, AverageRating: out.AverageRating, Failed: out.Failed, Coverage: out.Coverage,
	}
	for _, v := range out.Verdicts {
		entry.Verdicts = append(entry.Verdicts, historyVerdict{v.Rating, v.Verdict, v.Sentiment, v.PersonaID, v.PersonaName})
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
		return s.Drafts.Note(ctx, tx, run.Job.WorkspaceID, *of.DraftID, raw, same)
	})
}

// retriedNarrative is what a test costs that a caller runs again.
func (s *Service) retriedNarrative(ctx context.Context, again *model.Job) (int, error) {
	in, err := job.Parameters[plan](again)
	if err != nil {
		return 0, err
	}
	due, err := s.retriedReactions(ctx, again)
	return in.runs(due), err
}
