package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// reasonRow is a row of hiddenReasons.
type reasonRow struct {
	DocumentID string
	api.HiddenReason
	SpanStart, SpanEnd *int
	ExampleDocument    *string
	ExampleValue       *string
	ExampleSnippet     *string
	Similarity         *float64
}

// HiddenBy returns the filters that hide each document, and why, in order and with one statement.
func (s *Service) HiddenBy(ctx context.Context, docs []*model.Document) ([][]*api.HiddenReason, error) {
	p := principal.Must(ctx)
	rows, err := s.hiddenReasons(ctx, p.WorkspaceID, documentIDsOf(docs))
	if err != nil {
		return nil, err
	}
	out := make([][]*api.HiddenReason, len(docs))
	for i, reasons := range dbx.GroupByKey(documentIDsOf(docs), rows,
		func(r *reasonRow) string { return r.DocumentID }) {
		out[i] = []*api.HiddenReason{}
		for _, r := range reasons {
			out[i] = append(out[i], r.toModel())
		}
	}
	return out, nil
}

func (r *reasonRow) toModel() *api.HiddenReason {
	out := r.HiddenReason
	out.Start, out.End = r.SpanStart, r.SpanEnd
	if r.ExampleValue != nil {
		out.NearestExample = &api.NearestExample{
			DocumentID: r.ExampleDocument, Value: *r.ExampleValue, Snippet: optional.ValueOr(r.ExampleSnippet, ""),
			Similarity: r.Similarity,
		}
	}
	return &out
}

func (s *Service) hiddenReasons(ctx context.Context, workspaceID string, documents []string) ([]*reasonRow, error) {
	var rows []*reasonRow
	if len(documents) == 0 {
		return nil, nil
	}
	err := s.db.NewSelect().TableExpr("document_hidden AS h").
		ColumnExpr("h.document_id, t.id AS auto_tag_id, t.name, t.tag_type, a.id AS applied_id, a.extracted_value, a.confidence_score").
		ColumnExpr("a.quote, a.span_start, a.span_end, a.similarity").
		ColumnExpr("e.document_id AS example_document, e.value AS example_value, e.snippet AS example_snippet").
		Join("JOIN auto_tag AS t ON t.id = h.auto_tag_id AND t.workspace_id = h.workspace_id").
		Join("JOIN document_auto_tag AS a ON a.document_id = h.document_id AND a.auto_tag_id = h.auto_tag_id AND a.workspace_id = h.workspace_id").
		Join("LEFT JOIN auto_tag_example AS e ON e.id = a.example_id AND e.workspace_id = h.workspace_id").
		Where("h.workspace_id = ? AND h.document_id IN ?", workspaceID, bun.Tuple(documents)).
		OrderExpr("t.name, t.id").Scan(ctx, &rows)
	model.NoteDocuments(ctx, documents...)
	for _, row := range rows {
		model.NoteDocuments(ctx, optional.ValueOr(row.ExampleDocument, ""))
	}
	return rows, dbx.Err(err)
}

// appliedRows returns the values of auto-tags in documents, oldest first.
func (s *Service) appliedRows(ctx context.Context, db dbx.Reader, workspaceID string,
	documents []string) ([]*model.AppliedAutoTag, error) {
	rows := []*model.AppliedAutoTag{}
	if len(documents) == 0 {
		return rows, nil
	}
	err := withDescriptions(db).Where("workspace_id = ? AND document_id IN ?", workspaceID, bun.Tuple(documents)).
		Order("applied_at", "id").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}
