package party

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// byName is the order of companies and executives unless a caller chooses another.
var byName = dbx.Order{Column: "name"}

// Companies returns one page of the companies that match the filter, by name unless an order is
// given. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) Companies(
	ctx context.Context, args model.PageArgs, filter *api.CompanyFilter, order *model.CompanyOrder, columns ...string,
) (*model.CompanyConnection, error) {
	p := principal.Must(ctx)
	choices := dbx.Choices[model.Company, api.CompanyFilter, model.CompanyOrderField]{
		Filter: dbx.Filter[api.CompanyFilter]{
			dbx.MatchBy(func(f *api.CompanyFilter) *string { return f.Name.Value() },
				func(q *bun.SelectQuery, part string) *bun.SelectQuery {
					return q.Where("id IN (?)", s.IDsByPart(p.WorkspaceID, model.PartyKindCompany, part))
				}),
			dbx.MatchValue("is_own", func(f *api.CompanyFilter) *bool { return f.IsOwn.Value() }),
		},
		Orders: companyOrders,
	}
	list, err := choices.Apply(dbx.List[model.Company]{
		Order: byName, Columns: columns,
		Key:   func(c *model.Company) (any, string) { return c.Name, c.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}, filter, order)
	if err != nil {
		return nil, err
	}
	return list.Page(ctx, s.DB, args)
}

var companyOrders = dbx.NewOrders[model.CompanyOrderField, model.Company](map[model.CompanyOrderField]string{
	model.CompanyOrderFieldName: "name", model.CompanyOrderFieldCreatedAt: "created_at",
})

// IDsByPart returns a query of the ids of the workspace's parties with a name that contains a text.
func (s *Service) IDsByPart(workspaceID string, kind model.PartyKind, part string) *bun.SelectQuery {
	escaped := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(model.NameKey(part))
	return s.DB.NewSelect().TableExpr("?", aliasTable(kind)).Column("party_id").
		Where(`workspace_id = ? AND name_key LIKE ? ESCAPE '\'`, workspaceID, "%"+escaped+"%")
}

// Company returns the caller's company with a name or an alias; nil if there is none.
func (s *Service) Company(ctx context.Context, name string) (*model.Company, error) {
	row := new(model.Company)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id IN (?)", principal.Must(ctx).WorkspaceID,
		s.NamedIDs(principal.Must(ctx).WorkspaceID, model.PartyKindCompany, name)).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// Executive returns the caller's executive with a name or an alias; nil if there is none.
func (s *Service) Executive(ctx context.Context, name string) (*model.Executive, error) {
	row := new(model.Executive)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id IN (?)", principal.Must(ctx).WorkspaceID,
		s.NamedIDs(principal.Must(ctx).WorkspaceID, model.PartyKindExecutive, name)).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// CompaniesByID returns the workspace's companies with the ids (see dbx.ByIDs).
func (s *Service) CompaniesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Company, error) {
	return dbx.ByIDs[model.Company](ctx, s.DB, workspaceID, ids, columns...)
}

// ExecutivesByID returns the workspace's executives with the ids (see dbx.ByIDs).
func (s *Service) ExecutivesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Executive, error) {
	return dbx.ByIDs[model.Executive](ctx, s.DB, workspaceID, ids, columns...)
}

// ExecutivesByName returns the executive of each name, or nil, with one statement.
func (s *Service) ExecutivesByName(ctx context.Context, names []string, columns ...string) ([]*model.Executive, error) {
	var rows []*model.Executive
	err := s.DB.NewSelect().Model(&rows).Column(columns...).Column("name").
		Where("workspace_id = ? AND name IN ?", principal.Must(ctx).WorkspaceID,
			bun.Tuple(append([]string{""}, names...))).Scan(ctx)
	out := make([]*model.Executive, len(names))
	for i, name := range names {
		if at := slices.IndexFunc(rows, func(row *model.Executive) bool { return row.Name == name }); at >= 0 {
			out[i] = rows[at]
		}
	}
	return out, dbx.Err(err)
}

// ExecutiveLists returns the executives of each list of names, with one statement. Unknown names
// are left out.
func (s *Service) ExecutiveLists(ctx context.Context, lists [][]string, columns ...string) ([][]*model.Executive,
	error) {
	found, err := s.ExecutivesByName(ctx, slices.Concat(lists...), columns...)
	return splitLists(lists, found), err
}

