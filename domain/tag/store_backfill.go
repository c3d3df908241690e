package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// backfill is the progress of a backfill job.
type backfill struct {
	bun.BaseModel `bun:"table:tag_backfill"`

	JobID       string   `bun:"job_id,pk"`
	WorkspaceID string   `bun:"workspace_id"`
	Looked      int      `bun:"looked"`
	Spent       int      `bun:"spent"` // runs
	Hidden      []string `bun:"hidden,type:jsonb"`
}

func (s *Service) backfillByJob(ctx context.Context, db dbx.Reader, jobID string) (*backfill, error) {
	b := new(backfill)
	err := db.NewSelect().Model(b).Where("job_id = ?", jobID).Scan(ctx)
	return b, dbx.Err(err)
}

func saveBackfill(ctx context.Context, tx dbx.Tx, b *backfill) error {
	_, err := tx.NewUpdate().Model(b).Column("looked", "spent", "hidden").WherePK().Exec(ctx)
	return dbx.Err(err)
}

// unseenBy selects complete documents without a value of a tag. It leaves out documents that were
// read for the tag's revision, are queued for a backfill that stores its findings, or were rejected
// by a person.
func (s *Service) unseenBy(tx dbx.Tx, t *model.AutoTag) *bun.SelectQuery {
	return s.documents.SelectIn(tx, t.WorkspaceID).
		Join("LEFT JOIN auto_tag_check AS c ON c.auto_tag_id = ? AND c.document_id = d.id", t.ID).
		Where("d.processing_status IS NULL AND d.content IS NOT NULL").
		Where("(c.state IS NULL OR c.state <> ? AND (c.revision <> ? OR c.state IN (?, ?, ?)))",
			checkQueued, t.Revision, checkPreview, checkFailed, checkDryRun).
		Where("NOT EXISTS (SELECT 1 FROM document_auto_tag AS a WHERE a.document_id = d.id AND a.auto_tag_id = ?)",
			t.ID).
		Where("NOT EXISTS (SELECT 1 FROM auto_tag_review AS r WHERE r.document_id = d.id AND r.auto_tag_id = ? AND r.state = ?)", t.ID, model.ReviewRejected)
}

func (s *Service) countUnseen(ctx context.Context, tx dbx.Tx, t *model.AutoTag) (int, error) {
	var n int
	err := s.unseenBy(tx, t).ColumnExpr("count(*)").Scan(ctx, &n)
	return n, dbx.Err(err)
}

// unseenDocuments returns the newest documents of unseenBy that no dry run is reading, with earlier
// dry runs' results. Documents that a text model failed on come last.
func (s *Service) unseenDocuments(ctx context.Context, tx dbx.Tx, t *model.AutoTag, limit int) ([]*tagCheck, error) {
	var rows []*tagCheck
	err := s.unseenBy(tx, t).
		ColumnExpr("d.id AS document_id, CASE WHEN c.state = ? AND c.revision = ? THEN c.verdict END AS verdict",
			checkPreview, t.Revision).
		Where("c.state IS NULL OR c.state <> ?", checkDryRun).
		OrderExpr("CASE WHEN c.state = ? THEN 1 ELSE 0 END, d.created_at DESC, d.id DESC", checkFailed).
		Limit(int64(limit)).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// queuedChecks returns the next checks of a backfill.
func (s *Service) queuedChecks(ctx context.Context, jobID string, n int) ([]*tagCheck, error) {
	var rows []*tagCheck
	err := s.db.NewSelect().Model(&rows).Where("job_id = ? AND state IN (?, ?)", jobID, checkQueued, checkDryRun).
		Order("document_id DESC").Limit(int64(n)).Scan(ctx)
	return rows, dbx.Err(err)
}

// documentsOfChecks returns the documents of checks that exist and have a text, by id.
func (s *Service) documentsOfChecks(ctx context.Context, workspaceID string,
	checks []*tagCheck) (map[string]*model.Document, error) {
	ids := make([]string, len(checks))
	for i, c := range checks {
		ids[i] = c.DocumentID
	}
	rows, err := s.documents.FindByIDs(ctx, s.db, workspaceID, ids, documentColumns...)
	out := make(map[string]*model.Document, len(rows))
	for _, d := range rows {
		if d.Content != nil {
			out[d.ID] = d
		}
	}
	return out, err
}

// deleteUnreadChecks removes documents from the job that were deleted, lost their text, or were not
// reached because of an error.
func deleteUnreadChecks(ctx context.Context, tx dbx.Tx, jobID string, checks []*tagCheck,
	results []*documentFindings) error {
	looked := map[string]bool{}
	for _, v := range results {
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
	_, err := tx.NewDelete().Model((*tagCheck)(nil)).Where("job_id = ? AND document_id IN ?", jobID, bun.Tuple(rest)).
		Exec(ctx)
	return dbx.Err(err)
}

// releaseChecks releases the documents that an ended backfill did not reach. A dry run's results
// stay.
func releaseChecks(ctx context.Context, tx dbx.Tx, jobID string) error {
	_, err := tx.NewDelete().Model((*tagCheck)(nil)).
		Where("job_id = ? AND state IN (?, ?) AND verdict IS NULL", jobID, checkQueued, checkDryRun).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewUpdate().Model((*tagCheck)(nil)).Set("state = ?", checkPreview).Set("job_id = NULL").
		Where("job_id = ? AND state IN (?, ?)", jobID, checkQueued, checkDryRun).Exec(ctx)
	return dbx.Err(err)
}
