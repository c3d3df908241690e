package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
)

// documentDate is a document's publication date, or its creation date if unknown.
const documentDate = "coalesce(extracted_date, created_at)"

// attributedDocuments selects the workspace's documents with an executive; the name is never blank.
func (s *Service) attributedDocuments(workspaceID string) *bun.SelectQuery {
	return s.Documents.SelectPublished(s.DB, workspaceID).Where("executive IS NOT NULL AND executive <> ''")
}

// countDocuments counts the documents of each of the workspace's executives that match the filter.
func (s *Service) countDocuments(workspaceID string, filter *api.ExecutiveFilter) *bun.SelectQuery {
	return s.companyFilter(workspaceID).Apply(s.attributedDocuments(workspaceID).Where("executive_id IS NOT NULL"),
		filter).
		ColumnExpr("executive_id, count(*) AS total_documents, max(" + documentDate + ") AS last_communication").
		Group("executive_id")
}

func (s *Service) countExecutives(ctx context.Context, workspaceID string, filter *api.ExecutiveFilter) (n int,
	err error) {
	err = s.companyFilter(workspaceID).Apply(s.attributedDocuments(workspaceID), filter).
		ColumnExpr("count(DISTINCT executive_id)").Scan(ctx, &n)
	return n, dbx.Err(err)
}

// executiveExists reports whether a document is attributed to the name.
func (s *Service) executiveExists(ctx context.Context, workspaceID, name string) (bool, error) {
	found, err := s.attributedDocuments(workspaceID).Where("executive = ?", name).Exists(ctx)
	return found, dbx.Err(err)
}

func (s *Service) loadState(ctx context.Context, workspaceID string) (*workspaceState, error) {
	out := new(workspaceState)
	extracted := s.DB.NewSelect().Table("signal_extraction").Column("created_at").
		Where("workspace_id = ?", workspaceID).
		Order("created_at DESC").Limit(1)
	err := s.Documents.SelectState(s.DB, workspaceID).ColumnExpr("(?) AS extracted", extracted).Scan(ctx, out)
	return out, dbx.Err(err)
}

// namedDocuments selects the documents of the executives with the names.
func (s *Service) namedDocuments(workspaceID string, names []string) *bun.SelectQuery {
	return s.attributedDocuments(workspaceID).Where("executive IN ?", nonEmptyNames(names))
}

func (s *Service) documentGroups(ctx context.Context, workspaceID string, names []string) ([]documentGroup, error) {
	var rows []documentGroup
	err := s.namedDocuments(workspaceID, names).Column("executive", "company").
		ColumnExpr("communication_type AS kind, count(*) AS n, min("+documentDate+") AS earliest, max("+documentDate+
			") AS latest").
		Group("executive", "communication_type", "company").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

func (s *Service) signalGroups(ctx context.Context, workspaceID string, names []string) ([]signalGroup, error) {
	var rows []signalGroup
	err := s.DB.NewSelect().Table("signal").ColumnExpr("executive, theme, company, count(*) AS n").
		Where("workspace_id = ? AND executive IN ?", workspaceID, nonEmptyNames(names)).
		Group("executive", "theme", "company").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// latestRow is one of the latest rows of an executive.
type latestRow struct {
	Executive string `bun:"executive"`
	ID        string `bun:"id"`
}

// latestOf returns each executive's newest rows by the date, up to limit. It reads one range of an
// index per name. The query selects rows of the table.
func (s *Service) latestOf(ctx context.Context, names []string, table string, rows *bun.SelectQuery, date string,
	limit int) ([]latestRow, error) {
	newest := rows.Column("id").Where("executive = named.name").OrderExpr(date + " DESC, id DESC").Limit(int64(limit))
	q := s.DB.NewSelect().TableExpr("?", s.DB.Values(names, "named", "name")).ColumnExpr("latest.executive, latest.id")
	var latest []latestRow
	err := s.DB.JoinSelected(q, table, "latest", newest).OrderExpr("latest.executive, "+date+" DESC, latest.id DESC").
		Scan(ctx, &latest)
	return latest, dbx.Err(err)
}

func (s *Service) latestDocuments(ctx context.Context, workspaceID string, names []string) ([]latestRow, error) {
	return s.latestOf(ctx, names, "document", s.attributedDocuments(workspaceID), documentDate, latestDocuments)
}

func (s *Service) latestSignals(ctx context.Context, workspaceID string, names []string) ([]latestRow, error) {
	rows := s.DB.NewSelect().Table("signal").Where("workspace_id = ?", workspaceID)
	return s.latestOf(ctx, names, "signal", rows, "created_at", latestSignals)
}
