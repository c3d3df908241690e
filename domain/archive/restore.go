package archive

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/platform/blob"
	"rostrum/platform/job"
)

const (
	// batchRows and batchBytes limit the rows of one insert.
	batchRows, batchBytes = 500, 4 << 20
	// maxRow limits the size of a row.
	maxRow = 256 << 20
)

// Reader reads an archive.
type Reader struct {
	Manifest Manifest
	// IsUsed reports whether a database must not be filled; set it before Restore.
	IsUsed func(context.Context, dbx.Reader) (bool, error)
	zip    *zip.ReadCloser
}

// Open opens the archive at a path. It returns errs.BadRequest if the file is none, or is not whole.
func Open(path string) (*Reader, error) {
	opened, err := zip.OpenReader(path)
	if errors.Is(err, zip.ErrFormat) {
		return nil, errs.Wrap(err, errs.BadRequest, "%s is no archive, or only a part of one", path)
	}
	if err != nil {
		return nil, err
	}
	r := &Reader{zip: opened}
	if err := r.readManifest(); err != nil {
		return nil, errors.Join(errs.Wrap(err, errs.BadRequest, "%s is no archive of rostrum", path), opened.Close())
	}
	if r.Manifest.Format != format {
		return nil, errors.Join(errs.New(errs.BadRequest, "%s has the form %d, which this release does not read; use the release %s",
			path, r.Manifest.Format, r.Manifest.Release), opened.Close())
	}
	return r, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.zip.Close() }

func (r *Reader) readManifest() error {
	file, err := r.zip.Open(manifestName)
	if err != nil {
		return err
	}
	defer file.Close()
	return json.NewDecoder(file).Decode(&r.Manifest)
}

// Restore fills a database that is not used, and a store of files. It migrates the database as far as
// the archive's was. It returns errs.Unavailable, and changes nothing, if the
// database is in use or its schema is newer; after another error the rows are not stored.
func (r *Reader) Restore(ctx context.Context, db *dbx.DB, files *blob.Store) error {
	if err := r.checkTarget(ctx, db); err != nil {
		return err
	}
	if _, err := db.MigrateUntil(ctx, r.Manifest.Schema); err != nil {
		return err
	}
	if err := r.restoreFiles(ctx, files); err != nil {
		return err
	}
	return db.Load(ctx, func(ctx context.Context, tx dbx.Tx, tables []dbx.Table) error {
		for _, table := range tables {
			if err := r.restoreTable(ctx, db, tx, table); err != nil {
				return fmt.Errorf("restore the table %s: %w", table.Name, err)
			}
		}
		return job.ForgetRows(ctx, tx)
	})
}

func (r *Reader) checkTarget(ctx context.Context, db *dbx.DB) error {
	version, err := db.SchemaVersion(ctx)
	if err != nil || version == "" {
		return err
	}
	if version > r.Manifest.Schema {
		return errs.New(errs.Unavailable, "the database has a newer schema than the archive: restore into a new database, which is migrated afterwards")
	}
	isUsed, err := r.IsUsed(ctx, db)
	if err != nil {
		return err
	}
	if isUsed {
		return errs.New(errs.Unavailable, "the database is in use: it has a workspace or a user. Restore into a new database or data directory")
	}
	return nil
}

// restoreTable stores the rows of a table, and none of one that the archive does not have.
func (r *Reader) restoreTable(ctx context.Context, db *dbx.DB, tx dbx.Tx, table dbx.Table) error {
	if err := table.Clear(ctx, tx); err != nil {
		return err
	}
	file, err := r.zip.Open(tablePrefix + table.Name + tableSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines := newLines(file)
	var names []string
	if !lines.Scan() {
		return errors.Join(io.ErrUnexpectedEOF, lines.Err())
	}
	if err := json.Unmarshal(lines.Bytes(), &names); err != nil {
		return err
	}
	rows := &batch{table: table, db: db, tx: tx}
	if rows.table.Columns, err = columnsOf(table, names); err != nil {
		return err
	}
	for lines.Scan() {
		if err := rows.add(ctx, lines.Bytes()); err != nil {
			return err
		}
	}
	if err := errors.Join(lines.Err(), rows.store(ctx)); err != nil {
		return err
	}
	if want := r.Manifest.Rows[table.Name]; rows.count != want {
		return errs.New(errs.BadRequest, "the archive has %d rows of %s, not %d", rows.count, table.Name, want)
	}
	return nil
}

func newLines(from io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 1<<16), maxRow)
	return lines
}

