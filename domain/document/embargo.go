package document

import (
	"context"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
)

// readAction is the action of an audit entry of a read of a document under embargo.
const readAction = "document.read"

// auditReads notes in the audit log that the caller reads the title or text of documents under
// embargo. Without such a document it runs no statement. If it returns an error, the documents must
// not be returned.
func (s *Service) auditReads(ctx context.Context, docs ...*model.Document) error {
	return visibility.NoteReads(ctx, s.audit, readAction, s.db.Now(), docs, func(doc *model.Document) visibility.Read {
		hasText := doc.Title != "" || doc.Content != nil
		return visibility.Read{ID: doc.ID, Visibility: doc.Visibility, Until: doc.EmbargoedUntil, HasText: hasText}
	})
}

// ReadByIDs is ByIDs for the caller: it notes reads of documents under embargo in the audit log. It
// returns errs.LimitExceeded for texts over dbx.MaxPageText.
func (s *Service) ReadByIDs(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Document, error) {
	docs, err := dbx.TextsByIDs[model.Document](ctx, s.db, workspaceID, ids, "content", columns...)
	if err != nil {
		return nil, err
	}
	return docs, s.auditReads(ctx, docs...)
}

// AuditQuotes notes in the audit log that the caller reads words of the documents with the ids, as
// far as they are under embargo. If it returns an error, the words must not be returned.
func (s *Service) AuditQuotes(ctx context.Context, workspaceID string, ids []string) error {
	docs, err := dbx.ByIDs[model.Document](ctx, s.db, workspaceID, ids, "id", "visibility", "embargoed_until")
	if err != nil {
		return err
	}
	return visibility.NoteReads(ctx, s.audit, readAction, s.db.Now(), docs, func(doc *model.Document) visibility.Read {
		return visibility.Read{ID: doc.ID, Visibility: doc.Visibility, Until: doc.EmbargoedUntil, HasText: true}
	})
}

// maxEmbargoed is the number of documents under embargo that shared material is compared with, and
// maxEmbargoedRunes the number of characters of each.
const (
	maxEmbargoed      = 200
	maxEmbargoedRunes = 100_000
)

// EmbargoWarnings returns the warnings of each material: it leads to a document under embargo or
// quotes one. It runs one statement.
func (s *Service) EmbargoWarnings(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string,
	error) {
	var docs []*model.Document
	err := s.db.NewSelect().Model(&docs).Column("id", "title", "source_url", "url", "canonical_url", "embargoed_until").
		ColumnExpr("substr(content, 1, ?) AS content", maxEmbargoedRunes).Where("workspace_id = ?", workspaceID).
		Where("?", visibility.Condition("document", model.VisibilityEmbargoed, s.db.Now())).
		Order("embargoed_until", "id").Limit(maxEmbargoed).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	texts := make([]visibility.Embargoed, len(docs))
	for i, doc := range docs {
		texts[i] = visibility.Embargoed{Name: "document " + doc.ID, Title: doc.Title, Until: *doc.EmbargoedUntil}
		for _, part := range []struct{ into, from *string }{
			{&texts[i].Content, doc.Content}, {&texts[i].Addresses[0], doc.SourceURL},
			{&texts[i].Addresses[1], doc.URL}, {&texts[i].Addresses[2], doc.CanonicalURL},
		} {
			if part.from != nil {
				*part.into = *part.from
			}
		}
	}
	return visibility.Warnings(shared, texts), nil
}
