package archive

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/job"
)

// format is the version of the archive's form.
const format = 1

// Manifest describes an archive.
type Manifest struct {
	Format  int            `json:"format"`
	Schema  string         `json:"schema"` // the newest migration of the database
	Release string         `json:"release"`
	MadeAt  time.Time      `json:"made_at"`
	Rows    map[string]int `json:"rows"` // by table
	Tasks   int            `json:"tasks"`
	Files   int            `json:"files"`
}

// RowCount returns the number of all rows.
func (m Manifest) RowCount() (all int) {
	for _, n := range m.Rows {
		all += n
	}
	return all
}

// The names of the entries of the zip file; a table has tablePrefix, its name and tableSuffix.
const (
	manifestName = "manifest.json"
	tasksName    = "tasks.jsonl"
	tablePrefix  = "tables/"
	tableSuffix  = ".jsonl"
	filePrefix   = "files/"
)

// isDerived has the tables that the program fills from others in the background.
var isDerived = map[string]bool{"document_index": true, "document_word": true}

// Source is what is archived.
type Source struct {
	DB      *dbx.DB
	Files   *blob.Store
	Release string
}

// Write writes an archive of the source, which may be in use. It returns errors of reading and of
// writing; what is written then is no archive.
func (s Source) Write(ctx context.Context, out io.Writer) (Manifest, error) {
	w := &writer{zip: zip.NewWriter(out), made: Manifest{Format: format, Release: s.Release, MadeAt: model.Now(),
		Rows: map[string]int{}}}
	var err error
	if w.made.Schema, err = s.DB.SchemaVersion(ctx); err != nil {
		return w.made, err
	}
	if w.made.Schema == "" {
		return w.made, errs.New(errs.Unavailable, "the database is empty: nothing has migrated it yet")
	}
	if err := s.DB.ReadSnapshot(ctx, w.writeDatabase); err != nil {
		return w.made, err
	}
	if err := s.Files.Each(ctx, func(key string) error { return w.writeFile(ctx, s.Files, key) }); err != nil {
		return w.made, err
	}
	if err := w.writeEntry(manifestName, func(lines *json.Encoder) error { return lines.Encode(w.made) }); err != nil {
		return w.made, err
	}
	return w.made, w.zip.Close()
}

type writer struct {
	zip  *zip.Writer
	made Manifest
}

// writeEntry adds an entry of JSON lines.
func (w *writer) writeEntry(name string, write func(*json.Encoder) error) error {
	entry, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.made.MadeAt})
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(entry, 1<<16)
	lines := json.NewEncoder(buffer)
	lines.SetEscapeHTML(false)
	if err := write(lines); err != nil {
		return err
	}
	return buffer.Flush()
}

func (w *writer) writeDatabase(ctx context.Context, rows dbx.Snapshot) error {
	tables, err := rows.Tables(ctx)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if isDerived[table.Name] {
			continue
		}
		if err := w.writeTable(ctx, rows, table); err != nil {
			return fmt.Errorf("archive the table %s: %w", table.Name, err)
		}
	}
	tasks, err := job.OpenTasks(ctx, rows)
	if err != nil {
		return err
	}
	w.made.Tasks = len(tasks)
	return w.writeEntry(tasksName, func(lines *json.Encoder) error {
		for _, task := range tasks {
			if err := lines.Encode(task); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *writer) writeTable(ctx context.Context, rows dbx.Snapshot, table dbx.Table) error {
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = column.Name
	}
	w.made.Rows[table.Name] = 0
	return w.writeEntry(tablePrefix+table.Name+tableSuffix, func(lines *json.Encoder) error {
		if err := lines.Encode(names); err != nil {
			return err
		}
		return rows.Rows(ctx, table, func(values []any) error {
			w.made.Rows[table.Name]++
			return lines.Encode(values)
		})
	})
}

// writeFile adds a stored file, unless it was deleted meanwhile.
func (w *writer) writeFile(ctx context.Context, files *blob.Store, key string) error {
	file, err := files.Open(ctx, key)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	entry, err := w.zip.CreateHeader(&zip.FileHeader{Name: filePrefix + key, Method: zip.Deflate, Modified: file.ModTime()})
	if err != nil {
		return err
	}
	w.made.Files++
	_, err = io.Copy(entry, file)
	return err
}