// columnsOf returns the table's columns of those names.
func columnsOf(table dbx.Table, names []string) ([]dbx.Column, error) {
	columns := make([]dbx.Column, len(names))
	for i, name := range names {
		at := slices.IndexFunc(table.Columns, func(c dbx.Column) bool { return c.Name == name })
		if at < 0 {
			return nil, errs.New(errs.BadRequest, "the database has no column %s.%s", table.Name, name)
		}
		columns[i] = table.Columns[at]
	}
	return columns, nil
}

// batch collects rows of a table and stores them together.
type batch struct {
	table dbx.Table
	db    *dbx.DB
	tx    dbx.Tx
	rows  [][]any
	bytes int
	count int // of all rows so far
}

func (b *batch) add(ctx context.Context, line []byte) error {
	var values []any
	decoder := json.NewDecoder(strings.NewReader(string(line)))
	decoder.UseNumber()
	if err := decoder.Decode(&values); err != nil {
		return errs.Wrap(err, errs.BadRequest, "row %d of the archive is no JSON", b.count+1)
	}
	if len(values) != len(b.table.Columns) {
		return errs.New(errs.BadRequest, "row %d of the archive has %d values, not %d", b.count+1, len(values), len(b.table.Columns))
	}
	for i, column := range b.table.Columns {
		var err error
		if values[i], err = stored(column, values[i]); err != nil {
			return errs.Wrap(err, errs.BadRequest, "row %d of the archive has no valid %s", b.count+1, column.Name)
		}
	}
	b.rows, b.bytes, b.count = append(b.rows, values), b.bytes+len(line), b.count+1
	if len(b.rows) < batchRows && b.bytes < batchBytes {
		return nil
	}
	return b.store(ctx)
}

func (b *batch) store(ctx context.Context) error {
	err := b.table.Insert(ctx, b.db, b.tx, b.rows)
	b.rows, b.bytes = b.rows[:0], 0
	return err
}

// stored returns a value of the archive as the column's kind has it.
func stored(column dbx.Column, value any) (any, error) {
	switch v := value.(type) {
	case string:
		switch column.Kind {
		case dbx.KindTime:
			return time.Parse(time.RFC3339Nano, v)
		case dbx.KindBytes:
			return base64.StdEncoding.DecodeString(v)
		}
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole, nil
		}
		return v.Float64()
	}
	return value, nil
}

// restoreFiles stores the files; those that are stored already are replaced.
func (r *Reader) restoreFiles(ctx context.Context, files *blob.Store) error {
	for _, entry := range r.zip.File {
		key, isFile := strings.CutPrefix(entry.Name, filePrefix)
		if !isFile {
			continue
		}
		if !fs.ValidPath(key) {
			return errs.New(errs.BadRequest, "the archive has a file with the name %q", entry.Name)
		}
		body, err := entry.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(files.Put(ctx, key, mediaType, body), body.Close()); err != nil {
			return err
		}
	}
	return nil
}

// mediaType is that of restored files in a bucket; who reads a file takes the type from its row.
const mediaType = "application/octet-stream"

// Tasks returns the tasks that had not ended.
func (r *Reader) Tasks() (tasks []job.NamedTask, err error) {
	file, err := r.zip.Open(tasksName)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := newLines(file)
	for lines.Scan() {
		var task job.NamedTask
		if err := json.Unmarshal(lines.Bytes(), &task); err != nil {
			return nil, err
		}
		tasks = append(tasks, task)
	}
	return tasks, lines.Err()
}
