package document

import (
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
)

// Related are queries of other packages' rows. Lists of documents are filtered, ordered and counted
// by them.
type Related struct {
	// Tagged selects the document_id of documents with an auto-tag, with the value or with any.
	Tagged func(workspaceID, autoTagID string, value *string) *bun.SelectQuery
	// Tags selects the ids of those auto-tags that exist.
	Tags func(workspaceID string, ids ...string) *bun.SelectQuery
	// TagValues selects document_id, auto_tag_id, value_key and extracted_value of auto-tags'
	// values.
	TagValues func(workspaceID string) *bun.SelectQuery
	// SharingTags selects the document_id of documents that share a value of an auto-tag with the
	// document source of the outer query. It takes the newest ones of each value, at most most.
	SharingTags func(workspaceID, source string, most int) *bun.SelectQuery
	// NamedParties selects the ids of the companies or executives that have one of the names.
	NamedParties func(workspaceID string, kind model.PartyKind, names ...string) *bun.SelectQuery
	// SpokenBy selects the document_id of statements whose speakers have the name or a part of it.
	SpokenBy func(workspaceID, name string) *bun.SelectQuery
	// Reactions selects document_id and rating of the completed reactions to the current texts.
	Reactions func(workspaceID string) *bun.SelectQuery
}

// Relate sets the rows of other packages that lists of documents refer to. Call it before reading a
// list.
func (s *Service) Relate(related Related) { s.related = related }

// maxTagMatches is the largest number of auto-tags in a filter.
const maxTagMatches = 10

// documentFilter is the filter of the graph.
type documentFilter = api.DocumentFilter

// conditions returns the conditions of the filter for the workspace; asked is its q.
func (s *Service) conditions(workspaceID string, asked *askedQuery) dbx.Filter[documentFilter] {
	return dbx.Filter[documentFilter]{
		dbx.MatchQuery(func(f *documentFilter) *string { return f.Q.Value() }, asked.check, asked.where),
		dbx.MatchBy(func(f *documentFilter) *string { return f.Tag.Value() },
			func(q *bun.SelectQuery, tag string) *bun.SelectQuery {
				return s.db.Containing(q, "tags", tag)
			}),
		dbx.MatchValue("content_type", func(f *documentFilter) *string { return f.ContentType.Value() }),
		dbx.MatchBy(func(f *documentFilter) *string { return f.Company.Value() },
			func(q *bun.SelectQuery, name string) *bun.SelectQuery {
				return s.namedParties(q, workspaceID, model.PartyKindCompany, name)
			}),
		dbx.MatchBy(func(f *documentFilter) *string { return f.Executive.Value() },
			func(q *bun.SelectQuery, name string) *bun.SelectQuery {
				return s.namedParties(q, workspaceID, model.PartyKindExecutive, name)
			}),
		dbx.MatchValue("media_provenance", func(f *documentFilter) *model.MediaProvenance { return f.MediaProvenance.Value() }),
		dbx.MatchValue("processing_status", func(f *documentFilter) *model.ProcessingStatus { return f.ProcessingStatus.Value() }),
		visibility.Match(s.db, "document", func(f *documentFilter) *model.Visibility { return f.Visibility.Value() }),
		dbx.MatchTime("created", "created_at", func(f *documentFilter) *model.TimeRange { return f.Created.Value() }),
		dbx.MatchTime("published", "extracted_date",
			func(f *documentFilter) *model.TimeRange { return f.Published.Value() }),
		dbx.MatchAnyText("languages", "language", func(f *documentFilter) []string { return f.Languages.Value() }),
		dbx.MatchAnyText("authors", "author", func(f *documentFilter) []string { return f.Authors.Value() }),
		dbx.MatchAnyName("companies", func(f *documentFilter) []string { return f.Companies.Value() },
			func(q *bun.SelectQuery, names []string) *bun.SelectQuery {
				return s.namedParties(q, workspaceID, model.PartyKindCompany, names...)
			}),
		dbx.MatchAnyName("executives", func(f *documentFilter) []string { return f.Executives.Value() },
			func(q *bun.SelectQuery, names []string) *bun.SelectQuery {
				return s.namedParties(q, workspaceID, model.PartyKindExecutive, names...)
			}),
		dbx.MatchAnyText("communicationTypes", "communication_type",
			func(f *documentFilter) []string { return f.CommunicationTypes.Value() }),
		dbx.MatchList("autoTags", maxTagMatches, func(f *documentFilter) []*api.AutoTagMatch { return f.AutoTags.Value() },
			func(q *bun.SelectQuery, tags []*api.AutoTagMatch) *bun.SelectQuery {
				for _, tag := range tags {
					q = q.Where("id IN (?)", s.related.Tagged(workspaceID, tag.AutoTagID, tag.Value.Value()))
				}
				return q
			}),
		dbx.MatchList("states", len(stateConditions),
			func(f *documentFilter) []model.DocumentState { return f.States.Value() }, whereStates),
		dbx.MatchBy(func(f *documentFilter) *bool { return f.HasReactions.Value() },
			func(q *bun.SelectQuery, has bool) *bun.SelectQuery {
				condition := map[bool]string{true: "id IN (?)", false: "id NOT IN (?)"}[has]
				return q.Where(condition, s.db.NewSelect().
					TableExpr("(?) AS reacted", s.related.Reactions(workspaceID)).
					Column("document_id"))
			}),
	}
}

