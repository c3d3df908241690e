package document

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// nearestPerTrait limits the documents per executive, company or auto-tag value that are compared
// with a document.
const nearestPerTrait = 50

// relatedRow is a document with what it shares with a source: 1 or 0 for the executive and the
// company, and the number of auto-tag values.
type relatedRow struct {
	SourceID        string
	DocumentID      string
	SharesExecutive int
	SharesCompany   int
	SharedTags      int
}

// RelatedDocuments returns for each document the documents that share most with it, then the
// newest, at most most. It reads all in one statement. It leaves out trial texts and documents that
// a comms filter hides. It returns a database error.
func (s *Service) RelatedDocuments(ctx context.Context, docs []*model.Document, most int) ([][]*model.RelatedDocument,
	error) {
	ids := make([]string, len(docs))
	for i, doc := range docs {
		ids[i] = doc.ID
	}
	var rows []*relatedRow
	err := s.db.NewSelect().TableExpr("(?) AS ranked", s.rankRelated(principal.Must(ctx).WorkspaceID, ids)).
		Column("source_id", "document_id", "shares_executive", "shares_company", "shared_tags").
		Where("place <= ?", most).OrderExpr("source_id, place").Scan(ctx, &rows)
	found := dbx.GroupByKey(ids, rows, func(row *relatedRow) string { return row.SourceID })
	out := make([][]*model.RelatedDocument, len(docs))
	for i, related := range found {
		out[i] = make([]*model.RelatedDocument, len(related))
		for n, row := range related {
			out[i][n] = row.relatedDocument()
		}
	}
	return out, dbx.Err(err)
}

func (row *relatedRow) relatedDocument() *model.RelatedDocument {
	related := &model.RelatedDocument{DocumentID: row.DocumentID, SharedBy: []model.SharedAttribute{},
		SharedAutoTagCount: row.SharedTags}
	if row.SharesExecutive > 0 {
		related.SharedBy = append(related.SharedBy, model.SharedAttributeExecutive)
	}
	if row.SharesCompany > 0 {
		related.SharedBy = append(related.SharedBy, model.SharedAttributeCompany)
	}
	if row.SharedTags > 0 {
		related.SharedBy = append(related.SharedBy, model.SharedAttributeAutoTag)
	}
	return related
}

// rankRelated returns a query of the documents near each of the documents with the ids, with their
// place by how much they share.
func (s *Service) rankRelated(workspaceID string, ids []string) *bun.SelectQuery {
	near := s.db.NewSelect().TableExpr("document AS source").
		ColumnExpr("source.id AS source_id, near.id AS document_id, near.created_at").
		ColumnExpr("CASE WHEN near.executive_id = source.executive_id THEN 1 ELSE 0 END AS shares_executive").
		ColumnExpr("CASE WHEN near.company_id = source.company_id THEN 1 ELSE 0 END AS shares_company").
		ColumnExpr("(?) AS shared_tags", s.countSharedTags(workspaceID))
	near = s.db.JoinSelected(near, "document", "near", s.nearDocuments(workspaceID)).
		Where("? = ? AND source.id IN ? AND near.id <> source.id", s.db.Unindexed("source", "workspace_id"),
			workspaceID, bun.Tuple(ids)).
		Where("? = ? AND NOT near.hidden AND NOT ?", s.db.Unindexed("near", "workspace_id"), workspaceID, Trial("near"))
	return s.db.NewSelect().TableExpr("(?) AS near", near).ColumnExpr("near.*").
		ColumnExpr("row_number() OVER (PARTITION BY source_id ORDER BY shares_executive + shares_company + shared_tags DESC, created_at DESC, document_id DESC) AS place")
}

// nearDocuments returns a query of the newest documents that share the executive, the company or an
// auto-tag's value with the document source. Its caller must restrict the workspace: a condition
// here would read more of an index than it returns.
func (s *Service) nearDocuments(workspaceID string) *bun.SelectQuery {
	newest := func(column string) *bun.SelectQuery {
		return s.db.NewSelect().TableExpr("document AS own").Column("own.id").
			Where("own.? = source.?", bun.Ident(column), bun.Ident(column)).
			OrderExpr("own.created_at DESC, own.id DESC").Limit(nearestPerTrait)
	}
	return s.db.NewSelect().TableExpr(
		"(SELECT id FROM (?) AS of_executive UNION SELECT id FROM (?) AS of_company UNION SELECT document_id FROM (?) AS of_tag) AS found",
		newest("executive_id"), newest("company_id"), s.related.SharingTags(workspaceID, "source", nearestPerTrait)).
		Column("found.id")
}

// countSharedTags returns a query of the number of auto-tag values that the documents source and
// near share.
func (s *Service) countSharedTags(workspaceID string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("(?) AS own", s.related.TagValues(workspaceID)).ColumnExpr("count(*)").
		Join("JOIN (?) AS other ON other.auto_tag_id = own.auto_tag_id AND other.value_key = own.value_key",
			s.related.TagValues(workspaceID)).
		Where("own.document_id = source.id AND other.document_id = near.id AND own.value_key <> ''")
}
