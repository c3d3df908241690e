package tag

import (
	"context"
	"errors"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// snippetLength is how much of a document's beginning an example keeps by itself, in characters.
const snippetLength = 280

// Exclude hides a document with a manual filter and takes it as an example. Doing so again with a snippet takes that as
// the example, and without one changes nothing. It fails with not_found, with validation_failed when the workspace has no such document, and
// with invalid_state for a linked auto-tag and for a document that is being made or could not be.
func (s *Service) Exclude(ctx context.Context, tagID string, in model.ExcludeDocumentInput) (*model.ExcludeDocumentPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &model.ExcludeDocumentPayload{}
	err = s.changing(ctx, "comms_filter.excluded", tagID, func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		t, doc, err := s.excludable(ctx, tx, workspaceID, tagID, in.DocumentID)
		if err != nil {
			return nil, err
		}
		if blank(in.Snippet.Value()) {
			if known, err := s.excluded(ctx, tx, t, doc, out); err != nil || known {
				return nil, orElse(err, errDry)
			}
		}
		e := example(t, t.Name, snippetOf(doc, in.Snippet.Value()), model.TagSourceExclusion, p.Actor())
		e.DocumentID = &doc.ID
		out.Example = shownAs(doc, e)
		if err := learn(ctx, tx, e); err != nil {
			return nil, err
		}
		id, already, err := s.hideWith(ctx, tx, t, doc, e)
		out.AppliedID, out.AlreadyHidden = &id, already
		return map[string]any{"name": t.Name, "document_id": doc.ID}, err
	})
	if err != nil && !errors.Is(err, errDry) {
		return nil, err
	}
	return out, nil
}

// excluded reports whether a person has excluded the document already, and answers with what they did.
func (s *Service) excluded(
	ctx context.Context, tx dbx.Tx, t *model.AutoTag, doc *model.Document, out *model.ExcludeDocumentPayload,
) (bool, error) {
	row, err := s.appliedTo(ctx, tx, t.WorkspaceID, t.ID, doc.ID)
	if err != nil || row == nil || row.Source != model.TagSourceExclusion {
		return false, err
	}
	e, err := s.exampleIn(ctx, tx, t, doc.ID)
	if err != nil || e == nil {
		return false, err
	}
	out.Example, out.AppliedID, out.AlreadyHidden = shownAs(doc, e), &row.ID, true
	return true, nil
}

func blank(text *string) bool { return strings.TrimSpace(model.ValueOr(text, "")) == "" }

func shownAs(doc *model.Document, e *model.AutoTagExample) *model.CommsFilterExample {
	return &model.CommsFilterExample{DocumentID: doc.ID, Title: doc.Title, Snippet: e.Snippet, AddedAt: &e.AddedAt, AddedBy: e.AddedBy}
}

func (s *Service) excludable(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) (*model.AutoTag, *model.Document, error) {
	t, _, err := s.both(ctx, tx, workspaceID, tagID)
	if err != nil {
		return nil, nil, err
	}
	if !t.Manual {
		return nil, nil, errs.New(errs.InvalidState, "only a manual filter takes examples; a linked auto-tag hides by its values")
	}
	doc, err := s.document(ctx, tx, workspaceID, documentID)
	switch {
	case errs.Is(err, errs.NotFound):
		return nil, nil, errs.Invalid(errs.BodyField("value_error", "is no document of this workspace", "documentId"))
	case err != nil || doc.ProcessingStatus == nil:
		return t, doc, err
	case *doc.ProcessingStatus == model.ProcessingStatusFailed:
		return nil, nil, errs.New(errs.InvalidState, "the document could not be read, so it is no example; have its job run again first")
	}
	return nil, nil, errs.New(errs.InvalidState, "the document is still being made; wait until its processing_status is null")
}

// snippetOf is the text that is given, or the start of the document, or of one without any text its title.
func snippetOf(doc *model.Document, given *string) string {
	if text := strings.TrimSpace(model.ValueOr(given, "")); text != "" {
		return text
	}
	if text := beginning(model.ValueOr(doc.Content, ""), snippetLength); text != "" {
		return text
	}
	return doc.Title
}

// hideWith applies a manual filter to a document as a person's word, which keeps the row that is there already.
func (s *Service) hideWith(
	ctx context.Context, tx dbx.Tx, t *model.AutoTag, doc *model.Document, e *model.AutoTagExample,
) (appliedID string, already bool, err error) {
	known, err := s.appliedTo(ctx, tx, t.WorkspaceID, t.ID, doc.ID)
	if err != nil {
		return "", false, err
	}
	row := certain(applied(t, doc.ID, t.Name, model.TagSourceExclusion))
	row.ExampleID, row.Similarity = &e.ID, row.ConfidenceScore
	if known != nil {
		row.ID, row.CreatedAt = known.ID, known.CreatedAt
		return row.ID, true, replaceApplied(ctx, tx, row)
	}
	if err := dropReview(ctx, tx, t.WorkspaceID, t.ID, doc.ID); err != nil {
		return "", false, err
	}
	if err := insertAll(ctx, tx, []*model.AppliedAutoTag{row}); err != nil {
		return "", false, err
	}
	_, err = s.refresh(ctx, tx, t.WorkspaceID, []string{doc.ID})
	return row.ID, false, err
}

// certain marks a value as a person's word.
func certain(row *model.AppliedAutoTag) *model.AppliedAutoTag {
	all := 1.0
	row.ConfidenceScore, row.Model = &all, nil
	return row
}

// Unhide takes a document out of a filter, with the example that it was, and keeps models from putting it back. It fails with
// not_found when the workspace has no such filter or document.
func (s *Service) Unhide(ctx context.Context, tagID, documentID string) (*model.UnhideDocumentPayload, error) {
	out := &model.UnhideDocumentPayload{Message: "Document unhidden successfully"}
	err := s.changing(ctx, "comms_filter.unhidden", tagID, func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		t, _, err := s.both(ctx, tx, workspaceID, tagID)
		if err != nil {
			return nil, err
		}
		if _, err := s.document(ctx, tx, workspaceID, documentID); err != nil {
			return nil, err
		}
		if out.Removed, err = unapply(ctx, tx, workspaceID, tagID, documentID); err != nil {
			return nil, err
		}
		if err := insertAll(ctx, tx, []*model.AutoTagReview{rejection(t, documentID)}); err != nil {
			return nil, err
		}
		_, err = s.refresh(ctx, tx, workspaceID, []string{documentID})
		return map[string]any{"name": t.Name, "document_id": documentID}, err
	})
	if err != nil {
		return nil, err
	}
	if out.Removed == 0 {
		out.Message = "The filter did not hide the document"
	}
	return out, nil
}

// rejection is a person's word that a tag has no value in a document.
func rejection(t *model.AutoTag, documentID string) *model.AutoTagReview {
	return &model.AutoTagReview{
		ID: model.NewID(model.ReviewPrefix), WorkspaceID: t.WorkspaceID, DocumentID: documentID, AutoTagID: t.ID,
		State: model.ReviewRejected, CreatedAt: model.Now(),
	}
}
