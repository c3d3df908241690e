package audience

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// summaryRun is the cost of a summary in runs.
const summaryRun = 1

func roundTenths(f float64) float64 { return math.Round(10*f) / 10 }

// Summary returns the stored summary of a category and filters, or nil.
func (s *Service) Summary(ctx context.Context, category string, in *api.AudienceFilterInput) (*model.AudienceSummary,
	error) {
	p := principal.Must(ctx)
	_, key, err := s.filtersOf(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	return s.markStale(ctx)(s.findSummary(ctx, p.WorkspaceID, strings.TrimSpace(category), key))
}

// markStale returns a function that sets whether a summary is stale.
func (s *Service) markStale(ctx context.Context) func(*model.AudienceSummary, error) (*model.AudienceSummary, error) {
	return func(row *model.AudienceSummary, err error) (*model.AudienceSummary, error) {
		if err != nil || row == nil {
			return nil, err
		}
		now, err := s.scopeOf(ctx, row.WorkspaceID, row.Category, row.Filters, false)
		if err != nil {
			return nil, err
		}
		row.IsStale = now.digestScope(s.Engine.Model()) != row.Digest
		return row, nil
	}
}

// SummaryPage returns one page of the summaries, newest first, in a constant number of queries (see
// dbx.List). It marks stale ones if the column digest is read.
func (s *Service) SummaryPage(ctx context.Context, args model.PageArgs,
	columns ...string) (*model.AudienceSummaryConnection, error) {
	p := principal.Must(ctx)
	page, err := newestSummaries(p.WorkspaceID, columns).Page(ctx, s.DB, args)
	if err != nil {
		return nil, err
	}
	return page, s.markAllStale(ctx, p.WorkspaceID, page.Nodes, columns)
}

// SummaryPages returns a page of summaries per key in the column parent, newest first, in a
// constant number of queries. It marks stale ones if the column digest is read. It returns
// errs.ValidationFailed for invalid page arguments.
func (s *Service) SummaryPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.AudienceSummaryConnection, error) {
	list := dbx.Nested[model.AudienceSummary]{List: newestSummaries(workspaceID, columns), Parent: parent}
	pages, err := list.Pages(ctx, s.DB, keys, args)
	if err != nil {
		return nil, err
	}
	return pages, s.markAllStale(ctx, workspaceID, model.NodesOf(pages), columns)
}

// newestSummaries returns the list of a workspace's summaries, newest first.
func newestSummaries(workspaceID string, columns []string) dbx.List[model.AudienceSummary] {
	return dbx.List[model.AudienceSummary]{
		Order: dbx.Order{Column: "generated_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.AudienceSummary) (any, string) { return row.GeneratedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// SummariesByID returns the summaries with the ids (see dbx.ByIDs) in a constant number of queries.
// It marks stale ones if the column digest is read.
func (s *Service) SummariesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.AudienceSummary, error) {
	rows, err := dbx.ByIDs[model.AudienceSummary](ctx, s.DB, workspaceID, ids, columns...)
	if err != nil {
		return nil, err
	}
	return rows, s.markAllStale(ctx, workspaceID, rows, columns)
}

// markAllStale sets whether each summary is stale, unless columns are named without digest.
func (s *Service) markAllStale(ctx context.Context, workspaceID string, rows []*model.AudienceSummary,
	columns []string) error {
	if len(rows) == 0 || len(columns) > 0 && !slices.Contains(columns, "digest") {
		return nil
	}
	everybody, err := s.allReaders(ctx, workspaceID, rows)
	if err != nil {
		return err
	}
	var named []string
	for _, row := range rows {
		named = append(named, namedDocuments(row.Filters)...)
	}
	facts, err := s.readReactions(ctx, workspaceID, everybody, named, false)
	if err != nil {
		return err
	}
	found, err := s.readPillars(ctx, workspaceID, documentsOf(facts))
	if err != nil {
		return err
	}
	for _, row := range rows {
		now := newScope(row.Category, row.Filters, inCategory(everybody, row.Category), facts)
		now.addPillars(found)
		row.IsStale = now.digestScope(s.Engine.Model()) != row.Digest
	}
	return nil
}

// announceStale tells the feed of each summary that has become stale, once until it is generated anew.
func (s *Service) announceStale(ctx context.Context, workspaceID string) error {
	rows, err := s.untoldSummaries(ctx, workspaceID)
	if err != nil {
		return err
	}
	if err := s.markAllStale(ctx, workspaceID, rows, nil); err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(row *model.AudienceSummary) bool { return !row.IsStale })
	if len(rows) == 0 {
		return nil
	}
	return s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		for _, row := range rows {
			marked, err := markTold(ctx, tx, row)
			if err != nil {
				return err
			}
			if marked {
				s.RecordChange(tx, workspaceID, model.EventSummaryStale, row.ID)
			}
		}
		return nil
	})
}

