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

// keepInsights is the lifetime of a stored comparison.
const keepInsights = 7 * 24 * time.Hour

// subjectColumn returns the column of documents and signals with the subject.
func subjectColumn(kind model.ComparisonType) bun.Ident {
	if kind == model.ComparisonTypeCompany {
		return "company"
	}
	return "executive"
}

// leadingSubjects returns the subjects with most documents.
func (s *Service) leadingSubjects(ctx context.Context, workspaceID string, kind model.ComparisonType) ([]string,
	error) {
	names, column := []string{}, subjectColumn(kind)
	err := s.Documents.SelectPublished(s.DB, workspaceID).ColumnExpr("?", column).
		Where("? IS NOT NULL AND ? <> ''", column, column).
		GroupExpr("?", column).OrderExpr("count(*) DESC, ?", column).Limit(mostSubjects).Scan(ctx, &names)
	slices.Sort(names)
	return names, dbx.Err(err)
}

// knownSubjects returns the names that documents or signals are attributed to.
func (s *Service) knownSubjects(ctx context.Context, workspaceID string, kind model.ComparisonType,
	wanted []string) ([]string, error) {
	found, column := []string{}, subjectColumn(kind)
	attributed := func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Column(string(column)).Where("? IN ?", column, nonEmptyNames(wanted))
	}
	signals := s.DB.NewSelect().Table("signal").Where("workspace_id = ?", workspaceID)
	err := attributed(s.Documents.SelectPublished(s.DB, workspaceID)).Union(attributed(signals)).Scan(ctx, &found)
	return found, dbx.Err(err)
}

// documentsWithText selects the subjects' documents with a text.
func (s *Service) documentsWithText(workspaceID string, q comparisonQuestion) *bun.SelectQuery {
	return s.Documents.SelectPublished(s.DB, workspaceID).
		Join("LEFT JOIN signal_extraction AS e ON e.document_id = d.id").
		Where("d.? IN ? AND d.character_count > 0 AND d.processing_status IS NULL", subjectColumn(q.Kind),
			nonEmptyNames(q.Subjects))
}

// nonEmptyNames returns the list for IN, with a placeholder if it is empty.
func nonEmptyNames(list []string) any {
	if len(list) == 0 {
		list = []string{""}
	}
	return bun.Tuple(list)
}

// unreadDocuments returns the subjects' documents without an extraction, latest first, up to the
// limit of a comparison.
func (s *Service) unreadDocuments(ctx context.Context, workspaceID string, q comparisonQuestion) ([]*model.Document,
	error) {
	rows := []*model.Document{}
	err := s.documentsWithText(workspaceID, q).ColumnExpr("d.id").Where("e.document_id IS NULL").
		OrderExpr("d.created_at DESC, d.id DESC").Limit(mostExtracted).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// countUnread returns how many of the subjects' documents a comparison has not read: without an
// extraction, or extracted later.
func (s *Service) countUnread(ctx context.Context, workspaceID string, q comparisonQuestion, made *time.Time) (int,
	error) {
	all := s.documentsWithText(workspaceID, q)
	if made == nil {
		all = all.Where("e.document_id IS NULL")
	} else {
		all = all.Where("(e.document_id IS NULL OR e.created_at > ?)", *made)
	}
	n, err := all.Count(ctx)
	return int(n), dbx.Err(err)
}

// signalsBy returns the signals of each subject's latest documents, by document and place in the
// text.
func (s *Service) signalsBy(ctx context.Context, workspaceID string, kind model.ComparisonType,
	subjects []string) ([]*model.Signal, error) {
	rows, column := []*model.Signal{}, subjectColumn(kind)
	const order = "coalesce(d.extracted_date, d.created_at) DESC, d.id DESC, s.span_start"
	ranked := s.Documents.SelectPublished(s.DB, workspaceID).Join("JOIN signal AS s ON s.document_id = d.id").
		ColumnExpr("s.*").
		ColumnExpr("row_number() OVER (PARTITION BY s.? ORDER BY "+order+") AS place", column).
		ColumnExpr("row_number() OVER (ORDER BY "+order+") AS line").
		Where("s.workspace_id = ? AND s.? IN ?", workspaceID, column, nonEmptyNames(subjects))
	err := s.DB.NewSelect().TableExpr("(?) AS ranked", ranked).Where("place <= ?", mostLooked).Order("line").
		Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// keptInsight returns the stored comparison of a question; nil if there is none or it has expired.
func (s *Service) keptInsight(ctx context.Context, workspaceID string, q comparisonQuestion) (*model.Insight, error) {
	row := new(model.Insight)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND request_key = ?", workspaceID,
		q.requestKey(s.Engine.Model())).
		Where("created_at > ?", model.Now().Add(-keepInsights)).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// keepInsight stores a comparison and replaces an older one of the same question. It stores no
// comparison that is empty or cites a deleted document, and sets IsStored.
func (s *Service) keepInsight(ctx context.Context, tx dbx.Tx, made *model.Insight) error {
	if made.Answer.TotalSignals == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(made.Sources))
	existing, err := s.Documents.FindByIDs(ctx, tx, made.WorkspaceID, ids, "id")
	if err != nil || len(existing) < len(ids) {
		return err
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
	made.IsStored = true
	s.RecordChange(tx, made.WorkspaceID, model.EventObjectChanged, made.ID)
	sources := make([]*model.InsightSource, len(ids))
	for i, id := range ids {
		sources[i] = &model.InsightSource{InsightID: made.ID, DocumentID: id}
	}
	if _, err = tx.NewInsert().Model(&sources).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return s.keepSubjects(ctx, tx, made)
}

// keepSubjects links a comparison to its executives and companies.
func (s *Service) keepSubjects(ctx context.Context, tx dbx.Tx, made *model.Insight) error {
	var rows []*model.InsightParty
	for _, kind := range model.PartyKinds {
		names := made.Answer.Executives
		if kind == model.PartyKindCompany {
			names = made.Answer.Companies
		}
		parties, err := s.Parties.Attach(ctx, tx, made.WorkspaceID, kind, names...)
		if err != nil {
			return err
		}
		for _, name := range names {
			if party, ok := parties[name]; ok {
				rows = append(rows, &model.InsightParty{InsightID: made.ID, PartyID: party.ID})
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT (insight_id, party_id) DO NOTHING").Exec(ctx)
	return dbx.Err(err)
}
