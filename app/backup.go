package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rostrum/domain/account"
	"rostrum/domain/archive"
)

// backupCommand archives the database and the stored files, while the program is in use.
type backupCommand struct {
	File string `arg:"" help:"The file to write, which must not exist; - is the standard output."`
}

// Run writes the archive under another name first, so that a file with its name is whole.
func (c backupCommand) Run(ctx context.Context, config Config) (err error) {
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.closeAll()) }()
	source := archive.Source{DB: base.db, Files: base.files, Release: version()}
	if c.File == "-" {
		_, err := source.Write(ctx, os.Stdout)
		return err
	}
	var made archive.Manifest
	err = writeWhole(c.File, func(out io.Writer) error {
		made, err = source.Write(ctx, out)
		return err
	})
	if err == nil {
		fmt.Printf("%s: %d rows of %d tables, %d files\n", c.File, made.RowCount(), len(made.Rows), made.Files)
	}
	return err
}

// writeWhole creates a file that only this user may read, and only if it was written to the end.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists: choose another name", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part-")
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		return os.Rename(file.Name(), path)
	}
	return errors.Join(err, os.Remove(file.Name()))
}

// restoreCommand fills a new database and store of files from an archive.
type restoreCommand struct {
	File string `arg:"" type:"existingfile" help:"The archive."`
}

// Run returns an error if stored figures differ from the rows afterwards.
func (c restoreCommand) Run(ctx context.Context, config Config) error {
	from, err := archive.Open(c.File)
	if err != nil {
		return err
	}
	from.IsUsed = account.HasAny
	return errors.Join(c.restore(ctx, config, from), from.Close())
}

func (c restoreCommand) restore(ctx context.Context, config Config, from *archive.Reader) error {
	base, err := openLocked(ctx, config)
	if err != nil {
		return err
	}
	if err := errors.Join(from.Restore(ctx, base.db, base.files), base.closeAll()); err != nil {
		return err
	}
	tasks, err := from.Tasks()
	if err != nil {
		return err
	}
	err = withServices(ctx, config, func(a *App) error {
		return errors.Join(a.jobs.RestoreTasks(ctx, tasks), a.countDocuments(ctx), a.webhooks.CheckSeal(ctx))
	})
	if err != nil {
		return err
	}
	wrong, err := recountAll(ctx, config, false)
	if err == nil && wrong > 0 {
		err = fmt.Errorf("%d stored figures differ from the rows", wrong)
	}
	if err == nil {
		made := from.Manifest
		fmt.Printf("%s: %d rows of %d tables, %d files\n", c.File, made.RowCount(), len(made.Rows), made.Files)
	}
	return err
}

// countDocuments fills the index of words, and counts the documents as this kind of database keeps it.
func (a *App) countDocuments(ctx context.Context) error {
	ids, err := a.accounts.WorkspaceIDs(ctx)
	for _, id := range ids {
		if _, err := a.documents.Recount(ctx, id, true); err != nil {
			return err
		}
	}
	return err
}
