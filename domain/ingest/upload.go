package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
)

// maxUpload is the maximum size of a file in bytes.
const maxUpload = 50_000_000

// ExtractText returns the text of an uploaded file without storing it. It returns too_large over 50
// MB and for a file that takes too much memory or time to read, unsupported_media_type for an
// unsupported type, no_text for a file without text, and unavailable if the process that reads it
// ended.
func (s *Service) ExtractText(ctx context.Context, in api.ExtractTextInput) (*api.ExtractTextPayload, error) {
	file := in.File
	body, err := io.ReadAll(io.LimitReader(file.File, maxUpload+1))
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the file could not be read to its end")
	}
	if len(body) > maxUpload {
		return nil, errs.New(errs.TooLarge, "the file is over 50 MB")
	}
	name := path.Base(strings.ReplaceAll(file.Filename, `\`, "/"))
	text, err := s.extract.Text(ctx, extract.Source{Body: body, MediaType: file.ContentType, Filename: name})
	if err != nil {
		return nil, uploadError(err)
	}
	return &api.ExtractTextPayload{
		Content: text.Content, Filename: name, WordCount: extract.CountWords(text.Content),
		CharacterCount: extract.CountCharacters(text.Content),
	}, nil
}

func uploadError(err error) error {
	failure, ok := errors.AsType[*extract.Failure](err)
	switch {
	case !ok:
		return fmt.Errorf("extract text: %w", err)
	case failure.Code == model.ProcessingErrorCodeUnsupportedContent:
		return errs.Wrap(err, errs.UnsupportedMediaType, "%s", failure.Message)
	case failure.Code == model.ProcessingErrorCodeTooLarge:
		return errs.Wrap(err, errs.TooLarge, "%s", failure.Message)
	case failure.Code == model.ProcessingErrorCodeInternal && failure.Retryable:
		return errs.Wrap(err, errs.Unavailable, "%s", failure.Message)
	case failure.Code == model.ProcessingErrorCodeInternal:
		return errs.Wrap(err, errs.Internal, "%s", failure.Message)
	}
	return errs.Wrap(err, errs.NoText, "%s", failure.Message).With("reason", string(failure.Code))
}

// File is a file to store as a document without a job.
type File struct {
	Name       string
	MediaType  string
	Body       []byte
	Provenance model.MediaProvenance
}

// Store creates a document from a file, with the same extraction as a fetched source. The first
// start uses it to fill the demo workspace.
func (s *Service) Store(ctx context.Context, workspaceID string, file File) (*model.Document, error) {
	text, err := s.extract.Text(ctx, extract.Source{Body: file.Body, MediaType: file.MediaType, Filename: file.Name})
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", file.Name, err)
	}
	doc := newPlaceholder(ingestRequest{workspaceID: workspaceID, sourceURL: file.Name, provenance: &file.Provenance,
		declared: model.IngestContentTypeAuto})
	doc.SourceURL, doc.CanonicalURL, doc.ProcessingStatus = nil, nil, nil
	applyResult(doc, text, s.db.Now())
	applyAttribution(doc, extract.Attribution(text.Content, text.Meta))
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.documents.Insert(ctx, tx, doc)
	}); err != nil {
		return nil, fmt.Errorf("store %s: %w", file.Name, err)
	}
	return doc, nil
}
