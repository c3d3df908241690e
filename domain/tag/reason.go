package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// reason is why a filter hides a document, as one statement reads it.
type reason struct {
	DocumentID string
	model.HiddenReason
	SpanStart, SpanEnd *int
	ExampleDocument    *string
	ExampleValue       *string
	ExampleSnippet     *string
	Similarity         *float64
}

// HiddenBy says of documents why filters hide them, all with one statement, in the order of the documents.
func (s *Service) HiddenBy(ctx context.Context, docs []*model.Document) ([][]*model.HiddenReason, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.reasons(ctx, p.WorkspaceID, documentIDsOf(docs))
	if err != nil {
		return nil, err
	}
	out := make([][]*model.HiddenReason, len(docs))
	for i, of := range dbx.Deal(documentIDsOf(docs), rows, func(r *reason) string { return r.DocumentID }) {
		out[i] = []*model.HiddenReason{}
		for _, r := range of {
			out[i] = append(out[i], r.shown())
		}
	}
	return out, nil
}

func (r *reason) shown() *model.HiddenReason {
	out := r.HiddenReason
	out.Start, out.End = r.SpanStart, r.SpanEnd
	if r.ExampleValue != nil {
		out.NearestExample = &model.NearestExample{
			DocumentID: r.ExampleDocument, Value: *r.ExampleValue, Snippet: model.ValueOr(r.ExampleSnippet, ""), Similarity: r.Similarity,
		}
	}
	return &out
}

func (s *Service) reasons(ctx context.Context, workspaceID string, documents []string) ([]*reason, error) {
	var rows []*reason
	if len(documents) == 0 {
		return nil, nil
	}
	err := s.db.NewSelect().TableExpr("document_hidden AS h").
		ColumnExpr("h.document_id, t.id AS auto_tag_id, t.name, t.tag_type, a.id AS applied_id, a.extracted_value, a.confidence_score").
		ColumnExpr("a.quote, a.span_start, a.span_end, a.similarity").
		ColumnExpr("e.document_id AS example_document, e.value AS example_value, e.snippet AS example_snippet").
		Join("JOIN auto_tag AS t ON t.id = h.auto_tag_id").
		Join("JOIN document_auto_tag AS a ON a.document_id = h.document_id AND a.auto_tag_id = h.auto_tag_id").
		Join("LEFT JOIN auto_tag_example AS e ON e.id = a.example_id").
		Where("h.workspace_id = ? AND h.document_id IN ?", workspaceID, bun.Tuple(documents)).
		OrderExpr("t.name, t.id").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// appliedRows reads the values that auto-tags have in documents, oldest first.
func (s *Service) appliedRows(ctx context.Context, db bun.IDB, workspaceID string, documents []string) ([]*model.AppliedAutoTag, error) {
	rows := []*model.AppliedAutoTag{}
	if len(documents) == 0 {
		return rows, nil
	}
	err := db.NewSelect().Model(&rows).ColumnExpr("applied.*").
		ColumnExpr("(SELECT description FROM auto_tag WHERE auto_tag.id = applied.auto_tag_id) AS description").
		Where("workspace_id = ? AND document_id IN ?", workspaceID, bun.Tuple(documents)).Order("applied_at", "id").Scan(ctx)
	return rows, dbx.Err(err)
}
