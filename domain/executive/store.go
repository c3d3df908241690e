package executive

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
)

// documentDate is a document's publication date, or its creation date if unknown.
const documentDate = "coalesce(extracted_date, created_at)"

// attributedDocuments selects the workspace's documents with an executive; the name is never blank.
func (s *Service) attributedDocuments(workspaceID string) *bun.SelectQuery {
	return s.Documents.SelectPublished(s.DB, workspaceID).Where("executive IS NOT NULL AND executive <> ''")
}

// selectExecutives starts a query for the executives of the workspace's documents of the filter's companies, as rows with an id, which is the name.
func (s *Service) selectExecutives(workspaceID string, filter *api.ExecutiveFilter) *bun.SelectQuery {
	all := companyFilter.Apply(s.attributedDocuments(workspaceID), filter).ColumnExpr("executive AS id, executive AS name, count(*) AS total_documents").
		ColumnExpr("max(" + documentDate + ") AS last_communication").Group("executive")
	return s.DB.NewSelect().TableExpr("(?) AS executive", all)
}

func (s *Service) countExecutives(ctx context.Context, workspaceID string, filter *api.ExecutiveFilter) (n int, err error) {
	err = companyFilter.Apply(s.attributedDocuments(workspaceID), filter).ColumnExpr("count(DISTINCT executive)").Scan(ctx, &n)
	return n, dbx.Err(err)
}

// executiveExists reports whether a document is attributed to the name.
func (s *Service) executiveExists(ctx context.Context, workspaceID, name string) (bool, error) {
	found, err := s.attributedDocuments(workspaceID).Where("executive = ?", name).Exists(ctx)
	return found, dbx.Err(err)
}

func (s *Service) loadState(ctx context.Context, workspaceID string) (*workspaceState, error) {
	out := new(workspaceState)
	extracted := s.DB.NewSelect().Table("signal_extraction").Column("created_at").Where("workspace_id = ?", workspaceID).
		Order("created_at DESC").Limit(1)
	err := s.Documents.SelectState(s.DB, workspaceID).ColumnExpr("(?) AS extracted", extracted).Scan(ctx, out)
	return out, dbx.Err(err)
}

func (s *Service) documentGroups(ctx context.Context, workspaceID, name string) ([]documentGroup, error) {
	var rows []documentGroup
	err := s.attributedDocuments(workspaceID).Where("executive = ?", name).ColumnExpr("communication_type AS kind, company, count(*) AS n").
		Group("communication_type", "company").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// documentDates returns the dates of an executive's earliest and latest documents; nil without documents.
func (s *Service) documentDates(ctx context.Context, workspaceID, name string) (*model.DateRange, error) {
	end := func(direction string) *bun.SelectQuery {
		return s.attributedDocuments(workspaceID).Where("executive = ?", name).ColumnExpr(documentDate).OrderExpr(documentDate + " " + direction).Limit(1)
	}
	var row struct{ Earliest, Latest *time.Time }
	err := s.DB.NewSelect().ColumnExpr("(?) AS earliest, (?) AS latest", end("ASC"), end("DESC")).Scan(ctx, &row)
	if err != nil || row.Earliest == nil || row.Latest == nil {
		return nil, dbx.Err(err)
	}
	return &model.DateRange{Earliest: *row.Earliest, Latest: *row.Latest}, nil
}

func (s *Service) signalGroups(ctx context.Context, workspaceID, name string) ([]signalGroup, error) {
	var rows []signalGroup
	err := s.DB.NewSelect().Table("signal").ColumnExpr("theme, company, count(*) AS n").
		Where("workspace_id = ? AND executive = ?", workspaceID, name).Group("theme", "company").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

func (s *Service) latestDocuments(ctx context.Context, workspaceID, name string) ([]string, error) {
	ids := []string{}
	err := s.attributedDocuments(workspaceID).Where("executive = ?", name).Column("id").
		OrderExpr(documentDate+" DESC, id DESC").Limit(latestDocuments).Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

func (s *Service) latestSignals(ctx context.Context, workspaceID, name string) ([]*model.Signal, error) {
	rows := []*model.Signal{}
	err := s.DB.NewSelect().Model(&rows).Where("workspace_id = ? AND executive = ?", workspaceID, name).
		Order("created_at DESC", "id DESC").Limit(latestSignals).Scan(ctx)
	return rows, dbx.Err(err)
}