// documentsOf returns the distinct documents of reactions.
func documentsOf(facts []*documentReaction) []string {
	seen := map[string]bool{}
	for _, f := range facts {
		seen[*f.DocumentID] = true
	}
	return slices.Collect(maps.Keys(seen))
}

// allReaders returns the whole audience and the single personas that have summaries.
func (s *Service) allReaders(ctx context.Context, workspaceID string, rows []*model.AudienceSummary) ([]*reader,
	error) {
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
	return s.readersOf(ctx, onceEach(append(personas, named...)))
}

// inCategory returns the personas of a category.
func inCategory(everybody []*reader, category string) (out []*reader) {
	id, one := strings.CutPrefix(category, onePersona)
	for _, r := range everybody {
		if one && r.ID == id || !one && r.Category == category && r.IsActive && r.IncludeInAudience {
			out = append(out, r)
		}
	}
	return out
}

// summaryOrder is the input of a summary, as stored with a job.
type summaryOrder struct {
	Category string                 `json:"category"`
	Filters  *model.AudienceFilters `json:"filters"`
	Key      string                 `json:"-"`
	Fresh    bool                   `json:"fresh"`
}

// orderOf validates the input. It returns errs.ValidationFailed for an unknown category, persona or
// document, and for an empty period.
func (s *Service) orderOf(ctx context.Context, workspaceID string, in api.GenerateAudienceSummaryInput) (*summaryOrder,
	error) {
	o := &summaryOrder{Category: strings.TrimSpace(in.Category), Fresh: optional.ValueOr(in.Fresh.Value(), false)}
	var err error
	if o.Filters, o.Key, err = s.filtersOf(ctx, workspaceID, in.Filters.Value()); err != nil {
		return nil, err
	}
	var invalid errs.FieldErrors
	if err := s.checkCategory(ctx, workspaceID, o.Category, &invalid); err != nil {
		return nil, err
	}
	if f := o.Filters; f.Since != nil && f.Until != nil && !f.Until.After(*f.Since) {
		invalid.Body("value_error", "must be later than since", "filters", "until")
	}
	if id := o.Filters.DocumentID; id != nil {
		doc, err := s.Documents.Get(ctx, *id, "id")
		if err != nil {
			return nil, err
		}
		if doc == nil {
			invalid.Body("unknown_id", "names no document of this workspace", "filters", "documentId")
		}
	}
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	return o, nil
}

// checkCategory adds an error for a category without a group and personas, and for an unknown
// persona.
func (s *Service) checkCategory(ctx context.Context, workspaceID, category string, invalid *errs.FieldErrors) error {
	if id, one := strings.CutPrefix(category, onePersona); one {
		found, err := s.Personas.ByIDs(ctx, workspaceID, []string{id})
		if err == nil && len(found) == 0 {
			invalid.Body("unknown_id", "names no persona of this workspace", "category")
		}
		return err
	}
	groups, err := s.Groups(ctx)
	if err == nil && !slices.ContainsFunc(groups, func(g *model.AudienceGroup) bool { return g.Name == category }) {
		invalid.Body("unknown_category", "is the category of no persona and of no audience group", "category")
	}
	return err
}

// dueSummary reads the input of a summary, the stored summary and the cost. The cost is one run, or
// none if the stored one is current or there are no reactions.
func (s *Service) dueSummary(ctx context.Context, workspaceID string, o *summaryOrder) (c *summaryScope,
	before *model.AudienceSummary, runs int, err error) {
	if c, err = s.scopeOf(ctx, workspaceID, o.Category, o.Filters, true); err != nil {
		return nil, nil, 0, err
	}
	if before, err = s.findSummary(ctx, workspaceID, o.Category, o.Key); err != nil {
		return nil, nil, 0, err
	}
	if len(c.facts) > 0 && !s.isCurrent(c, before, o) {
		runs = summaryRun
	}
	return c, before, runs, nil
}

