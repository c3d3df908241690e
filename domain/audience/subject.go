package audience

import (
	"context"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

// subject is the text that is reacted to.
type subject struct {
	ID         string
	DocumentID *string
	DraftID    *string
	Title      string
	Content    string
	Version    string
}

// readRunes is how much of a text a persona reads.
const readRunes = 32_000

// Read is the part of the text that is read.
func (s *subject) Read() string { return text.Truncate(s.Content, readRunes) }

var subjectColumns = []string{"id", "workspace_id", "title", "content", "version", "processing_status", "source_url"}

// document reads a document that is to be reacted to; nil when the workspace has none of that id. One without a text is no subject yet.
func (s *Service) document(ctx context.Context, id string) (*subject, *model.Document, error) {
	doc, err := s.Documents.Get(ctx, id, subjectColumns...)
	if err != nil || doc == nil {
		return nil, nil, err
	}
	if doc.ProcessingStatus != nil && *doc.ProcessingStatus != model.ProcessingStatusFailed {
		return nil, nil, errs.New(errs.InvalidState, "the document is still being read: try again when its processing_status is null")
	}
	if model.ValueOr(doc.Content, "") == "" {
		return nil, nil, errs.New(errs.InvalidState, "the document has no text to react to")
	}
	if err := s.Documents.Stamp(ctx, doc); err != nil {
		return nil, nil, err
	}
	return &subject{ID: doc.ID, DocumentID: &doc.ID, Title: doc.Title, Content: *doc.Content, Version: doc.Version}, doc, nil
}

// draft reads a draft that is to be reacted to; nil when the workspace has none of that id.
func (s *Service) draft(ctx context.Context, id string) (*subject, *model.Draft, error) {
	draft, err := s.Drafts.Draft(ctx, id)
	if err != nil || draft == nil {
		return nil, nil, err
	}
	content := s.Plain(draft)
	if content == "" {
		return nil, nil, errs.New(errs.InvalidState, "the draft has no text to react to")
	}
	of := &subject{ID: draft.ID, DraftID: &draft.ID, Title: draft.Title, Content: content, Version: model.TextVersion(draft.Title, content)}
	return of, draft, nil
}

// again reads what a job is about when it runs. What is gone or has lost its text fails for good.
func (s *Service) again(ctx context.Context, in plan) (of *subject, err error) {
	if in.DraftID != "" {
		of, _, err = s.draft(ctx, in.DraftID)
	} else {
		of, _, err = s.document(ctx, in.DocumentID)
	}
	if err == nil && of == nil {
		err = errs.New(errs.NotFound, "what was to be read has been deleted")
	}
	return of, err
}
