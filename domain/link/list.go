package link

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// newestFirst orders a list by the column that holds the creation time of its rows.
func newestFirst(column string) dbx.Order { return dbx.Order{Column: column, Time: true, Desc: true} }

// orders are the orders of lists of links.
var orders = dbx.NewOrders[model.LinkOrderField, model.Link](map[model.LinkOrderField]string{
	model.LinkOrderFieldCreatedAt: "created_at", model.LinkOrderFieldOpens: "opens",
	model.LinkOrderFieldTitle: "title",
})

// choices returns the filter and the orders of lists of links at a time.
func choices(now time.Time) dbx.Choices[model.Link, api.LinkFilter, model.LinkOrderField] {
	return dbx.Choices[model.Link, api.LinkFilter, model.LinkOrderField]{
		Filter: dbx.Filter[api.LinkFilter]{
			dbx.MatchParts(func(f *api.LinkFilter) *string { return f.Q.Value() }, "title", "slug"),
			dbx.MatchValue("kind", func(f *api.LinkFilter) *model.LinkKind { return f.Kind.Value() }),
			dbx.MatchValue("is_active", func(f *api.LinkFilter) *bool { return f.IsActive.Value() }),
			dbx.MatchBy(func(f *api.LinkFilter) *bool { return f.IsEnded.Value() },
				func(q *bun.SelectQuery, isEnded bool) *bun.SelectQuery { return whereEnded(q, isEnded, now) }),
			dbx.MatchBy(func(f *api.LinkFilter) *string { return f.Tag.Value() }, whereTagged),
			dbx.MatchTime("created", "created_at",
				func(f *api.LinkFilter) *model.TimeRange { return f.Created.Value() }),
		},
		Orders: orders,
	}
}

// List returns one page of the links that match the filter, newest first unless an order is given.
// It returns errs.ValidationFailed for invalid arguments (see dbx.List).
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.LinkFilter, order *model.LinkOrder, columns ...string,
) (*model.LinkConnection, error) {
	p := principal.Must(ctx)
	list, err := choices(s.db.Now()).Apply(dbx.List[model.Link]{
		Order: newestFirst("created_at"), Columns: columns,
		Key:   func(l *model.Link) (any, string) { return l.CreatedAt, l.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}, filter, order)
	if err != nil {
		return nil, err
	}
	page, err := list.Page(ctx, s.db, args)
	return page, err
}

// Sessions returns one page of a link's viewer sessions. It returns errs.NotFound for an unknown
// link.
func (s *Service) Sessions(ctx context.Context, linkID string, args model.PageArgs,
	columns ...string) (*model.LinkSessionConnection, error) {
	where, err := s.linkScope(ctx, linkID)
	if err != nil {
		return nil, err
	}
	page, err := dbx.List[model.LinkSession]{
		Order: newestFirst("opened_at"), Columns: columns, Where: where,
		Key: func(v *model.LinkSession) (any, string) { return v.OpenedAt, v.ID },
	}.Page(ctx, s.db, args)
	return page, err
}

// Conversions returns one page of a link's conversions and scroll milestones. It returns errs.NotFound for an unknown
// link.
func (s *Service) Conversions(ctx context.Context, linkID string, args model.PageArgs,
	columns ...string) (*model.LinkConversionConnection, error) {
	where, err := s.linkScope(ctx, linkID)
	if err != nil {
		return nil, err
	}
	page, err := dbx.List[model.LinkConversion]{
		Order: newestFirst("created_at"), Columns: columns, Where: where,
		Key: func(c *model.LinkConversion) (any, string) { return c.CreatedAt, c.ID },
	}.Page(ctx, s.db, args)
	return page, err
}

// Submissions returns one page of a link's form submissions. It returns errs.NotFound for an
// unknown link.
func (s *Service) Submissions(ctx context.Context, linkID string, args model.PageArgs,
	columns ...string) (*model.LinkSubmissionConnection, error) {
	where, err := s.linkScope(ctx, linkID)
	if err != nil {
		return nil, err
	}
	page, err := dbx.List[model.LinkSubmission]{
		Order: newestFirst("created_at"), Columns: columns, Where: where,
		Key: func(b *model.LinkSubmission) (any, string) { return b.CreatedAt, b.ID },
	}.Page(ctx, s.db, args)
	return page, err
}

// linkScope returns the condition for the rows of a link, after its journaled sessions are stored.
// It returns errs.NotFound for an unknown link.
func (s *Service) linkScope(ctx context.Context, linkID string) (func(*bun.SelectQuery) *bun.SelectQuery, error) {
	p := principal.Must(ctx)
	if _, err := s.findLink(ctx, p.WorkspaceID, linkID, []string{"id"}); err != nil {
		return nil, err
	}
	s.committer.waitForFlush(ctx)
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("link_id = ? AND workspace_id = ?", linkID, p.WorkspaceID)
	}, nil
}

