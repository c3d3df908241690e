package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/periodic"
	"rostrum/platform/principal"
)

// purgePause is the time between two searches for deleted documents to erase.
const purgePause = time.Hour

// RestoreHook runs in the transaction that restores a document, after its rows are back.
type RestoreHook func(ctx context.Context, tx dbx.Tx, doc *model.Document) error

// Keep adds tables whose rows are kept with a deleted document, and restored with it in this order.
// It must not be called after the first change.
func (s *Service) Keep(tables ...dbx.KeptTable) { s.kept = append(s.kept, tables...) }

// AddRestoreHook adds a hook for restored documents. It must not be called after the first change.
func (s *Service) AddRestoreHook(hook RestoreHook) { s.restoreHooks = append(s.restoreHooks, hook) }

// ownTables are the tables of this package whose rows are kept.
var ownTables = []dbx.KeptTable{{Name: "document_version", Where: "document_id = ?"}}

// Delete removes a document and the data derived from it. It can be restored for 30 days. It returns
// errs.NotFound for an unknown one.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.deleteIn(ctx, tx, p.WorkspaceID, id, optional.NonEmpty(p.UserID))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("delete document: %w", err)
	}
	return &api.DeleteDocumentPayload{DeletedID: id}, nil
}

// deleteIn is Delete in the caller's transaction. It returns the time of the deletion.
func (s *Service) deleteIn(ctx context.Context, tx dbx.Tx, workspaceID, id string, userID *string) (time.Time, error) {
	if _, err := addToTotal(ctx, tx, workspaceID, -1); err != nil {
		return time.Time{}, err
	}
	at, err := s.moveToTrash(ctx, tx, workspaceID, id, userID)
	if err != nil {
		return at, err
	}
	_, err = s.remove(ctx, tx, workspaceID, id)
	return at, err
}

// remove deletes a document in the caller's transaction, which has updated the total, and calls the
// hooks. It returns the document's original, which it leaves.
func (s *Service) remove(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.DocumentOriginal, error) {
	original, err := removeDocument(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	return original, s.notifyHooks(ctx, tx, &model.Document{ID: id, WorkspaceID: workspaceID}, nil)
}

// moveToTrash keeps a document's row and the rows that belong to it. It returns the time of the
// deletion.
func (s *Service) moveToTrash(ctx context.Context, tx dbx.Tx, workspaceID, id string, userID *string) (time.Time,
	error) {
	doc, err := s.FindForUpdate(ctx, tx, workspaceID, id)
	if errs.Is(err, errs.NotFound) {
		return time.Time{}, unknownDocument(id)
	}
	if err != nil {
		return time.Time{}, err
	}
	row := &model.DeletedDocument{
		ID: id, WorkspaceID: workspaceID, Title: doc.Title, Visibility: doc.Visibility,
		EmbargoedUntil: doc.EmbargoedUntil, Original: doc.Original, DeletedAt: model.Now(), DeletedByID: userID,
	}
	if row.Document, err = json.Marshal(doc); err != nil {
		return row.DeletedAt, err
	}
	rows := map[string]json.RawMessage{}
	for _, table := range s.kept {
		if rows[table.Name], err = table.Read(ctx, s.db, tx, id); err != nil {
			return row.DeletedAt, err
		}
	}
	if row.KeptRows, err = json.Marshal(rows); err != nil {
		return row.DeletedAt, err
	}
	_, err = tx.NewInsert().Model(row).Exec(ctx)
	return row.DeletedAt, dbx.Err(err)
}

// Restore brings a deleted document back, with its reactions, statements, tags and earlier texts. It
// returns errs.NotFound for one that was not deleted, or is erased.
func (s *Service) Restore(ctx context.Context, id string) (*api.RestoreDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	var doc *model.Document
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		doc, err = s.restoreIn(ctx, tx, p.WorkspaceID, id, func(*model.DeletedDocument) error { return nil })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("restore document: %w", err)
	}
	return &api.RestoreDocumentPayload{Document: doc}, doc.AfterScanRow(ctx)
}

