package audience

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// summaryRun is what a summary costs; mostSummaries is how many a list has.
const (
	summaryRun    = 1
	mostSummaries = 200
)

func rounded(f float64) float64 { return math.Round(10*f) / 10 }

// Summary reads what an audience makes of documents, as it was last worked out; nil when it never was.
func (s *Service) Summary(ctx context.Context, category string, in *model.AudienceFilterInput) (*model.AudienceSummary, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	_, key := filtersOf(in)
	return s.marked(ctx)(s.summary(ctx, p.WorkspaceID, strings.TrimSpace(category), key))
}

// SummaryByID reads one summary; nil when the workspace has none of that id.
func (s *Service) SummaryByID(ctx context.Context, id string) (*model.AudienceSummary, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.marked(ctx)(s.summaryByID(ctx, p.WorkspaceID, id))
}

// marked finds out whether a summary is stale.
func (s *Service) marked(ctx context.Context) func(*model.AudienceSummary, error) (*model.AudienceSummary, error) {
	return func(row *model.AudienceSummary, err error) (*model.AudienceSummary, error) {
		if err != nil || row == nil {
			return nil, err
		}
		now, err := s.scopeOf(ctx, row.WorkspaceID, row.Category, row.Filters, false)
		if err != nil {
			return nil, err
		}
		row.IsStale = now.digest(s.Engine.Model()) != row.Digest
		return row, nil
	}
}

// Summaries lists the latest summaries, newest first. How many statements it takes does not depend on how many there are.
func (s *Service) Summaries(ctx context.Context) ([]*model.AudienceSummary, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.summaries(ctx, p.WorkspaceID, mostSummaries)
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	everybody, err := s.everybody(ctx, p.WorkspaceID, rows)
	if err != nil {
		return nil, err
	}
	facts, err := s.facts(ctx, p.WorkspaceID, idsOf(everybody), false)
	if err != nil {
		return nil, err
	}
	found, err := s.pillars(ctx, p.WorkspaceID, documentsOf(facts))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		now := newScope(row.Category, row.Filters, inCategory(everybody, row.Category), facts)
		now.standOn(found)
		row.IsStale = now.digest(s.Engine.Model()) != row.Digest
	}
	return rows, nil
}

// documentsOf lists the documents of reactions, each once.
func documentsOf(facts []*fact) []string {
	seen := map[string]bool{}
	for _, f := range facts {
		seen[*f.DocumentID] = true
	}
	return slices.Collect(maps.Keys(seen))
}

// everybody reads the whole audience and the single personas that summaries are of.
func (s *Service) everybody(ctx context.Context, workspaceID string, rows []*model.AudienceSummary) ([]*reader, error) {
	personas, err := s.Personas.Audience(ctx, workspaceID, nil)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, row := range rows {
		if id, one := strings.CutPrefix(row.Category, onePersona); one {
			ids = append(ids, id)
		}
	}
	named, err := s.Personas.ByIDs(ctx, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	return s.readers(ctx, onceEach(append(personas, named...)))
}

// inCategory keeps those whom a category stands for.
func inCategory(everybody []*reader, category string) (out []*reader) {
	id, one := strings.CutPrefix(category, onePersona)
	for _, r := range everybody {
		if one && r.ID == id || !one && r.Category == category && r.IsActive && r.IncludeInAudience {
			out = append(out, r)
		}
	}
	return out
}

// order is what a summary is asked for, as a job keeps it.
type order struct {
	Category string                 `json:"category"`
	Filters  *model.AudienceFilters `json:"filters"`
	Key      string                 `json:"-"`
	Fresh    bool                   `json:"fresh"`
}

// orderOf checks what is asked for: a single persona and a single document must be there, and the span must not be empty.
func (s *Service) orderOf(ctx context.Context, workspaceID string, in model.GenerateAudienceSummaryInput) (*order, error) {
	o := &order{Category: strings.TrimSpace(in.Category), Fresh: model.ValueOr(in.Fresh.Value(), false)}
	o.Filters, o.Key = filtersOf(in.Filters.Value())
	var bad []errs.Field
	if id, one := strings.CutPrefix(o.Category, onePersona); one {
		found, err := s.Personas.ByIDs(ctx, workspaceID, []string{id})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			bad = append(bad, errs.BodyField("unknown_id", "names no persona of this workspace", "category"))
		}
	}
	if f := o.Filters; f.Since != nil && f.Until != nil && !f.Until.After(*f.Since) {
		bad = append(bad, errs.BodyField("value_error", "must be later than since", "filters", "until"))
	}
	if id := o.Filters.DocumentID; id != nil {
		doc, err := s.Documents.Get(ctx, *id, "id")
		if err != nil {
			return nil, err
		}
		if doc == nil {
			bad = append(bad, errs.BodyField("unknown_id", "names no document of this workspace", "filters", "documentId"))
		}
	}
	if len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	return o, nil
}

