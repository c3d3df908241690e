package document

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/periodic"
	"rostrum/platform/principal"
)

const (
	// originalPrefix is the beginning of the keys of originals, which is followed by the workspace,
	// a slash, the document, a dot and a random word.
	originalPrefix = "original/"
	// deleteTime is how long a commit waits for the deletion of a file.
	deleteTime = 5 * time.Second
	// sweepPause is the time between two searches for files without a document.
	sweepPause = 6 * time.Hour
)

func originalsOf(workspaceID string) string { return originalPrefix + workspaceID + "/" }

// StoreOriginal stores the file that a document is read from. Call it before the transaction that
// sets the document's Original, and DiscardOriginal if that fails. It returns unavailable on a full
// disk.
func (s *Service) StoreOriginal(ctx context.Context, workspaceID, documentID string,
	file model.OriginalFile) (*model.DocumentOriginal, error) {
	original := &model.DocumentOriginal{
		Name: file.Name, MediaType: file.MediaType, Size: len(file.Body),
		Key: originalsOf(workspaceID) + documentID + "." + model.NewID("file"),
	}
	if err := s.files.Put(ctx, original.Key, file.MediaType, bytes.NewReader(file.Body)); err != nil {
		return nil, err
	}
	return original, nil
}

// DiscardOriginal deletes a file that no document has after all, given the error of the transaction
// that should have stored it. It keeps the file if the transaction may have been committed.
func (s *Service) DiscardOriginal(ctx context.Context, original *model.DocumentOriginal, cause error) {
	if original == nil || dbx.IsUnconfirmed(cause) {
		return
	}
	s.deleteFile(ctx, original)
}

// deleteAfterCommit deletes a document's file after the commit; nil is ignored.
func (s *Service) deleteAfterCommit(ctx context.Context, tx dbx.Tx, original *model.DocumentOriginal) {
	if original != nil {
		tx.AfterCommit(func() { s.deleteFile(ctx, original) })
	}
}

// deleteFile deletes a file. An error is logged, as SweepOriginals deletes the file later.
func (s *Service) deleteFile(ctx context.Context, original *model.DocumentOriginal) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTime)
	defer cancel()
	if err := s.files.Delete(ctx, original.Key); err != nil {
		slog.WarnContext(ctx, "cannot delete an original; it is deleted within days", "key", original.Key, "error", err)
	}
}

// ReadOriginal returns the bytes of a document's original. It returns not_found if it has none.
func (s *Service) ReadOriginal(ctx context.Context, workspaceID, id string) (*model.OriginalFile, error) {
	doc, err := s.FindByID(ctx, s.db, workspaceID, id, "id", "original")
	if err != nil {
		return nil, err
	}
	if doc.Original == nil {
		return nil, errNoOriginal
	}
	body, err := s.files.Read(ctx, doc.Original.Key)
	return &model.OriginalFile{Name: doc.Original.Name, MediaType: doc.Original.MediaType, Body: body}, err
}

var errNoOriginal = errs.New(errs.NotFound, "the document has no original: its text was supplied, or was read before originals were kept")

// OpenOriginal opens the original of a document for the caller, who closes it. A document under
// embargo is noted in the audit log, as if its text were read. It returns not_found without a
// document or original, and insufficient_scope without the scope read.
func (s *Service) OpenOriginal(ctx context.Context, id string) (*model.DocumentOriginal, blob.Reader, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !p.Allows(model.ScopeRead) {
		return nil, nil, errs.New(errs.InsufficientScope, "an original needs the scope %s", model.ScopeRead).
			With("needs", model.ScopeRead)
	}
	doc, err := s.FindByID(ctx, s.db, p.WorkspaceID, id, "id", "original")
	switch {
	case errs.Is(err, errs.NotFound):
		return nil, nil, unknownDocument(id)
	case err != nil:
		return nil, nil, err
	case doc.Original == nil:
		return nil, nil, errNoOriginal
	}
	if err := s.AuditQuotes(ctx, p.WorkspaceID, []string{id}); err != nil {
		return nil, nil, err
	}
	reader, err := s.files.Open(ctx, doc.Original.Key)
	return doc.Original, reader, err
}

// OriginalURLs returns the address of each original.
func (s *Service) OriginalURLs(_ context.Context, originals []*model.DocumentOriginal) ([]*string, error) {
	urls := make([]*string, len(originals))
	for i, original := range originals {
		address := s.publicURL + "/api/v1/documents/" + documentOf(original.Key) + "/original"
		urls[i] = &address
	}
	return urls, nil
}

// documentOf returns the id of the document that a key names.
func documentOf(key string) string {
	id, _, _ := strings.Cut(path.Base(key), ".")
	return id
}

// RemoveOriginals deletes the originals of a deleted workspace.
func (s *Service) RemoveOriginals(ctx context.Context, workspaceID string) error {
	return s.files.DeleteAll(ctx, originalsOf(workspaceID))
}

// sweepPeriodically deletes files without a document every sweepPause. Errors are logged.
func (s *Service) sweepPeriodically(ctx context.Context) {
	if s.files == nil {
		return
	}
	periodic.Every(ctx, sweepPause, "delete the originals without a document", func(ctx context.Context) error {
		_, err := s.SweepOriginals(ctx, time.Now().Add(-blob.OrphanAge))
		return err
	})
}

// SweepOriginals deletes the originals that were stored before the time and that no document has, deleted
// ones included, and returns their number.
func (s *Service) SweepOriginals(ctx context.Context, before time.Time) (int, error) {
	return s.files.Sweep(ctx, originalPrefix, before, s.unusedOriginals)
}

// unusedOriginals returns the keys that no document has.
func (s *Service) unusedOriginals(ctx context.Context, keys []string) (unused []string, err error) {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = documentOf(key)
	}
	var docs []*model.Document
	err = s.db.NewSelect().Model(&docs).Column("id", "original").Where("id IN ?", bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	var deleted []*model.DeletedDocument
	err = s.db.NewSelect().Model(&deleted).Column("id", "original").Where("id IN ?", bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	used := map[string]bool{}
	for _, doc := range docs {
		if doc.Original != nil {
			used[doc.Original.Key] = true
		}
	}
	for _, doc := range deleted {
		if doc.Original != nil {
			used[doc.Original.Key] = true
		}
	}
	for _, key := range keys {
		if !used[key] {
			unused = append(unused, key)
		}
	}
	return unused, nil
}

// storedOriginal reads the column original of a statement that returns no rows of the model.
type storedOriginal struct{ *model.DocumentOriginal }

// Scan implements sql.Scanner.
func (o *storedOriginal) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(v, &o.DocumentOriginal)
	case string:
		return json.Unmarshal([]byte(v), &o.DocumentOriginal)
	}
	return fmt.Errorf("an original is %T", value)
}
