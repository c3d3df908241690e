package executive

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// keepInsights is how long a comparison is given again.
const keepInsights = 7 * 24 * time.Hour

// subjectColumn is the column that names a subject, on documents and on signals.
func subjectColumn(kind model.ComparisonType) bun.Ident {
	if kind == model.ComparisonTypeCompany {
		return "company"
	}
	return "executive"
}

// leading names the subjects with most documents, by their names.
func (s *Service) leading(ctx context.Context, workspaceID string, kind model.ComparisonType) ([]string, error) {
	names, column := []string{}, subjectColumn(kind)
	err := s.DB.NewSelect().Table("document").ColumnExpr("?", column).
		Where("workspace_id = ? AND ? IS NOT NULL AND ? <> ''", workspaceID, column, column).
		GroupExpr("?", column).OrderExpr("count(*) DESC, ?", column).Limit(mostSubjects).Scan(ctx, &names)
	slices.Sort(names)
	return names, dbx.Err(err)
}

// known lists those of the names that documents are attributed to or signals are of.
func (s *Service) known(ctx context.Context, workspaceID string, kind model.ComparisonType, wanted []string) ([]string, error) {
	found, column := []string{}, subjectColumn(kind)
	those := func(table string) *bun.SelectQuery {
		return s.DB.NewSelect().Table(table).Column(string(column)).Where("workspace_id = ? AND ? IN ?", workspaceID, column, names(wanted))
	}
	err := those("document").Union(those("signal")).Scan(ctx, &found)
	return found, dbx.Err(err)
}

// withText are the documents of subjects that can be looked through.
func (s *Service) withText(workspaceID string, q question) *bun.SelectQuery {
	return s.DB.NewSelect().TableExpr("document AS d").Join("LEFT JOIN signal_extraction AS e ON e.document_id = d.id").
		Where("d.workspace_id = ? AND d.? IN ? AND d.character_count > 0 AND d.processing_status IS NULL", workspaceID, subjectColumn(q.Kind), names(q.Subjects))
}

// names are a list of which no part is empty, for IN.
func names(list []string) any {
	if len(list) == 0 {
		list = []string{""}
	}
	return bun.Tuple(list)
}

// unread lists the subjects' documents that were never looked through, latest first, as many as one comparison looks through.
func (s *Service) unread(ctx context.Context, workspaceID string, q question) ([]*model.Document, error) {
	rows := []*model.Document{}
	err := s.withText(workspaceID, q).ColumnExpr("d.id").Where("e.document_id IS NULL").
		OrderExpr("d.created_at DESC, d.id DESC").Limit(mostExtracted).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// countUnread counts the subjects' documents that a comparison has not read: those never looked through, and those looked through after it.
func (s *Service) countUnread(ctx context.Context, workspaceID string, q question, made *time.Time) (int, error) {
	all := s.withText(workspaceID, q)
	if made == nil {
		all = all.Where("e.document_id IS NULL")
	} else {
		all = all.Where("(e.document_id IS NULL OR e.created_at > ?)", *made)
	}
	n, err := all.Count(ctx)
	return int(n), dbx.Err(err)
}

// signalsBy reads the signals of each subject in its latest documents, in the order of the documents and their texts.
func (s *Service) signalsBy(ctx context.Context, workspaceID string, kind model.ComparisonType, subjects []string) ([]*model.Signal, error) {
	rows, column := []*model.Signal{}, subjectColumn(kind)
	const order = "coalesce(d.extracted_date, d.created_at) DESC, d.id DESC, s.span_start"
	ranked := s.DB.NewSelect().TableExpr("signal AS s").Join("JOIN document AS d ON d.id = s.document_id").ColumnExpr("s.*").
		ColumnExpr("row_number() OVER (PARTITION BY s.? ORDER BY "+order+") AS place", column).
		ColumnExpr("row_number() OVER (ORDER BY "+order+") AS line").
		Where("s.workspace_id = ? AND s.? IN ?", workspaceID, column, names(subjects))
	err := s.DB.NewSelect().TableExpr("(?) AS ranked", ranked).Where("place <= ?", mostLooked).Order("line").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// keptInsight finds the comparison that is kept of a question; nil when there is none that is young enough.
func (s *Service) keptInsight(ctx context.Context, workspaceID string, q question) (*model.Insight, error) {
	row := new(model.Insight)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND request_key = ?", workspaceID, q.key(s.Engine.Model())).
		Where("created_at > ?", model.Now().Add(-keepInsights)).Scan(ctx)
	return dbx.OrNone(row, err)
}

// keepInsight stores a comparison in place of an older one of the same question. One of nothing is not kept, since the next may have something;
// nor is one of a document that was removed meanwhile.
func keepInsight(ctx context.Context, tx dbx.Tx, made *model.Insight) error {
	if made.Answer.TotalSignals == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(made.Sources))
	there, err := tx.NewSelect().Table("document").Where("workspace_id = ? AND id IN ?", made.WorkspaceID, bun.Tuple(ids)).Count(ctx)
	if err != nil || int(there) < len(ids) {
		return dbx.Err(err)
	}
	_, err = tx.NewDelete().Model((*model.Insight)(nil)).
		Where("workspace_id = ? AND request_key = ?", made.WorkspaceID, made.RequestKey).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	result, err := tx.NewInsert().Model(made).On("CONFLICT (workspace_id, request_key) DO NOTHING").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if kept, err := result.RowsAffected(); err != nil || kept == 0 {
		return dbx.Err(err)
	}
	sources := make([]*model.InsightSource, len(ids))
	for i, id := range ids {
		sources[i] = &model.InsightSource{InsightID: made.ID, DocumentID: id}
	}
	_, err = tx.NewInsert().Model(&sources).Exec(ctx)
	return dbx.Err(err)
}
