package executive

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// dated is a document's date: of its publication, or of its storing where that is not known.
const dated = "coalesce(extracted_date, created_at)"

// named are the documents of a workspace that are attributed to an executive of any name, which is never blank.
func (s *Service) named(workspaceID string) *bun.SelectQuery {
	return s.DB.NewSelect().Table("document").Where("workspace_id = ? AND executive IS NOT NULL AND executive <> ''", workspaceID)
}

func (s *Service) page(ctx context.Context, workspaceID string, w dbx.Window) ([]*model.ListedExecutive, error) {
	rows := []*model.ListedExecutive{}
	all := s.named(workspaceID).ColumnExpr("executive AS id, executive AS name, count(*) AS total_documents").
		ColumnExpr("max(" + dated + ") AS last_communication").Group("executive")
	err := w.Apply(s.DB.NewSelect().TableExpr("(?) AS executive", all).Column("id", "name", "total_documents", "last_communication")).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

func (s *Service) countExecutives(ctx context.Context, workspaceID string) (n int, err error) {
	err = s.named(workspaceID).ColumnExpr("count(DISTINCT executive)").Scan(ctx, &n)
	return n, dbx.Err(err)
}

// exists reports whether a document is attributed to the name.
func (s *Service) exists(ctx context.Context, workspaceID, name string) (bool, error) {
	found, err := s.named(workspaceID).Where("executive = ?", name).Exists(ctx)
	return found, dbx.Err(err)
}

func (s *Service) state(ctx context.Context, workspaceID string) (*state, error) {
	out := new(state)
	newest := func(table, column string) *bun.SelectQuery {
		return s.DB.NewSelect().Table(table).Column(column).Where("workspace_id = w.id").OrderExpr("? DESC", bun.Ident(column)).Limit(1)
	}
	err := s.DB.NewSelect().TableExpr("workspace AS w").ColumnExpr("w.document_count AS documents").
		ColumnExpr("(?) AS changed", newest("document", "updated_at")).
		ColumnExpr("(?) AS extracted", newest("signal_extraction", "created_at")).
		Where("w.id = ?", workspaceID).Scan(ctx, out)
	return out, dbx.Err(err)
}

func (s *Service) documentGroups(ctx context.Context, workspaceID, name string) ([]documentGroup, error) {
	var rows []documentGroup
	err := s.named(workspaceID).Where("executive = ?", name).ColumnExpr("communication_type AS kind, company, count(*) AS n").
		Group("communication_type", "company").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// dates are the dates of an executive's earliest and latest documents; nil when there is none.
func (s *Service) dates(ctx context.Context, workspaceID, name string) (*model.DateRange, error) {
	end := func(direction string) *bun.SelectQuery {
		return s.named(workspaceID).Where("executive = ?", name).ColumnExpr(dated).OrderExpr(dated + " " + direction).Limit(1)
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
	err := s.named(workspaceID).Where("executive = ?", name).Column("id").
		OrderExpr(dated+" DESC, id DESC").Limit(latestDocuments).Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

func (s *Service) latestSignals(ctx context.Context, workspaceID, name string) ([]*model.Signal, error) {
	rows := []*model.Signal{}
	err := s.DB.NewSelect().Model(&rows).Where("workspace_id = ? AND executive = ?", workspaceID, name).
		Order("created_at DESC", "id DESC").Limit(latestSignals).Scan(ctx)
	return rows, dbx.Err(err)
}
