package bulk

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// findFile returns the file of a job, or errs.NotFound.
func findFile(ctx context.Context, db dbx.Reader, workspaceID, jobID string) (*model.BulkFile, error) {
	file := new(model.BulkFile)
	err := db.NewSelect().Model(file).Where("workspace_id = ? AND job_id = ?", workspaceID, jobID).Scan(ctx)
	return file, dbx.Err(err)
}

// lockFile returns the file of a job under a row lock, or errs.NotFound.
func lockFile(ctx context.Context, db *dbx.DB, tx dbx.Tx, jobID string) (*model.BulkFile, error) {
	file := new(model.BulkFile)
	return file, dbx.Err(db.ForUpdate(tx.NewSelect().Model(file).Where("job_id = ?", jobID)).Scan(ctx))
}

// runningFile returns the file of a job of the kind that has not ended, or nil.
func runningFile(ctx context.Context, tx dbx.Tx, workspaceID, kind string) (*model.BulkFile, error) {
	file := new(model.BulkFile)
	err := tx.NewSelect().Model(file).Where("workspace_id = ? AND kind = ? AND ended_at IS NULL", workspaceID, kind).
		Limit(1).Scan(ctx)
	return dbx.NilIfNotFound(file, dbx.Err(err))
}

// endFile stores that the job has ended. A completed job is not retried, so its inputs are deleted.
func (s *Service) endFile(ctx context.Context, tx dbx.Tx, of *model.Job, file *model.BulkFile, at time.Time) error {
	q := tx.NewUpdate().Model((*model.BulkFile)(nil)).Set("ended_at = ?", at).Where("job_id = ?", of.ID)
	if input := file.InputBlob; input != nil && of.Status == model.JobStatusCompleted {
		q = q.Set("input_blob = NULL")
		tx.AfterCommit(func() { s.deleteBlob(ctx, *input) })
	}
	_, err := q.Exec(ctx)
	return dbx.Err(err)
}

func reopenFile(ctx context.Context, tx dbx.Tx, jobID string) error {
	_, err := tx.NewUpdate().Model((*model.BulkFile)(nil)).Set("ended_at = NULL").Where("job_id = ?", jobID).Exec(ctx)
	return dbx.Err(err)
}

// storeState stores how far a file is, and its next part unless it is nil.
func storeState(ctx context.Context, tx dbx.Tx, file *model.BulkFile, part *model.BulkPart) error {
	if part != nil {
		if _, err := tx.NewInsert().Model(part).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	_, err := tx.NewUpdate().Model(file).Column("position", "cursor", "input_offset", "input_line", "row_count",
		"failed_count", "byte_count", "part_count", "finished").WherePK().Exec(ctx)
	return dbx.Err(err)
}

// readParts returns the parts of a file in their order.
func readParts(ctx context.Context, db dbx.Reader, jobID string) ([]*model.BulkPart, error) {
	var parts []*model.BulkPart
	err := db.NewSelect().Model(&parts).Where("job_id = ?", jobID).Order("number").Scan(ctx)
	return parts, dbx.Err(err)
}

// endedFiles returns the ended files of a workspace, or of all if it is empty, the newest first.
func endedFiles(ctx context.Context, db dbx.Reader, workspaceID string) ([]*model.BulkFile, error) {
	var files []*model.BulkFile
	q := db.NewSelect().Model(&files).Column("job_id", "workspace_id", "byte_count", "ended_at", "input_blob").
		Where("ended_at IS NOT NULL").Order("ended_at DESC", "job_id DESC")
	if workspaceID != "" {
		q = q.Where("workspace_id = ?", workspaceID)
	}
	return files, dbx.Err(q.Scan(ctx))
}

// deleteFile deletes the rows of an ended file and reports whether it did: a retry may have opened
// it again.
func deleteFile(ctx context.Context, tx dbx.Tx, file *model.BulkFile) (bool, error) {
	result, err := tx.NewDelete().Model((*model.BulkFile)(nil)).
		Where("job_id = ? AND ended_at = ?", file.JobID, file.EndedAt).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n > 0, dbx.Err(err)
}

// unusedBlobs returns the keys that no row has.
func (s *Service) unusedBlobs(ctx context.Context, keys []string) (unused []string, err error) {
	var parts, inputs []string
	err = s.DB.NewSelect().Model((*model.BulkPart)(nil)).Column("blob_key").Where("blob_key IN ?", bun.Tuple(keys)).
		Scan(ctx, &parts)
	if err != nil {
		return nil, dbx.Err(err)
	}
	err = s.DB.NewSelect().Model((*model.BulkFile)(nil)).Column("input_blob").Where("input_blob IN ?", bun.Tuple(keys)).
		Scan(ctx, &inputs)
	used := map[string]bool{}
	for _, key := range append(parts, inputs...) {
		used[key] = true
	}
	for _, key := range keys {
		if !used[key] {
			unused = append(unused, key)
		}
	}
	return unused, dbx.Err(err)
}
