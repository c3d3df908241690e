package document

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// maxFacetValues is the largest number of values of a facet, and of auto-tags.
const maxFacetValues = 20

// The names of the facets with a list of their own type.
const (
	tagFacet   = "autoTags"
	stateFacet = "states"
)

// facetColumns are the columns of the other facets by name.
var facetColumns = map[string]string{"communicationTypes": "communication_type", "companies": "company",
	"executives": "executive", "languages": "language"}

// facetCount is the number of documents with a value of a facet; Tag is the auto-tag, else empty.
type facetCount struct {
	Facet string `bun:"facet"`
	Tag   string `bun:"tag"`
	Value string `bun:"value"`
	Total int    `bun:"total"`
}

// facetScope restricts the documents that are counted; the zero value is all of a workspace.
type facetScope struct {
	documents []schema.QueryWithArgs // the conditions of documents
	counts    string                 // the same conditions of the counts that triggers keep, or ""
}

// communicationScope returns the scope of communications, with the hidden ones or without.
func communicationScope(showFiltered bool) facetScope {
	scope := facetScope{documents: []schema.QueryWithArgs{communicationCondition(showFiltered)}, counts: "NOT is_trial"}
	if !showFiltered {
		scope.counts = "NOT is_trial AND NOT is_hidden"
	}
	return scope
}

// Facets counts the caller's documents that match the filter, by each value of the named facets,
// for example each language. It runs one statement. It returns errs.ValidationFailed naming every
// invalid field.
func (s *Service) Facets(ctx context.Context, filter *api.DocumentFilter, facets ...string) (*api.DocumentFacets,
	error) {
	return s.countFacets(ctx, filter, facets, facetScope{})
}

// CommunicationFacets is Facets without the documents that a comms filter hides, unless
// showFiltered is set.
func (s *Service) CommunicationFacets(ctx context.Context, filter *api.DocumentFilter, showFiltered bool,
	facets ...string) (*api.DocumentFacets, error) {
	return s.countFacets(ctx, filter, facets, communicationScope(showFiltered))
}

// countFacets reads the counts that triggers keep (see keptQuery). With a filter it counts the
// documents.
func (s *Service) countFacets(ctx context.Context, filter *api.DocumentFilter, facets []string,
	scope facetScope) (*api.DocumentFacets, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return nil, err
	}
	conditions := s.conditions(workspaceID, asked)
	if err := conditions.Check(filter); err != nil {
		return nil, err
	}
	counted := s.facetQuery(workspaceID, facets)
	if counted == nil {
		return newFacets(nil), nil
	}
	q := s.db.NewSelect()
	if conditions.IsEmpty(filter) {
		counted = s.keptQuery(workspaceID, facets, scope)
	} else {
		q = q.With("matching", conditions.Apply(s.matchingQuery(workspaceID, scope), filter)).
			With("grouped", s.groupedQuery(facets))
	}
	ranked := s.db.NewSelect().TableExpr("(?) AS counted", counted).Column("facet", "tag", "value", "total").
		ColumnExpr("row_number() OVER (PARTITION BY facet, tag ORDER BY total DESC, value) AS place")
	var rows []*facetCount
	err = q.TableExpr("(?) AS ranked", ranked).
		Column("facet", "tag", "value", "total").Where("place <= ?", maxFacetValues).Order("facet", "tag", "place").
		Scan(ctx, &rows)
	return newFacets(rows), dbx.Err(err)
}

// matchingQuery returns a query of the ids and values of the workspace's documents of a scope.
func (s *Service) matchingQuery(workspaceID string, scope facetScope) *bun.SelectQuery {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column("id").ColumnExpr(stateExpression+" AS state").
		Where("workspace_id = ?", workspaceID)
	for _, column := range slices.Sorted(maps.Values(facetColumns)) {
		q = q.Column(column)
	}
	for _, condition := range scope.documents {
		q = q.Where("?", condition)
	}
	return q
}

