package tag

import (
	"context"
	"errors"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// snippetLength is the default length of an example's snippet, in characters.
const snippetLength = 280

// Exclude hides a document with a manual filter and stores it as an example. A repetition with a
// snippet replaces the example; without one it changes nothing. It returns errs.NotFound, and
// errs.ValidationFailed for an unknown document. It returns errs.InvalidState for a linked
// auto-tag, and for a document during or after failed ingestion.
func (s *Service) Exclude(ctx context.Context, in api.ExcludeDocumentInput) (*api.ExcludeDocumentPayload, error) {
	p := principal.Must(ctx)
	out := &api.ExcludeDocumentPayload{}
	in.TagID = tagIDOf(in.TagID)
	err := s.changeFilters(ctx, "comms_filter.excluded", in.TagID,
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			t, doc, err := s.documentToExclude(ctx, tx, workspaceID, in.TagID, in.DocumentID)
			if err != nil {
				return nil, err
			}
			if isBlank(in.Snippet.Value()) {
				if known, err := s.findExclusion(ctx, tx, t, doc, out); err != nil || known {
					return nil, orElse(err, errDryRun)
				}
			}
			e := newExample(t, t.Name, snippetOf(doc, in.Snippet.Value()), model.AutoTagExampleSourceExclusion,
				p.Actor())
			e.DocumentID = &doc.ID
			out.Example = newFilterExample(doc, e)
			if err := saveExample(ctx, tx, e); err != nil {
				return nil, err
			}
			out.AppliedAutoTag, out.AlreadyHidden, err = s.hideDocument(ctx, tx, t, doc, e)
			return map[string]any{"name": t.Name, "document_id": doc.ID}, err
		})
	if err != nil && !errors.Is(err, errDryRun) {
		return nil, err
	}
	return out, nil
}

// findExclusion reports whether a person has already excluded the document, and fills out with it.
func (s *Service) findExclusion(
	ctx context.Context, tx dbx.Tx, t *model.AutoTag, doc *model.Document, out *api.ExcludeDocumentPayload,
) (bool, error) {
	row, err := s.appliedValue(ctx, tx, t.WorkspaceID, t.ID, doc.ID)
	if err != nil || row == nil || row.Source != model.AutoTagSourceExclusion {
		return false, err
	}
	e, err := s.exampleOfDocument(ctx, tx, t, doc.ID)
	if err != nil || e == nil {
		return false, err
	}
	out.Example, out.AppliedAutoTag, out.AlreadyHidden = newFilterExample(doc, e), row, true
	return true, nil
}

func isBlank(text *string) bool { return strings.TrimSpace(optional.ValueOr(text, "")) == "" }

func newFilterExample(doc *model.Document, e *model.AutoTagExample) *model.CommsFilterExample {
	return &model.CommsFilterExample{DocumentID: doc.ID, Title: doc.Title, Snippet: e.Snippet, AddedAt: e.AddedAt,
		AddedBy: e.AddedBy}
}

func (s *Service) documentToExclude(ctx context.Context, tx dbx.Tx, workspaceID, tagID,
	documentID string) (*model.AutoTag, *model.Document, error) {
	t, _, err := s.filterAndTag(ctx, tx, workspaceID, tagID)
	if err != nil {
		return nil, nil, err
	}
	if !t.Manual {
		return nil, nil, errs.New(errs.InvalidState,
			"only manual filters have examples; a linked auto-tag hides documents by its values")
	}
	doc, err := s.documentByID(ctx, tx, workspaceID, documentID)
	switch {
	case errs.Is(err, errs.NotFound):
		return nil, nil, errs.Invalid(errs.BodyField("value_error", "is not a document of this workspace",
			"documentId"))
	case err != nil || doc.ProcessingStatus == nil:
		return t, doc, err
	case *doc.ProcessingStatus == model.ProcessingStatusFailed:
		return nil, nil, errs.New(errs.InvalidState,
			"the document's ingestion failed, so it cannot be an example; retry its job first")
	}
	return nil, nil, errs.New(errs.InvalidState, "the document is still being ingested; wait until its processing_status is null")
}

// snippetOf returns the given text, else the start of the document's text, else its title.
func snippetOf(doc *model.Document, given *string) string {
	if text := strings.TrimSpace(optional.ValueOr(given, "")); text != "" {
		return text
	}
	if text := truncateAtWord(optional.ValueOr(doc.Content, ""), snippetLength); text != "" {
		return text
	}
	return doc.Title
}

// hideDocument applies a manual filter to a document as a person's decision, and returns the row.
// An existing row keeps its id.
func (s *Service) hideDocument(
	ctx context.Context, tx dbx.Tx, t *model.AutoTag, doc *model.Document, e *model.AutoTagExample,
) (row *model.AppliedAutoTag, already bool, err error) {
	known, err := s.appliedValue(ctx, tx, t.WorkspaceID, t.ID, doc.ID)
	if err != nil {
		return nil, false, err
	}
	row = markCertain(newAppliedTag(t, doc.ID, t.Name, model.AutoTagSourceExclusion))
	row.ExampleID, row.Similarity = &e.ID, row.ConfidenceScore
	if known != nil {
		row.ID, row.CreatedAt = known.ID, known.CreatedAt
		return row, true, replaceApplied(ctx, tx, row)
	}
	if err := deleteReview(ctx, tx, t.WorkspaceID, t.ID, doc.ID); err != nil {
		return nil, false, err
	}
	if err := dbx.InsertRows(ctx, tx, []*model.AppliedAutoTag{row}); err != nil {
		return nil, false, err
	}
	_, err = s.updateHidden(ctx, tx, t.WorkspaceID, []string{doc.ID})
	return row, false, err
}

// markCertain marks a value as a person's decision.
func markCertain(row *model.AppliedAutoTag) *model.AppliedAutoTag {
	all := 1.0
	row.ConfidenceScore, row.Model = &all, nil
	return row
}

// Unhide removes a document and its example from a filter, and keeps models from adding it again.
// It returns errs.NotFound for an unknown filter or document.
func (s *Service) Unhide(ctx context.Context, tagID, documentID string) (*api.UnhideDocumentPayload, error) {
	tagID = tagIDOf(tagID)
	out := &api.UnhideDocumentPayload{DocumentID: documentID, Message: "Document unhidden successfully"}
	err := s.changeFilters(ctx, "comms_filter.unhidden", tagID,
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			t, _, err := s.filterAndTag(ctx, tx, workspaceID, tagID)
			if err != nil {
				return nil, err
			}
			if _, err := s.documentByID(ctx, tx, workspaceID, documentID); err != nil {
				return nil, err
			}
			if out.RemovedCount, err = deleteTagFromDocument(ctx, tx, workspaceID, tagID, documentID); err != nil {
				return nil, err
			}
			if err := dbx.InsertRows(ctx, tx, []*model.AutoTagReview{newRejection(t, documentID)}); err != nil {
				return nil, err
			}
			_, err = s.updateHidden(ctx, tx, workspaceID, []string{documentID})
			return map[string]any{"name": t.Name, "document_id": documentID}, err
		})
	if err != nil {
		return nil, err
	}
	if out.RemovedCount == 0 {
		out.Message = "The filter did not hide the document"
	}
	return out, nil
}

// newRejection returns a person's decision that a tag has no value in a document.
func newRejection(t *model.AutoTag, documentID string) *model.AutoTagReview {
	return &model.AutoTagReview{
		ID: model.NewID(model.ReviewPrefix), WorkspaceID: t.WorkspaceID, DocumentID: documentID, AutoTagID: t.ID,
		State: model.ReviewRejected, CreatedAt: model.Now(),
	}
}