// dueSummary reads what a summary would be worked out from, and the one that is there. It costs a run unless that one still holds or nobody has reacted.
func (s *Service) dueSummary(ctx context.Context, workspaceID string, o *order) (c *scope, before *model.AudienceSummary, runs int, err error) {
	if c, err = s.scopeOf(ctx, workspaceID, o.Category, o.Filters, true); err != nil {
		return nil, nil, 0, err
	}
	if before, err = s.summary(ctx, workspaceID, o.Category, o.Key); err != nil {
		return nil, nil, 0, err
	}
	if len(c.facts) > 0 && !s.holds(c, before, o) {
		runs = summaryRun
	}
	return c, before, runs, nil
}

// holds reports that the summary that is there is the answer.
func (s *Service) holds(c *scope, before *model.AudienceSummary, o *order) bool {
	return before != nil && !o.Fresh && before.Digest == c.digest(s.Engine.Model())
}

// GenerateSummary works out what an audience makes of documents; where nothing has changed the last answer comes back and costs nothing. It
// fails with budget_exhausted, model_failed and model_timeout.
func (s *Service) GenerateSummary(ctx context.Context, in model.GenerateAudienceSummaryInput, estimate bool) (*model.GenerateAudienceSummaryPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.orderOf(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	c, before, runs, err := s.dueSummary(ctx, p.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	if estimate || s.holds(c, before, o) {
		return &model.GenerateAudienceSummaryPayload{Estimate: &model.Estimate{Runs: runs}, Summary: before}, s.Runs.TellBudget(ctx, p.WorkspaceID)
	}
	var made *model.AudienceSummary
	work := func(ctx context.Context) (Finish, error) {
		made, err = s.make(ctx, p.WorkspaceID, o, c, before, callTime)
		return func(ctx context.Context, tx dbx.Tx) error { return replace(ctx, tx, made) }, err
	}
	if runs == 0 {
		err = s.unpaid(ctx, p.WorkspaceID, work)
	} else {
		err = s.Runs.Spend(ctx, p.WorkspaceID, opSummary, runs, work)
	}
	if err != nil {
		return nil, fmt.Errorf("summarize an audience: %w", err)
	}
	return &model.GenerateAudienceSummaryPayload{Summary: made}, nil
}

// unpaid does work that costs nothing.
func (s *Service) unpaid(ctx context.Context, workspaceID string, work func(context.Context) (Finish, error)) error {
	finish, err := work(ctx)
	if err != nil {
		return err
	}
	if err := s.DB.InTx(ctx, finish); err != nil {
		return err
	}
	return s.Runs.TellBudget(ctx, workspaceID)
}

// make works a summary out.
func (s *Service) make(
	ctx context.Context, workspaceID string, o *order, c *scope, before *model.AudienceSummary, most llm.Limit,
) (*model.AudienceSummary, error) {
	report, by, err := s.report(ctx, c, most)
	if err != nil {
		return nil, err
	}
	score := scoreOf(c.counts)
	return &model.AudienceSummary{
		ID: model.NewID(model.SummaryPrefix), WorkspaceID: workspaceID, Category: o.Category, FilterKey: o.Key, Filters: o.Filters,
		SummaryJSON: report, StatusCounts: &c.counts, ReactionCount: len(c.facts), Grade: gradeOf(score), GradeScore: score,
		GradeTrend: trendOf(before, score), Model: by, Digest: c.digest(s.Engine.Model()), GeneratedAt: model.Now(),
	}, nil
}

// GenerateSummaryAsync is GenerateSummary by a job.
func (s *Service) GenerateSummaryAsync(ctx context.Context, in model.GenerateAudienceSummaryInput) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.orderOf(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	_, _, runs, err := s.dueSummary(ctx, p.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	started, err := s.enqueue(ctx, p, job.Request{Type: JobSummary, Parameters: o}, opSummary, runs, nil)
	if err != nil {
		return nil, fmt.Errorf("summarize an audience: %w", err)
	}
	return &model.JobRef{JobID: started.ID, JobType: started.JobType, Status: started.Status}, nil
}
