package audience

import (
	"context"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// subject is the text that personas react to.
type subject struct {
	ID         string
	DocumentID *string
	DraftID    *string
	Title      string
	Content    string
	Version    string
}

// readRunes limits the part of a text that a persona reads.
const readRunes = 32_000

// Read returns the part of the text that a persona reads.
func (s *subject) Read() string { return text.Truncate(s.Content, readRunes) }

var subjectColumns = []string{"id", "workspace_id", "title", "content", "version", "processing_status", "source_url"}

// documentSubject reads a document to react to; nil if there is none. It returns errs.InvalidState
// if the document has no text.
func (s *Service) documentSubject(ctx context.Context, id string) (*subject, *model.Document, error) {
	doc, err := s.Documents.Get(ctx, id, subjectColumns...)
	if err != nil || doc == nil {
		return nil, nil, err
	}
	if doc.ProcessingStatus != nil && *doc.ProcessingStatus != model.ProcessingStatusFailed {
		return nil, nil, errs.New(errs.InvalidState,
			"the document is still being processed: try again when its processing_status is null")
	}
	if optional.ValueOr(doc.Content, "") == "" {
		return nil, nil, errs.New(errs.InvalidState, "the document has no text to react to")
	}
	if err := s.Documents.SetMissingVersion(ctx, doc); err != nil {
		return nil, nil, err
	}
	return &subject{ID: doc.ID, DocumentID: &doc.ID, Title: doc.Title, Content: *doc.Content, Version: doc.Version},
		doc, nil
}

// draftSubject reads a draft to react to; nil if there is none. It returns errs.InvalidState if the
// draft has no text.
func (s *Service) draftSubject(ctx context.Context, id string) (*subject, *model.Draft, error) {
	draft, err := s.Drafts.Draft(ctx, id)
	if err != nil || draft == nil {
		return nil, nil, err
	}
	content := s.Plain(draft)
	if content == "" {
		return nil, nil, errs.New(errs.InvalidState, "the draft has no text to react to")
	}
	of := &subject{ID: draft.ID, DraftID: &draft.ID, Title: draft.Title, Content: content,
		Version: model.TextVersion(draft.Title, content)}
	return of, draft, nil
}

// jobSubject reads the text of a job. It returns errs.NotFound or errs.InvalidState if the text no
// longer exists.
func (s *Service) jobSubject(ctx context.Context, in readingPlan) (of *subject, err error) {
	if in.DraftID != "" {
		of, _, err = s.draftSubject(ctx, in.DraftID)
	} else {
		of, _, err = s.documentSubject(ctx, in.DocumentID)
	}
	if err == nil && of == nil {
		err = errs.New(errs.NotFound, "the text to read was deleted")
	}
	return of, err
}
