package ingest

import (
	"context"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
)

// enhanceDocument sets the fields that the source did not declare and the auto-tags. It returns the
// result, which completes the document with the job.
func (s *Service) enhanceDocument(ctx context.Context, run *job.Run, doc *model.Document, meta extract.Meta) (any,
	error) {
	if !doc.Origins.Author.IsOfText() {
		meta.Author = optional.ValueOr(doc.Author, "")
	}
	found := extract.Attribution(optional.ValueOr(doc.Content, ""), meta)
	applyAttribution(doc, found)
	keep, problem, err := s.findTags(ctx, doc)
	if err != nil {
		return nil, err
	}
	return job.Ending(func(ctx context.Context, tx dbx.Tx) (any, error) {
		doc, err := s.amendHeld(job.AsOwner(ctx, run.Job), tx, run, doc.ID, keep, func(doc *model.Document) error {
			applyAttribution(doc, found)
			doc.ProcessingStatus, doc.ProcessingError = nil, nil
			return nil
		})
		if err != nil {
			return nil, err
		}
		return ingestResult{
			DocumentID: doc.ID, Title: doc.Title, ContentType: optional.ValueOr(doc.ContentType, ""),
			WordCount: optional.ValueOr(doc.WordCount, 0), CharacterCount: optional.ValueOr(doc.CharacterCount, 0),
			AutoTagsError: problem,
		}, nil
	}), nil
}

// findTags finds the document's auto-tags. After an error of the text model the document completes
// without them, and the job's result has the error.
func (s *Service) findTags(ctx context.Context, doc *model.Document) (keep func(context.Context, dbx.Tx) error,
	problem string, err error) {
	keep, err = s.tags.Find(ctx, doc)
	if llm.IsFailure(err) {
		return nil, errs.From(err).Message, nil
	}
	return keep, "", err
}
