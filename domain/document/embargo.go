package document

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
)

// readAction is the action of an audit entry of a read of a document under embargo.
const readAction = "document.read"

// ReadByIDs is ByIDs for callers that may read the texts. It returns errs.LimitExceeded for texts
// over dbx.MaxPageText.
func (s *Service) ReadByIDs(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Document, error) {
	return dbx.TextsByIDs[model.Document](ctx, s.db, workspaceID, ids, "content", columns...)
}

// AuditQuotes notes in the audit log that the caller reads words of the documents with the ids, as
// far as they are under embargo. If it returns an error, the words must not be returned.
func (s *Service) AuditQuotes(ctx context.Context, workspaceID string, ids []string) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	docs, err := dbx.ByIDs[model.Document](ctx, s.db, workspaceID, ids, "id", "visibility", "embargoed_until")
	if err != nil {
		return err
	}
	if len(docs) < len(ids) { // the trash shows titles too
		deleted, err := dbx.ByIDs[model.DeletedDocument](ctx, s.db, workspaceID, ids, "id", "visibility", "embargoed_until")
		if err != nil {
			return err
		}
		for _, row := range deleted {
			docs = append(docs, &model.Document{ID: row.ID, Visibility: row.Visibility, EmbargoedUntil: row.EmbargoedUntil})
		}
	}
	return visibility.NoteReads(ctx, s.audit, readAction, s.db.Now(), docs, func(doc *model.Document) visibility.Read {
		return visibility.Read{ID: doc.ID, Visibility: doc.Visibility, Until: doc.EmbargoedUntil}
	})
}

// EmbargoEnd returns until when a document is under embargo, also one in the trash, which can be
// restored; nil if it is not, or there is none.
func (s *Service) EmbargoEnd(ctx context.Context, db dbx.Reader, workspaceID, id string) (*time.Time, error) {
	found := make([]*struct {
		EmbargoedUntil *time.Time `bun:"embargoed_until"`
	}, 0, 1)
	for _, table := range []string{"document", "deleted_document"} {
		err := db.NewSelect().Table(table).Column("embargoed_until").Where("workspace_id = ? AND id = ? AND visibility = ?",
			workspaceID, id, model.VisibilityEmbargoed).Scan(ctx, &found)
		if err != nil {
			return nil, dbx.Err(err)
		}
		if len(found) > 0 {
			return found[0].EmbargoedUntil, nil
		}
	}
	return nil, nil
}

// EmbargoWarnings returns the warnings of each material: it leads to a document under embargo,
// quotes one or was made from one. It reads the texts of those that it has not compared lately, whose words do not leave
// it.
func (s *Service) EmbargoWarnings(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string,
	error) {
	ctx = model.WithReads(ctx, nil)
	var docs []*model.Document
	err := s.db.NewSelect().Model(&docs).Column("id", "version", "updated_at", "character_count", "source_url", "url",
		"canonical_url", "embargoed_until").Where("workspace_id = ?", workspaceID).
		Where("?", visibility.Condition("document", model.VisibilityEmbargoed, s.db.Now())).
		Order("embargoed_until", "id").Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	stored, texts := make([]visibility.StoredText, len(docs)), make([]visibility.Embargoed, len(docs))
	for i, doc := range docs {
		stored[i] = visibility.StoredText{ID: doc.ID, Key: fmt.Sprint(doc.ID, doc.Version, doc.UpdatedAt.UnixMicro()),
			Size: optional.ValueOr(doc.CharacterCount, 0)}
		texts[i] = visibility.Embargoed{Kind: "document", ID: doc.ID, Until: *doc.EmbargoedUntil}
		for _, address := range []*string{doc.SourceURL, doc.URL, doc.CanonicalURL} {
			texts[i].Addresses = append(texts[i].Addresses, optional.ValueOr(address, ""))
		}
	}
	prints, err := s.prints.Of(ctx, stored,
		func(ctx context.Context, ids []string) (map[string][]visibility.Print, error) {
			return s.readPrints(ctx, workspaceID, ids)
		})
	for i, doc := range docs {
		texts[i].Prints = prints[doc.ID]
	}
	return visibility.Warnings(shared, texts), err
}

func (s *Service) readPrints(ctx context.Context, workspaceID string, ids []string) (map[string][]visibility.Print,
	error) {
	docs, err := s.FindByIDs(ctx, s.db, workspaceID, ids, "id", "title", "content")
	prints := make(map[string][]visibility.Print, len(docs))
	for _, doc := range docs {
		prints[doc.ID] = visibility.PrintsOf(doc.Title, optional.ValueOr(doc.Content, ""))
	}
	return prints, err
}