// groupedQuery counts the matching documents by the combination of all named facets except
// auto-tags. Each facet then adds up these few numbers instead of visiting every document again.
func (s *Service) groupedQuery(facets []string) *bun.SelectQuery {
	q := s.db.NewSelect().TableExpr("matching").ColumnExpr("count(*) AS documents")
	if slices.Contains(facets, stateFacet) {
		q = q.Column("state").Group("state")
	}
	for _, facet := range slices.Sorted(maps.Keys(facetColumns)) {
		if slices.Contains(facets, facet) {
			q = q.Column(facetColumns[facet]).Group(facetColumns[facet])
		}
	}
	return q
}

// facetQuery returns a query of the counts of the named facets, from the queries matching and
// grouped. It returns nil if no facet is named.
func (s *Service) facetQuery(workspaceID string, facets []string) *bun.SelectQuery {
	var parts []any
	// a facet may be selected under several aliases
	for _, facet := range slices.Compact(slices.Sorted(slices.Values(facets))) {
		q := s.db.NewSelect()
		switch column := facetColumns[facet]; {
		case column != "":
			q = q.TableExpr("grouped").ColumnExpr(
				"? AS facet, '' AS tag, max(?) AS value, CAST(sum(documents) AS bigint) AS total", facet,
				bun.Ident(column), bun.Ident(column)).
				Where("? <> ''", bun.Ident(column)).GroupExpr("lower(?)", bun.Ident(column))
		case facet == stateFacet:
			q = q.TableExpr("grouped").ColumnExpr(
				"? AS facet, '' AS tag, state AS value, CAST(sum(documents) AS bigint) AS total", facet).Group("state")
		case facet == tagFacet:
			q = q.TableExpr("matching").Join("JOIN (?) AS applied ON applied.document_id = matching.id",
				s.related.TagValues(workspaceID)).
				ColumnExpr("? AS facet, applied.auto_tag_id AS tag, max(applied.extracted_value) AS value, count(*) AS total", facet).
				Group("applied.auto_tag_id", "applied.value_key")
		default:
			continue
		}
		parts = append(parts, q)
	}
	if len(parts) == 0 {
		return nil
	}
	all := s.db.NewSelect().TableExpr("(?) AS part", parts[0])
	for _, part := range parts[1:] {
		all = s.db.NewSelect().TableExpr("(? UNION ALL ?) AS part", all, part)
	}
	return all
}

// newFacets returns the counts by facet. A facet's values are consecutive rows, most frequent
// first.
func newFacets(rows []*facetCount) *api.DocumentFacets {
	out := &api.DocumentFacets{
		AutoTags: []*api.AutoTagFacet{}, CommunicationTypes: []*api.FacetCount{}, Companies: []*api.FacetCount{},
		Executives: []*api.FacetCount{},
		Languages:  []*api.FacetCount{}, States: []*api.DocumentStateCount{},
	}
	lists := map[string]*[]*api.FacetCount{
		"communicationTypes": &out.CommunicationTypes, "companies": &out.Companies, "executives": &out.Executives,
		"languages": &out.Languages,
	}
	totals := map[string]int{}
	for _, row := range rows {
		count := &api.FacetCount{Value: row.Value, Count: row.Total}
		switch row.Facet {
		case stateFacet:
			out.States = append(out.States, &api.DocumentStateCount{State: model.DocumentState(row.Value),
				Count: row.Total})
		case tagFacet:
			if totals[row.Tag] == 0 {
				out.AutoTags = append(out.AutoTags, &api.AutoTagFacet{AutoTagID: row.Tag})
			}
			last := out.AutoTags[len(out.AutoTags)-1]
			last.Values = append(last.Values, count)
			totals[row.Tag] += row.Total
		default:
			*lists[row.Facet] = append(*lists[row.Facet], count)
		}
	}
	slices.SortStableFunc(out.AutoTags, func(a, b *api.AutoTagFacet) int {
		return cmp.Or(cmp.Compare(totals[b.AutoTagID], totals[a.AutoTagID]), cmp.Compare(a.AutoTagID, b.AutoTagID))
	})
	out.AutoTags = out.AutoTags[:min(len(out.AutoTags), maxFacetValues)]
	return out
}
