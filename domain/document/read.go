package document

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/llm/text/search"
	"rostrum/model"
)

// ByIDs returns the workspace's documents with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document,
	error) {
	return dbx.ByIDs[model.Document](ctx, s.db, workspaceID, ids, columns...)
}

// StoredBytes returns how many bytes the texts and originals of a workspace's documents have,
// earlier texts and deleted documents included.
func (s *Service) StoredBytes(ctx context.Context, workspaceID string) (bytes int64, err error) {
	for _, texts := range []struct {
		table any
		size  string
	}{
		{(*model.Document)(nil), "coalesce(octet_length(content), 0) + coalesce(CAST(original ->> 'size' AS bigint), 0)"},
		{(*model.DocumentVersion)(nil), "octet_length(content)"},
		{(*model.DeletedDocument)(nil), "octet_length(document) + octet_length(kept_rows) + coalesce(CAST(original ->> 'size' AS bigint), 0)"},
	} {
		var sum int64
		err := s.db.NewSelect().Model(texts.table).ColumnExpr("coalesce(sum("+texts.size+"), 0)").
			Where("workspace_id = ?", workspaceID).Scan(ctx, &sum)
		if err != nil {
			return 0, dbx.Err(err)
		}
		bytes += sum
	}
	return bytes, nil
}

// SelectIn returns a query of the documents under the alias d, for joins of other packages.
func (s *Service) SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	return db.NewSelect().TableExpr("document AS d").Where("d.workspace_id = ?", workspaceID)
}

// SelectPublished returns the same query as SelectIn without trial texts.
func (s *Service) SelectPublished(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	return s.SelectIn(db, workspaceID).Where("NOT ?", Trial("d"))
}

// SelectState returns a query of one row for the workspace: documents is their number, changed the
// time of the newest change.
func (s *Service) SelectState(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	newest := s.SelectIn(db, workspaceID).Column("updated_at").Order("updated_at DESC").Limit(1)
	return db.NewSelect().TableExpr("workspace AS w").ColumnExpr("w.document_count AS documents, (?) AS changed",
		newest).
		Where("w.id = ?", workspaceID)
}

// FindByIDs returns the same documents as ByIDs, read from db, which may be a transaction.
func (s *Service) FindByIDs(ctx context.Context, db dbx.Reader, workspaceID string, ids []string,
	columns ...string) ([]*model.Document, error) {
	rows := []*model.Document{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ? AND id IN ?", workspaceID,
		bun.Tuple(ids)).Scan(ctx)
	return rows, dbx.Err(err)
}

// FindByID returns a document, or errs.NotFound. If columns are named, it reads only these.
func (s *Service) FindByID(ctx context.Context, db dbx.Reader, workspaceID, id string,
	columns ...string) (*model.Document, error) {
	doc := new(model.Document)
	err := db.NewSelect().Model(doc).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return doc, dbx.Err(err)
}

// FindForUpdate returns the same document as FindByID and locks it until the transaction ends.
func (s *Service) FindForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string,
	columns ...string) (*model.Document, error) {
	doc := new(model.Document)
	q := tx.NewSelect().Model(doc).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return doc, dbx.Err(s.db.ForUpdate(q).Scan(ctx))
}

// FindByURL returns the workspace's oldest document with the canonical URL, without its text, or
// nil.
func (s *Service) FindByURL(ctx context.Context, db dbx.Reader, workspaceID, canonicalURL string) (*model.Document,
	error) {
	doc := new(model.Document)
	err := db.NewSelect().Model(doc).ExcludeColumn("content").Where("workspace_id = ? AND canonical_url = ?",
		workspaceID, canonicalURL).
		Order("created_at").Limit(1).Scan(ctx)
	return dbx.NilIfNotFound(doc, err)
}

// FindLatestByURL returns the newest document that FindByURL may return.
func (s *Service) FindLatestByURL(ctx context.Context, db dbx.Reader, workspaceID,
	canonicalURL string) (*model.Document, error) {
	doc := new(model.Document)
	err := db.NewSelect().Model(doc).ExcludeColumn("content").Where("workspace_id = ? AND canonical_url = ?",
		workspaceID, canonicalURL).
		Order("created_at DESC", "id DESC").Limit(1).Scan(ctx)
	return dbx.NilIfNotFound(doc, err)
}

// Mentioning returns up to limit documents that a persona may have read and that have any of the
// words in title or text. Documents with all of the words come first, then the newest.
func (s *Service) Mentioning(
	ctx context.Context, workspaceID string, words []string, limit int, mayReadInternal bool, columns ...string,
) ([]*model.Document, error) {
	if len(words) == 0 {
		return []*model.Document{}, nil
	}
	asked, err := s.widenQuery(ctx, workspaceID, search.AllOf(words...))
	all := asked.ranked()
	if err != nil || all.IsEmpty() {
		return []*model.Document{}, err
	}
	read := func(m dbx.Match) ([]*model.Document, error) {
		rows := []*model.Document{}
		q := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ?", workspaceID).
			Where("?", s.db.Matched("document", workspaceID, m)).Where("?", s.ReadableBy("document", mayReadInternal))
		err := q.Order("created_at DESC", "id DESC").Limit(int64(limit)).Scan(ctx)
		return rows, dbx.Err(err)
	}
	rows, err := read(all)
	if err != nil || len(rows) == limit {
		return rows, err
	}
	some, err := read(dbx.Match{Any: all.All})
	for _, doc := range some {
		duplicate := slices.ContainsFunc(rows, func(row *model.Document) bool { return row.ID == doc.ID })
		if !duplicate && len(rows) < limit {
			rows = append(rows, doc)
		}
	}
	return rows, err
}

// CreateIfMissing stores a text as a document with the caller's id, in the caller's transaction. An
// existing document is unchanged.
func (s *Service) CreateIfMissing(ctx context.Context, tx dbx.Tx, workspaceID, id string,
	in api.CreateDocumentInput) error {
	exists, err := tx.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).
		Exists(ctx)
	if err != nil || exists {
		return dbx.Err(err)
	}
	doc, err := s.newDocument(workspaceID, in)
	if err != nil {
		return err
	}
	doc.ID = id
	return s.Insert(ctx, tx, doc)
}
