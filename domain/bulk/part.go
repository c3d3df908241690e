package bulk

import (
	"bytes"
	"context"
	"log/slog"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// MediaLines is the media type of files.
const MediaLines = "application/jsonl"

// blobPrefix is the beginning of the keys of blobs, which is followed by the workspace, a slash and a
// random word.
const blobPrefix = "bulk/"

func newBlobKey(workspaceID string) string {
	return blobPrefix + workspaceID + "/" + model.NewID("part")
}

// partWriter collects the lines of a part and commits it with the state of the file.
type partWriter struct {
	s     *Service
	run   *job.Run
	file  *model.BulkFile
	lines bytes.Buffer
	began time.Time // the part
}

// openPart returns a writer that continues the file of a job, and a context with its caller.
func (s *Service) openPart(ctx context.Context, run *job.Run) (*partWriter, context.Context, error) {
	file, err := findFile(ctx, s.DB, run.Job.WorkspaceID, run.Job.ID)
	if err != nil {
		return nil, nil, job.Permanent(err)
	}
	w := &partWriter{s: s, run: run, file: file, began: time.Now()}
	ctx, err = w.asCaller(ctx)
	return w, ctx, err
}

// asCaller returns a context with the caller as it is now.
func (w *partWriter) asCaller(ctx context.Context) (context.Context, error) {
	p, err := w.s.Principal(ctx, w.file.WorkspaceID, optional.ValueOr(w.file.KeyID, ""),
		optional.ValueOr(w.file.UserID, ""))
	if err != nil {
		return nil, err
	}
	return principal.With(ctx, p), nil
}

// isDue reports whether the part must be committed.
func (w *partWriter) isDue() bool {
	return w.lines.Len() >= w.s.part.bytes || time.Since(w.began) >= w.s.part.time
}

// commit stores the part with the file's state and reports the progress. It returns a context with
// the caller as it is now.
func (w *partWriter) commit(ctx context.Context, percent int, note string) (context.Context, error) {
	err := w.store(ctx, func(part *model.BulkPart) error {
		return w.run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			if err := storeState(ctx, tx, w.file, part); err != nil {
				return err
			}
			return w.run.Progress(ctx, percent, note)
		})
	})
	if err != nil {
		return nil, err
	}
	w.lines.Reset()
	w.began = time.Now()
	return w.asCaller(ctx)
}

// store writes the lines as the next part and calls save, which stores its row; part is nil if there
// are no lines.
func (w *partWriter) store(ctx context.Context, save func(part *model.BulkPart) error) error {
	if w.lines.Len() == 0 {
		return save(nil)
	}
	part := &model.BulkPart{JobID: w.file.JobID, Number: w.file.PartCount, BlobKey: newBlobKey(w.file.WorkspaceID),
		ByteCount: int64(w.lines.Len())}
	if err := w.s.Files.Put(ctx, part.BlobKey, MediaLines, bytes.NewReader(w.lines.Bytes())); err != nil {
		return err
	}
	w.file.PartCount++
	w.file.ByteCount += part.ByteCount
	err := save(part)
	if err == nil {
		return nil
	}
	w.file.PartCount--
	w.file.ByteCount -= part.ByteCount
	if !dbx.IsUnconfirmed(err) {
		w.s.deleteBlob(ctx, part.BlobKey)
	}
	return err
}

// keepTime is the timeout of keepLines.
const keepTime = 10 * time.Second

// keepLines adds the lines that ran before the job was cancelled to its report. It does nothing if
// another worker has continued the file.
func (w *partWriter) keepLines(ctx context.Context) {
	if w.lines.Len() == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	number := w.file.PartCount
	err := w.store(ctx, func(part *model.BulkPart) error {
		return w.s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			stored, err := lockFile(ctx, w.s.DB, tx, w.file.JobID)
			if err != nil {
				return err
			}
			if stored.EndedAt == nil || stored.PartCount != number {
				return errs.New(errs.Conflict, "another worker has continued the file")
			}
			return storeState(ctx, tx, w.file, part)
		})
	})
	if err != nil {
		slog.WarnContext(ctx, "the last lines of a cancelled bulk mutation are not in its report", "job_id", w.file.JobID,
			"error", err)
	}
}