// ShortURLs returns the public short URL of each link.
func (s *Service) ShortURLs(_ context.Context, links []*model.Link) ([]string, error) {
	out := make([]string, len(links))
	for i, l := range links {
		out[i] = s.shortURL(l.Slug)
	}
	return out, nil
}

// Variants returns the variants of each link, read with one statement.
func (s *Service) Variants(ctx context.Context, links []*model.Link) ([][]*model.LinkVariant, error) {
	p := principal.Must(ctx)
	found, err := readVariants(ctx, s.db, p.WorkspaceID, linkIDs(links))
	return dbx.GroupByKey(linkIDs(links), found, func(v *model.LinkVariant) string { return v.LinkID }), err
}

// conversionCount is the number of conversions of a link by type, and of sessions with one.
type conversionCount struct {
	LinkID   string               `bun:"link_id"`
	Type     model.ConversionType `bun:"type"`
	Count    int                  `bun:"count"`
	Sessions int                  `bun:"sessions"`
}

// ConversionCounts returns the number of clicks and custom conversions of each link by type, read
// with one statement.
func (s *Service) ConversionCounts(ctx context.Context, links []*model.Link) ([][]*api.ConversionCount, error) {
	found, err := s.countByType(ctx, links, noMilestones)
	out := make([][]*api.ConversionCount, len(links))
	for i, counts := range found {
		out[i] = make([]*api.ConversionCount, len(counts))
		for j, c := range counts {
			out[i][j] = &api.ConversionCount{Type: c.Type, Count: c.Count}
		}
	}
	return out, err
}

// ScrollCounts returns the number of viewer sessions of each link that reached each part of its
// page, read with one statement.
func (s *Service) ScrollCounts(ctx context.Context, links []*model.Link) ([][]*api.ScrollCount, error) {
	found, err := s.countByType(ctx, links, "NOT "+noMilestones)
	out := make([][]*api.ScrollCount, len(links))
	for i, counts := range found {
		out[i] = make([]*api.ScrollCount, len(counts))
		for j, c := range counts {
			out[i][j] = &api.ScrollCount{Percent: c.Type.ScrollPercent(), Sessions: c.Sessions}
		}
		slices.SortFunc(out[i], func(a, b *api.ScrollCount) int { return a.Percent - b.Percent })
	}
	return out, err
}

// countByType returns the counts of each link by type.
func (s *Service) countByType(ctx context.Context, links []*model.Link, where string) ([][]*conversionCount, error) {
	p := principal.Must(ctx)
	var err error
	found := []*conversionCount{}
	if len(links) > 0 {
		err = s.db.NewSelect().TableExpr("link_conversion AS c").Column("link_id", "type").
			ColumnExpr("count(*) AS count, count(DISTINCT session_id) AS sessions").
			Where("workspace_id = ? AND link_id IN ?", p.WorkspaceID, bun.Tuple(linkIDs(links))).Where(where).
			Group("link_id", "type").Order("type").Scan(ctx, &found)
	}
	return dbx.GroupByKey(linkIDs(links), found, func(c *conversionCount) string { return c.LinkID }), dbx.Err(err)
}

func linkIDs(links []*model.Link) []string {
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	return ids
}