// restoreIn is Restore in the caller's transaction, unless check refuses the deleted document.
func (s *Service) restoreIn(ctx context.Context, tx dbx.Tx, workspaceID, id string,
	check func(*model.DeletedDocument) error) (*model.Document, error) {
	row, err := takeFromTrash(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	if err := check(row); err != nil {
		return nil, err
	}
	doc := new(model.Document)
	if err := json.Unmarshal(row.Document, doc); err != nil {
		return nil, err
	}
	interruptReading(doc)
	doc.UpdatedAt = model.Now()
	if err := s.Insert(ctx, tx, doc); err != nil {
		return nil, err
	}
	return doc, s.restoreRows(ctx, tx, doc, row.KeptRows)
}

// interruptReading marks a document whose ingestion was not complete as failed: its job has ended
// without it.
func interruptReading(doc *model.Document) {
	if doc.ProcessingStatus == nil || *doc.ProcessingStatus == model.ProcessingStatusFailed {
		return
	}
	failed := model.ProcessingStatusFailed
	doc.ProcessingStatus = &failed
	doc.ProcessingError = &model.ProcessingError{Code: model.ProcessingErrorCodeCancelled, Retryable: true,
		Message: "the document was deleted while it was read"}
}

func (s *Service) restoreRows(ctx context.Context, tx dbx.Tx, doc *model.Document, kept json.RawMessage) error {
	var rows map[string]json.RawMessage
	if err := json.Unmarshal(kept, &rows); err != nil {
		return err
	}
	for _, table := range s.kept {
		if len(rows[table.Name]) == 0 {
			continue
		}
		if err := table.Restore(ctx, s.db, tx, rows[table.Name]); err != nil {
			return err
		}
	}
	for _, hook := range s.restoreHooks {
		if err := hook(ctx, tx, doc); err != nil {
			return err
		}
	}
	return nil
}

// takeFromTrash deletes and returns a row of the trash. It returns errs.NotFound if there is none.
func takeFromTrash(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.DeletedDocument, error) {
	row := new(model.DeletedDocument)
	result, err := tx.NewDelete().Model(row).Where("workspace_id = ? AND id = ?", workspaceID, id).Returning("*").
		Exec(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return nil, errs.New(errs.NotFound, "there is no deleted document %s in this workspace", id)
	}
	return row, nil
}

// Erase deletes a document finally, whether it was deleted before or not. It returns errs.NotFound
// for an unknown one.
func (s *Service) Erase(ctx context.Context, id string) (*api.EraseDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		row, err := takeFromTrash(ctx, tx, p.WorkspaceID, id)
		if err == nil {
			s.deleteAfterCommit(ctx, tx, row.Original)
		}
		if !errs.Is(err, errs.NotFound) {
			return err
		}
		if _, err := addToTotal(ctx, tx, p.WorkspaceID, -1); err != nil {
			return err
		}
		original, err := s.remove(ctx, tx, p.WorkspaceID, id)
		s.deleteAfterCommit(ctx, tx, original)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("erase document: %w", err)
	}
	return &api.EraseDocumentPayload{ErasedID: id}, nil
}

// Deleted returns one page of the deleted documents that can be restored, latest deleted first.
func (s *Service) Deleted(ctx context.Context, args model.PageArgs, columns ...string) (
	*model.DeletedDocumentConnection, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	return dbx.List[model.DeletedDocument]{
		Order: dbx.Order{Column: "deleted_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.DeletedDocument) (any, string) { return row.DeletedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}.Page(ctx, s.db, args)
}

// EraseOld erases the documents that were deleted before the time. SweepOriginals deletes their
// originals.
func (s *Service) EraseOld(ctx context.Context, before time.Time) error {
	_, err := s.db.NewDelete().Model((*model.DeletedDocument)(nil)).Where("deleted_at < ?", before).Exec(ctx)
	return dbx.Err(err)
}

// runPurge erases deleted documents and old values of bulk updates when their time is over, until
// the context ends. Errors are logged.
func (s *Service) runPurge(ctx context.Context) {
	periodic.Now(ctx, purgePause, "erase deleted documents and old values of bulk updates", func(ctx context.Context) error {
		now := s.db.Now()
		return errors.Join(s.EraseOld(ctx, now.Add(-model.TrashTime)), s.DeleteOldBulk(ctx, now.Add(-bulkKept)))
	})
}
