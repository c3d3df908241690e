package document

import (
	"cmp"
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// correctText sets the text that a person gives, with what follows from a text, and keeps the old
// text as a version. A document whose ingestion failed is completed by it. It returns
// errs.InvalidState while the document is read.
func (s *Service) correctText(ctx context.Context, tx dbx.Tx, doc *model.Document, text string) error {
	old := optional.ValueOr(doc.Content, "")
	switch status := doc.ProcessingStatus; {
	case status != nil && *status != model.ProcessingStatusFailed:
		return errs.New(errs.InvalidState, "the document is still being read: correct its text when it is ready")
	case text == old:
		return nil
	}
	if old != "" {
		if err := keepVersion(ctx, tx, doc, old); err != nil {
			return err
		}
	}
	now := model.Now()
	doc.Content, doc.ExtractedAt, doc.ProcessingStatus, doc.ProcessingError = &text, &now, nil, nil
	s.readAgain(doc)
	return nil
}

func keepVersion(ctx context.Context, tx dbx.Tx, doc *model.Document, text string) error {
	row := &model.DocumentVersion{
		ID: model.NewID(model.TextPrefix), WorkspaceID: doc.WorkspaceID, DocumentID: doc.ID, Title: doc.Title,
		Content: text, ReplacedAt: model.Now(),
		ReplacedByID: optional.NonEmpty(principal.Must(ctx).UserID),
	}
	_, err := tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

// readAgain sets what rules find in the document's title and text. What a person or the source has
// stated stays.
func (s *Service) readAgain(doc *model.Document) {
	found := s.read(doc.Title, optional.ValueOr(doc.Content, ""))
	doc.WordCount, doc.CharacterCount = &found.Words, &found.Characters
	doc.Language = cmp.Or(found.Language, doc.Language)
	o := &doc.Origins
	findAgain(&doc.Author, &o.Author, found.Author)
	findAgain(&doc.ExtractedDate, &o.ExtractedDate, found.Published)
	findAgain(&doc.Company, &o.Company, found.Company)
	findAgain(&doc.Executive, &o.Executive, found.Executive)
	findAgain(&doc.CommunicationType, &o.CommunicationType, found.CommunicationType)
	if found.IsRestricted {
		visibility.Restrict(doc, found.RestrictedUntil, s.db.Now())
	}
}

// findAgain replaces a part of an attribution that came from an earlier text, or is empty.
func findAgain[T any](part **T, of **model.AttributionOrigin, found *T) {
	if (*of).IsOfText() {
		*part, *of = nil, nil
	}
	model.SetPart(part, of, found, model.AttributionOriginText)
}

// Versions returns one page of the earlier texts of a document, latest replaced first. It returns
// errs.NotFound for an unknown document.
func (s *Service) Versions(ctx context.Context, id string, args model.PageArgs, columns ...string) (
	*model.DocumentVersionConnection, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	if _, err := s.FindByID(ctx, s.db, workspaceID, id, "id"); errs.Is(err, errs.NotFound) {
		return nil, unknownDocument(id)
	} else if err != nil {
		return nil, err
	}
	list := versionList(workspaceID, columns)
	all := list.Where
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return all(q).Where("document_id = ?", id) }
	return list.Page(ctx, s.db, args)
}

// VersionPages returns a page of earlier texts per key in the column parent, latest replaced first
// (see dbx.Nested).
func (s *Service) VersionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.DocumentVersionConnection, error) {
	list := versionList(workspaceID, columns)
	return dbx.Nested[model.DocumentVersion]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

func versionList(workspaceID string, columns []string) dbx.List[model.DocumentVersion] {
	return dbx.List[model.DocumentVersion]{
		Order: dbx.Order{Column: "replaced_at", Time: true, Desc: true}, Columns: columns, Text: "content",
		Key:   func(row *model.DocumentVersion) (any, string) { return row.ReplacedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// VersionsByID returns the workspace's earlier texts with the ids (see dbx.ByIDs).
func (s *Service) VersionsByID(ctx context.Context, workspaceID string, ids []string, columns ...string) (
	[]*model.DocumentVersion, error) {
	return dbx.ByIDs[model.DocumentVersion](ctx, s.db, workspaceID, ids, columns...)
}