// stateConditions are the conditions of the states. Each document fulfills exactly one.
var stateConditions = map[model.DocumentState]string{
	model.DocumentStateProcessing: "processing_status <> 'failed'",
	model.DocumentStateFailed:     "processing_status = 'failed'",
	model.DocumentStateReady:      "processing_status IS NULL AND NOT hidden",
	model.DocumentStateHidden:     "processing_status IS NULL AND hidden",
}

// stateExpression is a document's state.
const stateExpression = "CASE WHEN processing_status = 'failed' THEN 'failed' WHEN processing_status IS NOT NULL THEN 'processing' WHEN hidden THEN 'hidden' ELSE 'ready' END"

// whereStates selects the documents in any of the states.
func whereStates(q *bun.SelectQuery, states []model.DocumentState) *bun.SelectQuery {
	parts := make([]string, len(states))
	for i, state := range states {
		parts[i] = stateConditions[state]
	}
	return q.Where("(" + strings.Join(parts, " OR ") + ")")
}

// orders are the orders that callers can choose.
var orders = dbx.NewOrders[model.DocumentOrderField, model.Document](map[model.DocumentOrderField]string{
	model.DocumentOrderFieldCreatedAt:   "created_at",
	model.DocumentOrderFieldUpdatedAt:   "updated_at",
	model.DocumentOrderFieldPublishedAt: "extracted_date",
	model.DocumentOrderFieldTitle:       "title",
	model.DocumentOrderFieldLength:      "word_count",
	model.DocumentOrderFieldRelevance:   "relevance",
	model.DocumentOrderFieldRating:      "mean_rating",
})

// rowsFor returns a query of the documents with an order's computed column, or nil if the column is
// stored. It returns errs.ValidationFailed for the order by relevance without words.
func (s *Service) rowsFor(workspaceID string, asked *askedQuery, order *model.DocumentOrder) (*bun.SelectQuery,
	error) {
	switch {
	case order == nil:
		return nil, nil
	case order.Field == model.DocumentOrderFieldRelevance:
		if !asked.hasText() {
			return nil, errs.Invalid(errs.BodyField("value_error", "RELEVANCE needs words in the filter's q", "orderBy",
				"field"))
		}
		return s.db.WithRelevance("document", workspaceID, asked.ranked()), nil
	case order.Field == model.DocumentOrderFieldRating:
		means := s.db.NewSelect().TableExpr("(?) AS rated", s.related.Reactions(workspaceID)).
			ColumnExpr("document_id, CAST(round(avg(rating) * 1000) AS integer) AS mean_rating").Group("document_id")
		return s.db.NewSelect().TableExpr("document").ColumnExpr("document.*, mean.mean_rating").
			Join("LEFT JOIN (?) AS mean ON mean.document_id = document.id", means), nil
	}
	return nil, nil
}
