package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// backfill is how far a backfill's job has come.
type backfill struct {
	bun.BaseModel `bun:"table:tag_backfill"`

	JobID       string   `bun:"job_id,pk"`
	WorkspaceID string   `bun:"workspace_id"`
	Looked      int      `bun:"looked"`
	Spent       int      `bun:"spent"` // runs
	Hidden      []string `bun:"hidden,type:jsonb"`
}

func (s *Service) backfillOf(ctx context.Context, db bun.IDB, jobID string) (*backfill, error) {
	b := new(backfill)
	err := db.NewSelect().Model(b).Where("job_id = ?", jobID).Scan(ctx)
	return b, dbx.Err(err)
}

func saveBackfill(ctx context.Context, tx dbx.Tx, b *backfill) error {
	_, err := tx.NewUpdate().Model(b).Column("looked", "spent", "hidden").WherePK().Exec(ctx)
	return dbx.Err(err)
}

// unseenBy keeps the finished documents that a tag has no value in and was not looked for, as it is now, nor is about to be, and of
// which no person has said that it has none.
func unseenBy(q *bun.SelectQuery, t *model.AutoTag) *bun.SelectQuery {
	return q.TableExpr("document AS d").
		Join("LEFT JOIN auto_tag_check AS c ON c.auto_tag_id = ? AND c.document_id = d.id", t.ID).
		Where("d.workspace_id = ? AND d.processing_status IS NULL AND d.content IS NOT NULL", t.WorkspaceID).
		Where("(c.state IS NULL OR c.state <> ? AND (c.revision <> ? OR c.state IN (?, ?)))", checkQueued, t.Revision, checkPreview, checkFailed).
		Where("NOT EXISTS (SELECT 1 FROM document_auto_tag AS a WHERE a.document_id = d.id AND a.auto_tag_id = ?)", t.ID).
		Where("NOT EXISTS (SELECT 1 FROM auto_tag_review AS r WHERE r.document_id = d.id AND r.auto_tag_id = ? AND r.state = ?)", t.ID, model.ReviewRejected)
}

func (s *Service) countUnseen(ctx context.Context, tx dbx.Tx, t *model.AutoTag) (int, error) {
	var n int
	err := unseenBy(tx.NewSelect(), t).ColumnExpr("count(*)").Scan(ctx, &n)
	return n, dbx.Err(err)
}

// unseen gives the newest of them, those last that a text model failed on, with what a dry run has seen of them.
func (s *Service) unseen(ctx context.Context, tx dbx.Tx, t *model.AutoTag, limit int) ([]*check, error) {
	var rows []*check
	err := unseenBy(tx.NewSelect(), t).
		ColumnExpr("d.id AS document_id, CASE WHEN c.state = ? AND c.revision = ? THEN c.verdict END AS verdict", checkPreview, t.Revision).
		OrderExpr("CASE WHEN c.state = ? THEN 1 ELSE 0 END, d.created_at DESC, d.id DESC", checkFailed).Limit(int64(limit)).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// waitingChecks gives the next documents of a backfill.
func (s *Service) waitingChecks(ctx context.Context, jobID string, n int) ([]*check, error) {
	var rows []*check
	err := s.db.NewSelect().Model(&rows).Where("job_id = ? AND state = ?", jobID, checkQueued).
		Order("document_id DESC").Limit(int64(n)).Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) documentsOf(ctx context.Context, workspaceID string, checks []*check) (map[string]*model.Document, error) {
	ids := make([]string, len(checks))
	for i, c := range checks {
		ids[i] = c.DocumentID
	}
	var rows []*model.Document
	err := s.db.NewSelect().Model(&rows).Column(documentColumns...).
		Where("workspace_id = ? AND id IN ? AND content IS NOT NULL", workspaceID, bun.Tuple(ids)).Scan(ctx)
	out := make(map[string]*model.Document, len(rows))
	for _, d := range rows {
		out[d.ID] = d
	}
	return out, dbx.Err(err)
}

// dropUnlooked takes documents off the job that are gone, have no text any more, or were not reached before a failure.
func dropUnlooked(ctx context.Context, tx dbx.Tx, jobID string, checks []*check, verdicts []*verdict) error {
	looked := map[string]bool{}
	for _, v := range verdicts {
		looked[v.documentID] = true
	}
	var rest []string
	for _, c := range checks {
		if !looked[c.DocumentID] {
			rest = append(rest, c.DocumentID)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	_, err := tx.NewDelete().Model((*check)(nil)).Where("job_id = ? AND document_id IN ?", jobID, bun.Tuple(rest)).Exec(ctx)
	return dbx.Err(err)
}

// letGo gives back what an ended backfill did not reach: what a dry run had seen stays seen.
func letGo(ctx context.Context, tx dbx.Tx, jobID string) error {
	_, err := tx.NewDelete().Model((*check)(nil)).Where("job_id = ? AND state = ? AND verdict IS NULL", jobID, checkQueued).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewUpdate().Model((*check)(nil)).Set("state = ?", checkPreview).Set("job_id = NULL").
		Where("job_id = ? AND state = ?", jobID, checkQueued).Exec(ctx)
	return dbx.Err(err)
}
