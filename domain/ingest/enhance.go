package ingest

import (
	"context"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// enhance finds what the source did not say itself and what the text is about, and ends the ingestion.
func (s *Service) enhance(ctx context.Context, run *job.Run, doc *model.Document, meta extract.Meta) (any, error) {
	found := extract.Attribution(model.ValueOr(doc.Content, ""), meta)
	attribute(doc, found)
	keep, problem, err := s.tagged(ctx, doc)
	if err != nil {
		return nil, err
	}
	doc, err = s.amendAfter(ctx, run, doc.ID, keep, func(doc *model.Document) error {
		attribute(doc, found)
		doc.ProcessingStatus, doc.ProcessingError = nil, nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcome{
		DocumentID: doc.ID, Title: doc.Title, ContentType: model.ValueOr(doc.ContentType, ""),
		WordCount: model.ValueOr(doc.WordCount, 0), CharacterCount: model.ValueOr(doc.CharacterCount, 0), AutoTagsError: problem,
	}, nil
}

// tagged looks through the text for auto-tags. A text model that fails does not take the text away: the document is done without
// them, and the job's result says why.
func (s *Service) tagged(ctx context.Context, doc *model.Document) (keep func(context.Context, dbx.Tx) error, problem string, err error) {
	keep, err = s.tags.Find(ctx, doc)
	if errs.Is(err, errs.ModelFailed) || errs.Is(err, errs.ModelTimeout) {
		return nil, errs.From(err).Message, nil
	}
	return keep, "", err
}
