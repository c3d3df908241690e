package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/blob"
	"rostrum/platform/principal"
)

// File is a file that a caller may fetch. Close ends it.
type File struct {
	io.ReadSeekCloser
	Name    string
	Tag     string // changes with the content
	ModTime time.Time
}

// Open opens the file of an ended job for the caller who started it. It returns errs.NotFound for
// an unknown job and after its time, errs.InvalidState while the job runs, and
// errs.InsufficientScope for another caller.
func (s *Service) Open(ctx context.Context, jobID string) (*File, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	file, err := findFile(ctx, s.DB, p.WorkspaceID, jobID)
	switch {
	case errs.Is(err, errs.NotFound):
		return nil, errs.New(errs.NotFound, "the job %s has no file in this workspace, or it is older than 7 days", jobID)
	case err != nil:
		return nil, err
	case !isStarter(file, p) || !p.Allows(model.ScopeRead):
		return nil, errs.New(errs.InsufficientScope, "only the key or the user that started the job may fetch its file")
	case file.EndedAt == nil:
		return nil, errs.New(errs.InvalidState, "the job still writes the file: wait for its end")
	}
	parts, err := readParts(ctx, s.DB, jobID)
	if err != nil {
		return nil, err
	}
	return &File{ReadSeekCloser: newPartReader(ctx, s.Files, parts), Name: jobID + ".jsonl",
		Tag: fmt.Sprintf("%s-%d", jobID, file.ByteCount), ModTime: *file.EndedAt}, nil
}

func isStarter(file *model.BulkFile, p principal.Principal) bool {
	if p.UserID != "" {
		return optional.ValueOr(file.UserID, "") == p.UserID
	}
	return p.KeyID != "" && optional.ValueOr(file.KeyID, "") == p.KeyID
}

// partReader reads parts as one file.
type partReader struct {
	ctx    context.Context
	files  *blob.Store
	parts  []*model.BulkPart
	starts []int64 // of the parts, and the end of the last one
	offset int64
	open   blob.Reader // of the part number open; nil if none is
	number int
}

func newPartReader(ctx context.Context, files *blob.Store, parts []*model.BulkPart) *partReader {
	r := &partReader{ctx: ctx, files: files, parts: parts, starts: make([]int64, len(parts)+1)}
	for i, part := range parts {
		r.starts[i+1] = r.starts[i] + part.ByteCount
	}
	return r
}

// Seek implements io.Seeker.
func (r *partReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.starts[len(r.parts)]
	}
	if offset < 0 {
		return 0, errors.New("seek before the start of a file")
	}
	r.offset = offset
	return offset, r.Close()
}

// Read implements io.Reader.
func (r *partReader) Read(p []byte) (int, error) {
	if r.offset >= r.starts[len(r.parts)] {
		return 0, io.EOF
	}
	if r.open == nil {
		if err := r.openPart(); err != nil {
			return 0, err
		}
	}
	n, err := r.open.Read(p)
	r.offset += int64(n)
	if errors.Is(err, io.EOF) {
		err = r.Close()
		if r.offset < r.starts[r.number+1] {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

// openPart opens the part at the offset.
func (r *partReader) openPart() (err error) {
	r.number = sort.Search(len(r.parts), func(i int) bool { return r.starts[i+1] > r.offset })
	if r.open, err = r.files.Open(r.ctx, r.parts[r.number].BlobKey); err != nil {
		return err
	}
	_, err = r.open.Seek(r.offset-r.starts[r.number], io.SeekStart)
	return err
}

// Close implements io.Closer.
func (r *partReader) Close() error {
	if r.open == nil {
		return nil
	}
	open := r.open
	r.open = nil
	return open.Close()
}

// RemoveFiles deletes the blobs of a deleted workspace.
func (s *Service) RemoveFiles(ctx context.Context, workspaceID string) error {
	return s.Files.DeleteAll(ctx, blobPrefix+workspaceID+"/")
}

// DeleteOld deletes the files whose time is over, and the oldest ones of workspaces with more than
// MaxKept, and returns their number.
func (s *Service) DeleteOld(ctx context.Context, now time.Time) (int, error) {
	return s.deleteOld(ctx, "", now)
}

// deleteOld does so for a workspace, or for all if it is empty.
func (s *Service) deleteOld(ctx context.Context, workspaceID string, now time.Time) (int, error) {
	files, err := endedFiles(ctx, s.DB, workspaceID)
	if err != nil {
		return 0, err
	}
	deleted, kept := 0, map[string]int64{}
	for _, file := range files {
		kept[file.WorkspaceID] += file.ByteCount
		if file.InputBlob != nil {
			kept[file.WorkspaceID] += MaxInput
		}
		if now.Sub(*file.EndedAt) < Retention && kept[file.WorkspaceID] <= MaxKept {
			continue
		}
		if err := s.deleteEnded(ctx, file); err != nil {
			return deleted, err
		}
		deleted++
	}
	return deleted, nil
}

// deleteEnded deletes the rows of a file and then its blobs, of which Sweep deletes those that remain.
func (s *Service) deleteEnded(ctx context.Context, file *model.BulkFile) error {
	parts, err := readParts(ctx, s.DB, file.JobID)
	if err != nil {
		return err
	}
	var gone bool
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		gone, err = deleteFile(ctx, tx, file)
		return err
	})
	if err != nil || !gone {
		return err
	}
	for _, part := range parts {
		s.deleteBlob(ctx, part.BlobKey)
	}
	if file.InputBlob != nil {
		s.deleteBlob(ctx, *file.InputBlob)
	}
	return nil
}
