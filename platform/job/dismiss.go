package job

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Dismiss says that a job's failure needs nobody's attention. The job's stream does not have it. It
// returns errs.NotFound for a job of another workspace, and errs.InvalidState unless it has failed.
func (s *Service) Dismiss(ctx context.Context, workspaceID, id string) (*model.Job, error) {
	job := new(model.Job)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		q := tx.NewSelect().Model(job).Where("id = ? AND workspace_id = ?", id, workspaceID)
		switch err := dbx.Err(s.db.ForUpdate(q).Scan(ctx)); {
		case errs.Is(err, errs.NotFound):
			return errMissing()
		case err != nil:
			return err
		case job.Status != model.JobStatusFailed:
			return errs.New(errs.InvalidState, "only a failed job can be dismissed; this job is %s", job.Status)
		case job.DismissedAt != nil:
			return nil
		}
		return s.dismiss(ctx, tx, job)
	})
	if err != nil {
		return nil, err
	}
	return job, nil
}

// DismissOfDeleted dismisses the failed jobs of a deleted document. It is a hook of its changes.
func (s *Service) DismissOfDeleted(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if after != nil {
		return nil
	}
	var failed []*model.Job
	q := tx.NewSelect().Model(&failed).Where("workspace_id = ? AND document_id = ?", before.WorkspaceID, before.ID).
		Where("status = ? AND dismissed_at IS NULL", model.JobStatusFailed).Order("id")
	if err := s.db.ForUpdate(q).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	for _, job := range failed {
		if err := s.dismiss(ctx, tx, job); err != nil {
			return err
		}
	}
	return nil
}

// dismiss stores the dismissal of a locked job and tells the workspace.
func (s *Service) dismiss(ctx context.Context, tx dbx.Tx, job *model.Job) error {
	job.DismissedAt = new(model.Now())
	if _, err := tx.NewUpdate().Model(job).Column("dismissed_at").WherePK().Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return s.notifyHooks(ctx, tx, job, model.JobEventKindState)
}
