package ingest

import (
	"context"
	"fmt"
	"time"

	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
)

// probeTime bounds how long a caller waits for a source's type.
const probeTime = 5 * time.Second

// probeBytes is how much of a source tells its type.
const probeBytes = 4096

// IngestAuto is Ingest for an address whose type the server finds out before it answers, from the address or the source's first
// bytes. A source that answers with a type that is not read fails with unsupported_content; one that does not answer in time
// is taken for a web page, and its job says what happened.
func (s *Service) IngestAuto(ctx context.Context, in model.IngestAutoInput) (*model.IngestAutoPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	r := request{
		workspaceID: p.WorkspaceID, userID: p.UserID, sourceURL: in.URL, declared: model.IngestContentTypeAuto,
		provenance: in.MediaProvenance.Value(), force: valueOr(in.Force.Value(), false),
	}
	if r.refusal, err = s.check(r, "url"); err != nil {
		return nil, err
	}
	if r.refusal == nil {
		if r.declared, err = s.detect(ctx, r.sourceURL); err != nil {
			return nil, err
		}
	}
	doc, duplicate, err := s.begin(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("ingest document: %w", err)
	}
	return autoPayload(doc, duplicate, r), nil
}

func autoPayload(doc *model.Document, duplicate bool, r request) *model.IngestAutoPayload {
	one := payload(doc, duplicate, r.refusal)
	kind := string(r.declared)
	if duplicate {
		kind = valueOr(doc.ContentType, kind)
	}
	return &model.IngestAutoPayload{
		Message: one.Message, ContentType: kind, MediaProvenance: doc.MediaProvenance,
		Document: &model.IngestedDocument{
			DocumentID: one.DocumentID, Title: one.Title, CharacterCount: one.CharacterCount, WordCount: one.WordCount,
			ProcessingStatus: one.ProcessingStatus, ScrapeJobID: one.ScrapeJobID, SourceURL: one.SourceURL,
			Success: one.Success, URL: one.URL, Duplicate: one.Duplicate,
		},
	}
}

func (s *Service) detect(ctx context.Context, address string) (model.IngestContentType, error) {
	if extract.IsVideo(address) {
		return model.IngestContentTypeYoutube, nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	head, err := s.fetch.Peek(ctx, address, probeBytes)
	if err != nil {
		return model.IngestContentTypeWebpage, nil //nolint:nilerr // the job meets the same fault and says so
	}
	kind, ok := extract.Detect(extract.Source{Body: head.Body, URL: address, MediaType: head.Header.Get("Content-Type")})
	if !ok {
		return "", errs.New(errs.UnsupportedContent, "the source's type is not one that is read: web page, PDF, image, audio, video or text")
	}
	return kind, nil
}
