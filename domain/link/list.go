package link

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// newest is the order of the lists, by the column that says when a row was made.
func newest(column string) dbx.Order { return dbx.Order{Column: column, Time: true, Desc: true} }

// List reads one page of the caller's links, of each only the named columns (all when none is named).
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *model.LinkFilter, columns ...string,
) (*model.LinkConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	of := func(q *bun.SelectQuery) *bun.SelectQuery {
		return narrow(q.Where("workspace_id = ?", p.WorkspaceID), filter)
	}
	page, err := rows(ctx, s.db, args, "created_at", of, columns, func(l *model.Link) (time.Time, string) { return l.CreatedAt, l.ID })
	return &model.LinkConnection{Connection: page}, err
}

// Sessions reads one page of the viewer sessions of one of the caller's links. It fails with not_found.
func (s *Service) Sessions(ctx context.Context, linkID string, args model.PageArgs, columns ...string) (*model.LinkSessionConnection, error) {
	of, err := s.ofLink(ctx, linkID)
	if err != nil {
		return nil, err
	}
	page, err := rows(ctx, s.db, args, "opened_at", of, columns, func(v *model.LinkSession) (time.Time, string) { return v.OpenedAt, v.ID })
	return &model.LinkSessionConnection{Connection: page}, err
}

// Conversions reads one page of the conversions of one of the caller's links. It fails with not_found.
func (s *Service) Conversions(ctx context.Context, linkID string, args model.PageArgs, columns ...string) (*model.LinkConversionConnection, error) {
	of, err := s.ofLink(ctx, linkID)
	if err != nil {
		return nil, err
	}
	page, err := rows(ctx, s.db, args, "created_at", of, columns, func(c *model.LinkConversion) (time.Time, string) { return c.CreatedAt, c.ID })
	return &model.LinkConversionConnection{Connection: page}, err
}

// Submissions reads one page of what was filled into the form of one of the caller's links. It fails with not_found.
func (s *Service) Submissions(ctx context.Context, linkID string, args model.PageArgs, columns ...string) (*model.LinkSubmissionConnection, error) {
	of, err := s.ofLink(ctx, linkID)
	if err != nil {
		return nil, err
	}
	page, err := rows(ctx, s.db, args, "created_at", of, columns, func(b *model.LinkSubmission) (time.Time, string) { return b.CreatedAt, b.ID })
	return &model.LinkSubmissionConnection{Connection: page}, err
}

// narrowing keeps the rows that a list is of.
type narrowing = func(*bun.SelectQuery) *bun.SelectQuery

// ofLink keeps the rows of a link of the caller's workspace; it fails with not_found when there is no such link.
func (s *Service) ofLink(ctx context.Context, linkID string) (narrowing, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.byID(ctx, p.WorkspaceID, linkID, []string{"id"}); err != nil {
		return nil, err
	}
	s.committer.settle(ctx)
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("link_id = ? AND workspace_id = ?", linkID, p.WorkspaceID)
	}, nil
}

// rows reads one page of a table, newest first by the column; place tells a row's value in it.
func rows[T any](
	ctx context.Context, db *dbx.DB, args model.PageArgs, column string, of narrowing, columns []string, place func(*T) (time.Time, string),
) (*model.Connection[T], error) {
	window, err := dbx.NewWindow(args, newest(column))
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append(columns, "id", column)
	}
	found, err := dbx.Read[T](ctx, db, window.Apply(of(db.NewSelect().Model((*T)(nil)).Column(columns...))))
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, found, func(row *T) (any, string) { at, id := place(row); return at, id })
	page.Count = func(ctx context.Context) (int, error) {
		n, err := of(db.NewSelect().Model((*T)(nil))).Count(ctx)
		return int(n), dbx.Err(err)
	}
	return page, nil
}

// narrow keeps the links that match every given field of the filter.
func narrow(q *bun.SelectQuery, f *model.LinkFilter) *bun.SelectQuery {
	if f == nil {
		return q
	}
	if words := f.Q.Value(); words != nil {
		for _, word := range strings.Fields(strings.ToLower(*words)) {
			like := "%" + likeWords.Replace(word) + "%"
			q = q.Where(`(lower(title) LIKE ? ESCAPE '\' OR lower(slug) LIKE ? ESCAPE '\')`, like, like)
		}
	}
	if kind := f.Kind.Value(); kind != nil {
		q = q.Where("kind = ?", *kind)
	}
	if active := f.IsActive.Value(); active != nil {
		q = q.Where("is_active = ?", *active)
	}
	return q
}

var likeWords = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// ShortURLs gives the public short address of each link.
func (s *Service) ShortURLs(_ context.Context, links []*model.Link) ([]string, error) {
	out := make([]string, len(links))
	for i, l := range links {
		out[i] = s.shortURL(l.Slug)
	}
	return out, nil
}

// Variants reads the sides of the links' split tests, all with one statement, in the order of the links.
func (s *Service) Variants(ctx context.Context, links []*model.Link) ([][]*model.LinkVariant, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	found, err := variantsOf(ctx, s.db, p.WorkspaceID, idsOf(links))
	return dbx.Deal(idsOf(links), found, func(v *model.LinkVariant) string { return v.LinkID }), err
}

// conversionCount is how often a type of conversion was reported on a link.
type conversionCount struct {
	LinkID string               `bun:"link_id"`
	Type   model.ConversionType `bun:"type"`
	Count  int                  `bun:"count"`
}

// ConversionCounts counts the conversions of each link by type, all with one statement.
func (s *Service) ConversionCounts(ctx context.Context, links []*model.Link) ([][]*model.ConversionCount, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	found := []*conversionCount{}
	if len(links) > 0 {
		err = s.db.NewSelect().Model((*model.LinkConversion)(nil)).Column("link_id", "type").ColumnExpr("count(*) AS count").
			Where("workspace_id = ? AND link_id IN ?", p.WorkspaceID, bun.Tuple(idsOf(links))).
			Group("link_id", "type").Order("type").Scan(ctx, &found)
	}
	out := make([][]*model.ConversionCount, len(links))
	for i, counts := range dbx.Deal(idsOf(links), found, func(c *conversionCount) string { return c.LinkID }) {
		out[i] = make([]*model.ConversionCount, len(counts))
		for j, c := range counts {
			out[i][j] = &model.ConversionCount{Type: c.Type, Count: c.Count}
		}
	}
	return out, dbx.Err(err)
}

func idsOf(links []*model.Link) []string {
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	return ids
}