// isCurrent reports whether the stored summary answers the request.
func (s *Service) isCurrent(c *summaryScope, before *model.AudienceSummary, o *summaryOrder) bool {
	return before != nil && !o.Fresh && before.Digest == c.digestScope(s.Engine.Model())
}

// GenerateSummary summarizes the reactions of an audience. If nothing has changed it returns the
// stored summary without cost. It returns errs.BudgetExhausted, errs.ModelFailed or
// errs.ModelTimeout.
func (s *Service) GenerateSummary(ctx context.Context,
	in api.GenerateAudienceSummaryInput) (*api.GenerateAudienceSummaryPayload, error) {
	p := principal.Must(ctx)
	o, err := s.orderOf(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	c, before, runs, err := s.dueSummary(ctx, p.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	if s.isCurrent(c, before, o) {
		return &api.GenerateAudienceSummaryPayload{Summary: before}, s.Runs.ReportRunsRemaining(ctx, p.WorkspaceID)
	}
	var made *model.AudienceSummary
	work := func(ctx context.Context) (Finish, error) {
		made, err = s.makeSummary(ctx, p.WorkspaceID, o, c, before, callTime)
		return func(ctx context.Context, tx dbx.Tx) error { return s.saveSummary(ctx, tx, made) }, err
	}
	if runs == 0 {
		err = s.runFree(ctx, p.WorkspaceID, work)
	} else {
		err = s.Runs.Spend(ctx, p.WorkspaceID, opSummary, runs, work)
	}
	if err != nil {
		return nil, fmt.Errorf("summarize an audience: %w", err)
	}
	return &api.GenerateAudienceSummaryPayload{Summary: made}, nil
}

// EstimateSummary returns the cost of GenerateSummary, or errs.ValidationFailed.
func (s *Service) EstimateSummary(ctx context.Context, in api.GenerateAudienceSummaryInput) (*model.Estimate, error) {
	p := principal.Must(ctx)
	o, err := s.orderOf(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	_, _, runs, err := s.dueSummary(ctx, p.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, runs)
}

// runFree runs and stores work that costs nothing. It returns the error of work or of its storage.
func (s *Service) runFree(ctx context.Context, workspaceID string, work func(context.Context) (Finish, error)) error {
	finish, err := work(ctx)
	if err != nil {
		return err
	}
	if err := s.DB.InTx(ctx, finish); err != nil {
		return err
	}
	return s.Runs.ReportRunsRemaining(ctx, workspaceID)
}

// makeSummary computes a summary without storing it.
func (s *Service) makeSummary(
	ctx context.Context, workspaceID string, o *summaryOrder, c *summaryScope, before *model.AudienceSummary,
	most llm.Limit,
) (*model.AudienceSummary, error) {
	report, evidence, by, err := s.makeReport(ctx, c, most)
	if err != nil {
		return nil, err
	}
	score := scoreOf(c.counts, model.FewestOpinions)
	return &model.AudienceSummary{
		ID: model.NewID(model.SummaryPrefix), WorkspaceID: workspaceID, Category: o.Category, FilterKey: o.Key,
		Filters:     o.Filters,
		SummaryJSON: report, StatusCounts: &c.counts, ReactionCount: len(c.facts), Grade: gradeOf(score),
		GradeScore: score,
		GradeTrend: trendOf(before, score), Model: by, Digest: c.digestScope(s.Engine.Model()),
		GeneratedAt:       model.Now(),
		SourceDocumentIDs: c.sourceIDs(), Evidence: evidence, ReactionIDs: c.reactionIDs(),
	}, nil
}

// StartSummary queues a job that does the same. It returns errs.BudgetExhausted if no run remains.
func (s *Service) StartSummary(ctx context.Context, in api.GenerateAudienceSummaryInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	o, err := s.orderOf(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	_, _, runs, err := s.dueSummary(ctx, p.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	queued, err := s.metered.Start(ctx, job.MeteredRequest{
		Request: job.Request{Type: JobSummary, Parameters: o}, Operation: opSummary, Runs: runs,
	})
	if err != nil {
		return nil, fmt.Errorf("summarize an audience: %w", err)
	}
	return queued, nil
}
