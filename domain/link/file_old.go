package link

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// moveBatch is the number of old files whose links are read at once.
const moveBatch = 200

// oldPath returns where former releases stored a file: in the folder of this machine.
func (s *Service) oldPath(name string) string {
	return filepath.Join(s.config.Folder, filepath.Base(name))
}

func (s *Service) openOldFile(f *model.LinkFile) (io.ReadSeekCloser, error) {
	return os.Open(s.oldPath(f.Stored))
}

// removeOldFile removes a file that a former release stored; one that does not exist is no error.
func (s *Service) removeOldFile(f *model.LinkFile) error {
	if err := os.Remove(s.oldPath(f.Stored)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// MoveFiles copies the files that former releases stored in the folder into the store, and removes
// those that were copied before the time. Until then processes of a former release still serve
// them. It may be interrupted, and run in several processes at once. Files without a link stay.
func (s *Service) MoveFiles(ctx context.Context, before time.Time) error {
	names, err := s.oldNames()
	failed := []error{err}
	for batch := range slices.Chunk(names, moveBatch) {
		links, err := s.linksOfFiles(ctx, batch)
		failed = append(failed, err)
		for _, l := range links {
			failed = append(failed, s.moveFile(ctx, l, before))
		}
	}
	return errors.Join(failed...)
}

// oldNames returns the names of the files that former releases stored.
func (s *Service) oldNames() (names []string, err error) {
	found, err := os.ReadDir(s.config.Folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, entry := range found {
		if strings.HasPrefix(entry.Name(), "file_") {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// linksOfFiles returns the links that the old files belong to.
func (s *Service) linksOfFiles(ctx context.Context, names []string) (links []*model.Link, err error) {
	err = s.db.NewSelect().Model(&links).Column("id", "workspace_id", "file").
		Where("file ->> 'stored' IN ?", bun.Tuple(names)).Scan(ctx)
	return links, dbx.Err(err)
}

// moveFile copies an old file into the store, or removes it if it was copied before the time.
func (s *Service) moveFile(ctx context.Context, l *model.Link, before time.Time) error {
	size, storedAt, err := s.config.Files.Stat(ctx, fileKey(l))
	switch {
	case errs.Is(err, errs.NotFound):
		return s.copyOldFile(ctx, l)
	case err != nil:
		return err
	case size != int64(l.File.Size):
		return errs.New(errs.Internal, "the copy of %s has %d bytes, not %d", s.oldPath(l.File.Stored), size, l.File.Size)
	case storedAt.Before(before):
		return s.removeOldFile(l.File)
	}
	return nil
}

// copyOldFile copies an old file into the store; one that another process has just removed is no
// error.
func (s *Service) copyOldFile(ctx context.Context, l *model.Link) error {
	file, err := s.openOldFile(l.File)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(s.config.Files.Put(ctx, fileKey(l), l.File.MediaType, file), file.Close())
}
