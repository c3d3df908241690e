package job

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// pagedEvent is an event's row in a page. A page needs a column id: here the job's, because a job's
// positions differ.
type pagedEvent struct {
	ID       string             `bun:"id"`
	Position int                `bun:"position"`
	Kind     model.JobEventKind `bun:"kind"`
	State    string             `bun:"state"`
}

// EventPages returns a page of stored events per job, by position; parent is the column with the
// job's id. If columns include state, a second statement adds the jobs as they were at each event.
// It returns errs.ValidationFailed for invalid page arguments.
func (s *Service) EventPages(
	ctx context.Context, workspaceID, parent string, jobIDs []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.JobEvent], error) {
	list := dbx.List[pagedEvent]{
		Order: dbx.Order{Column: "position", Number: true}, Columns: append(columns, "position", "kind"),
		From: func() *bun.SelectQuery {
			return s.db.NewSelect().TableExpr("(?) AS event", s.db.NewSelect().Model((*eventRow)(nil)).
				ColumnExpr("*, job_id AS id"))
		},
		Key:   func(row *pagedEvent) (any, string) { return row.Position, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	pages, err := dbx.Nested[pagedEvent]{List: list, Parent: parent}.Pages(ctx, s.db, jobIDs, args)
	if err != nil {
		return nil, err
	}
	jobs := map[string]*model.Job{}
	if slices.Contains(columns, "state") {
		if jobs, err = s.jobsByID(ctx, workspaceID, jobIDs); err != nil {
			return nil, err
		}
	}
	out := make([]*model.Connection[model.JobEvent], len(pages))
	for i, page := range pages {
		if out[i], err = eventPage(page, jobs[jobIDs[i]]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// jobsByID returns the fields of jobs that the stored states of their events omit.
func (s *Service) jobsByID(ctx context.Context, workspaceID string, ids []string) (map[string]*model.Job, error) {
	rows, err := s.ByIDs(ctx, workspaceID, ids)
	jobs := make(map[string]*model.Job, len(rows))
	for _, row := range rows {
		jobs[row.ID] = row
	}
	return jobs, err
}

// eventPage returns the page of a job's events. The events have no job if it is nil.
func eventPage(page *model.Connection[pagedEvent], job *model.Job) (*model.Connection[model.JobEvent], error) {
	out := &model.Connection[model.JobEvent]{
		Nodes: make([]*model.JobEvent, len(page.Nodes)), Before: page.Before, Behind: page.Behind, Page: page.Page,
		PerPage: page.PerPage, Count: page.Count,
	}
	rows := make(map[*model.JobEvent]*pagedEvent, len(page.Nodes))
	for i, row := range page.Nodes {
		event := &model.JobEvent{JobID: row.ID, Position: row.Position, Kind: row.Kind}
		if job != nil {
			var err error
			if event, err = (&eventRow{Position: row.Position, Kind: row.Kind, State: row.State}).
				jobEvent(job); err != nil {
				return nil, err
			}
		}
		out.Nodes[i], rows[event] = event, row
	}
	out.Cursor = func(event *model.JobEvent) string { return page.Cursor(rows[event]) }
	return out, nil
}
