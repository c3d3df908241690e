package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
)

// maxUpload is the largest file that is read (shared/spec/operations.md, "Sizes").
const maxUpload = 50_000_000

// ExtractText gives the text of an uploaded file and stores nothing. A file over 50 MB fails with too_large, one of a type that
// is not read with unsupported_media_type, and one without text with no_text.
func (s *Service) ExtractText(ctx context.Context, file graphql.Upload) (*model.ExtractedText, error) {
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
	return &model.ExtractedText{
		Content: text.Content, Filename: name, WordCount: extract.Words(text.Content), CharacterCount: extract.Characters(text.Content),
	}, nil
}

func uploadError(err error) error {
	failure, ok := errors.AsType[*extract.Failure](err)
	switch {
	case !ok:
		return fmt.Errorf("extract text: %w", err)
	case failure.Code == model.ProcessingErrorCodeUnsupportedContent:
		return errs.Wrap(err, errs.UnsupportedMediaType, "%s", failure.Message)
	}
	return errs.Wrap(err, errs.NoText, "%s", failure.Message).With("reason", string(failure.Code))
}

// File is a file that is stored as a document without a job.
type File struct {
	Name       string
	MediaType  string
	Body       []byte
	Provenance model.MediaProvenance
}

// Store makes a document of a file at once, through the same extraction as a fetched source; the first start fills the demo
// workspace with it.
func (s *Service) Store(ctx context.Context, workspaceID string, file File) (*model.Document, error) {
	text, err := s.extract.Text(ctx, extract.Source{Body: file.Body, MediaType: file.MediaType, Filename: file.Name})
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", file.Name, err)
	}
	doc := placeholder(request{workspaceID: workspaceID, sourceURL: file.Name, provenance: &file.Provenance, declared: model.IngestContentTypeAuto})
	doc.SourceURL, doc.CanonicalURL, doc.ProcessingStatus = nil, nil, nil
	describe(doc, text)
	attribute(doc, extract.Attribution(text.Content, text.Meta))
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.documents.Insert(ctx, tx, doc) }); err != nil {
		return nil, fmt.Errorf("store %s: %w", file.Name, err)
	}
	return doc, nil
}