// CompanyLists returns the caller's companies of each list of names, as ExecutiveLists does.
func (s *Service) CompanyLists(ctx context.Context, lists [][]string, columns ...string) ([][]*model.Company, error) {
	names := slices.Concat(lists...)
	var rows []*model.Company
	err := s.DB.NewSelect().Model(&rows).Column(columns...).Column("name").
		Where("workspace_id = ? AND name IN ?", principal.Must(ctx).WorkspaceID,
			bun.Tuple(append([]string{""}, names...))).Scan(ctx)
	found := make([]*model.Company, len(names))
	for i, name := range names {
		if at := slices.IndexFunc(rows, func(row *model.Company) bool { return row.Name == name }); at >= 0 {
			found[i] = rows[at]
		}
	}
	return splitLists(lists, found), dbx.Err(err)
}

// splitLists splits the rows of all names into one list per list of names, without missing rows.
func splitLists[N any](lists [][]string, found []*N) [][]*N {
	out := make([][]*N, len(lists))
	for i, list := range lists {
		out[i] = []*N{}
		for _, row := range found[:len(list)] {
			if row != nil {
				out[i] = append(out[i], row)
			}
		}
		found = found[len(list):]
	}
	return out
}

// Aliases returns the names of each of the caller's parties besides its own, with one statement.
func (s *Service) Aliases(ctx context.Context, kind model.PartyKind, ids []string) ([][]string, error) {
	found, err := s.aliasesOf(ctx, principal.Must(ctx).WorkspaceID, kind, ids)
	out := make([][]string, len(ids))
	for i, id := range ids {
		out[i] = append([]string{}, found[id]...)
	}
	return out, err
}

// CompanyPages returns a page of the companies of each executive's rows, by name (see dbx.Nested).
func (s *Service) CompanyPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.CompanyConnection, error) {
	list := dbx.List[model.Company]{Order: byName, Columns: columns,
		Key: func(c *model.Company) (any, string) { return c.Name, c.ID }}
	list.From = func() *bun.SelectQuery { return s.selectRelated(workspaceID, model.PartyKindCompany, parent) }
	return dbx.Nested[model.Company]{List: list, Parent: parent}.Pages(ctx, s.DB, keys, args)
}

// ExecutivePages returns a page of the executives of each company's rows, as CompanyPages does.
func (s *Service) ExecutivePages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.ExecutiveConnection, error) {
	list := dbx.List[model.Executive]{Order: byName, Columns: columns,
		Key: func(e *model.Executive) (any, string) { return e.Name, e.ID }}
	list.From = func() *bun.SelectQuery { return s.selectRelated(workspaceID, model.PartyKindExecutive, parent) }
	return dbx.Nested[model.Executive]{List: list, Parent: parent}.Pages(ctx, s.DB, keys, args)
}

// selectRelated returns a query of the parties of a kind, once per party of the other kind in the
// same row. parent is the column with the other party's id. For example, it selects each
// executive's companies.
func (s *Service) selectRelated(workspaceID string, kind model.PartyKind, parent string) *bun.SelectQuery {
	var pairs *bun.SelectQuery
	for _, rows := range s.rows {
		q := rows.Select(s.DB).ColumnExpr("company_id, executive_id").
			Where("workspace_id = ? AND company_id IS NOT NULL AND executive_id IS NOT NULL", workspaceID)
		if pairs == nil {
			pairs = q
		} else {
			pairs = pairs.Union(q)
		}
	}
	related := s.DB.NewSelect().TableExpr("? AS p", partyTable(kind)).Join("JOIN (?) AS pair ON pair.? = p.id", pairs,
		idColumn(kind)).
		ColumnExpr("p.*, pair.?", bun.Ident(parent)).Where("p.workspace_id = ?", workspaceID)
	return s.DB.NewSelect().TableExpr("(?) AS related", related)
}

// SelectCounted returns a query of the executives in counts, by its column executive_id. The
// executives get its other columns.
func (s *Service) SelectCounted(counts *bun.SelectQuery) *bun.SelectQuery {
	counted := s.DB.NewSelect().TableExpr("executive AS p").Join("JOIN (?) AS c ON c.executive_id = p.id", counts).
		ColumnExpr("p.*, c.*")
	return s.DB.NewSelect().TableExpr("(?) AS executive", counted)
}

// OwnCompaniesOf returns the caller's own companies, by name, n times.
func (s *Service) OwnCompaniesOf(ctx context.Context, n int) ([][]*model.Company, error) {
	own, err := s.OwnCompanies(ctx, principal.Must(ctx).WorkspaceID)
	return slices.Repeat([][]*model.Company{own}, n), err
}

// OwnCompanies returns the workspace's own companies, by name.
func (s *Service) OwnCompanies(ctx context.Context, workspaceID string) ([]*model.Company, error) {
	rows := []*model.Company{}
	err := s.DB.NewSelect().Model(&rows).Where("workspace_id = ? AND is_own", workspaceID).Order("name", "id").Scan(ctx)
	return rows, dbx.Err(err)
}
