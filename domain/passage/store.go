package passage

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// findSet returns the set of a document. It returns errs.NotFound without one.
func findSet(ctx context.Context, db dbx.Reader, workspaceID, documentID string) (*model.PassageSet, error) {
	set := new(model.PassageSet)
	err := db.NewSelect().Model(set).Where("workspace_id = ? AND document_id = ?", workspaceID, documentID).Scan(ctx)
	return set, dbx.Err(err)
}

// lockSet returns the same set as findSet and locks it until the transaction ends.
func (s *Service) lockSet(ctx context.Context, tx dbx.Tx, workspaceID, documentID string) (*model.PassageSet, error) {
	set := new(model.PassageSet)
	q := tx.NewSelect().Model(set).Where("workspace_id = ? AND document_id = ?", workspaceID, documentID)
	return set, dbx.Err(s.DB.ForUpdate(q).Scan(ctx))
}

// upsertSets returns the statement that stores sets and replaces earlier ones of the same
// documents.
func upsertSets(tx dbx.Tx, sets ...*model.PassageSet) *bun.InsertQuery {
	q := tx.NewInsert().Model(&sets).On("CONFLICT (document_id) DO UPDATE")
	for _, column := range []string{"version", "model", "stored", "is_complete", "failures", "due_at"} {
		q = q.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	return q
}

// saveSet updates the columns of a set that its task changes.
func saveSet(ctx context.Context, tx dbx.Tx, set *model.PassageSet) error {
	_, err := tx.NewUpdate().Model(set).Column("stored", "is_complete", "failures", "due_at").WherePK().Exec(ctx)
	return dbx.Err(err)
}

func insertPassages(ctx context.Context, tx dbx.Tx, rows []*model.Passage) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return dbx.Err(err)
}

func deletePassages(ctx context.Context, tx dbx.Tx, sets []*model.PassageSet) error {
	ids := make([]string, len(sets))
	for i, set := range sets {
		ids[i] = set.DocumentID
	}
	_, err := tx.NewDelete().Model((*model.Passage)(nil)).Where("document_id IN ?", bun.Tuple(ids)).Exec(ctx)
	return dbx.Err(err)
}

// countWaiting returns the number of sets with a queued task that has not failed often.
func (s *Service) countWaiting(ctx context.Context) (int, error) {
	n, err := s.DB.NewSelect().Model((*model.PassageSet)(nil)).Where("NOT is_complete AND failures < ?", oftenFailed).
		Count(ctx)
	return int(n), dbx.Err(err)
}

// listMissing returns the newest documents with a text that has no set of the embedding model, or a
// set that lost its task.
func (s *Service) listMissing(ctx context.Context, lost time.Time) ([]*model.Document, error) {
	docs := []*model.Document{}
	err := s.Documents.SelectAll(s.DB).Column("document.id", "document.workspace_id", "document.version").
		Join("LEFT JOIN passage_set ON passage_set.document_id = document.id").
		Where("document.content IS NOT NULL AND (passage_set.document_id IS NULL OR ? OR ?)",
			bun.SafeQuery(staleExpr, bun.Ident("document.version"), s.Embedder.EmbeddingModel()),
			bun.SafeQuery(lostExpr, lost)).
		Order("document.id DESC").Limit(findBatch).Scan(ctx, &docs)
	return docs, dbx.Err(err)
}

const (
	// staleExpr is true for a complete set of another version or another model.
	staleExpr = "passage_set.is_complete AND (passage_set.version <> ? OR passage_set.model <> ?)"
	// lostExpr is true for an incomplete set with a task that was due before a time.
	lostExpr = "NOT passage_set.is_complete AND passage_set.due_at < ?"
)

// claimSets replaces sets that are still stale or lost by empty ones, and returns these. If another
// process does the same at the same time, each set is claimed by one.
func (s *Service) claimSets(ctx context.Context, tx dbx.Tx, sets []*model.PassageSet,
	lost time.Time) ([]*model.PassageSet, error) {
	claimed := []*model.PassageSet{}
	err := upsertSets(tx, sets...).
		Where("? OR ?", bun.SafeQuery(staleExpr, bun.Ident("excluded.version"), s.Embedder.EmbeddingModel()),
			bun.SafeQuery(lostExpr, lost)).
		Returning("*").Scan(ctx, &claimed)
	return claimed, dbx.Err(err)
}

// selectPassages returns a query of a search's passages, under the alias p. Their documents still
// have the text that was embedded.
func (s *Service) selectPassages(in passageSearch) *bun.SelectQuery {
	return s.Documents.SelectIn(s.DB, in.workspaceID).
		Join("JOIN passage_set AS t ON t.document_id = d.id AND t.version = d.version AND t.model = ?",
			s.Embedder.EmbeddingModel()).
		Join("JOIN passage AS p ON p.document_id = t.document_id").Where("?", in.condition)
}

// scanVectors calls visit with each passage's vector. It runs one statement and holds one row in
// memory, so components is valid only during the call.
func (s *Service) scanVectors(ctx context.Context, in passageSearch,
	visit func(key passageKey, scale float64, components []byte)) error {
	rows, err := s.selectPassages(in).Column("p.document_id", "p.position", "p.scale", "p.vector").Rows(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	defer rows.Close() // rows.Err returns the error
	var key passageKey
	var scale float64
	var components sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&key.documentID, &key.position, &scale, &components); err != nil {
			return dbx.Err(err)
		}
		visit(key, scale, components)
	}
	return dbx.Err(rows.Err())
}

// readTexts returns the texts and places of passages. It leaves out documents that have changed
// since.
func (s *Service) readTexts(ctx context.Context, in passageSearch,
	passages []scoredPassage) (map[passageKey]*model.PassageMatch, error) {
	texts := map[passageKey]*model.PassageMatch{}
	if len(passages) == 0 {
		return texts, nil
	}
	var rows []struct {
		DocumentID         string
		Position           int
		SpanStart, SpanEnd int
		Text               string
	}
	q := s.selectPassages(in).Column("p.document_id", "p.position", "p.span_start", "p.span_end").
		ColumnExpr("substr(d.content, p.span_start + 1, p.span_end - p.span_start) AS text")
	err := q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
		for _, p := range passages {
			q = q.WhereOr("p.document_id = ? AND p.position = ?", p.documentID, p.position)
		}
		return q
	}).Scan(ctx, &rows)
	for _, row := range rows {
		texts[passageKey{row.DocumentID, row.Position}] = &model.PassageMatch{
			DocumentID: row.DocumentID, Text: row.Text, Start: row.SpanStart, End: row.SpanEnd,
		}
	}
	return texts, dbx.Err(err)
}

// countPending returns how many of a search's documents with a text still lack vectors of passages.
func (s *Service) countPending(ctx context.Context, in passageSearch) (int, error) {
	n, err := s.Documents.SelectIn(s.DB, in.workspaceID).Where("?", in.condition).
		Join("LEFT JOIN passage_set AS t ON t.document_id = d.id AND t.version = d.version AND t.model = ? AND t.is_complete", s.Embedder.EmbeddingModel()).
		Where("d.content IS NOT NULL AND t.document_id IS NULL").Count(ctx)
	return int(n), dbx.Err(err)
}
