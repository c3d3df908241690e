package ingest

import (
	"context"
	"fmt"
	"time"

	"rostrum/api"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/optional"
	"rostrum/principal"
)

// probeTime is the timeout for detecting a source's type.
const probeTime = 5 * time.Second

// probeBytes is the number of bytes that are read to detect a source's type.
const probeBytes = 4096

// IngestAuto is Ingest for an address whose type is detected before the response, from the address or the source's first bytes. It returns
// unsupported_content for an unsupported type. A source that does not respond in time counts as a web page, and its job reports the error.
// An estimate does not request the source.
func (s *Service) IngestAuto(ctx context.Context, in api.IngestAutoInput, estimate bool) (*api.IngestAutoPayload, error) {
	p := principal.Must(ctx)
	r := ingestRequest{
		operation: opAuto, workspaceID: p.WorkspaceID, userID: p.UserID, sourceURL: in.URL, declared: model.IngestContentTypeAuto,
		provenance: in.MediaProvenance.Value(), force: optional.ValueOr(in.Force.Value(), false),
	}
	var err error
	if r.refusal, err = s.checkAddresses(r, "url"); err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimateRuns(ctx, r)
		return &api.IngestAutoPayload{Estimate: costs}, err
	}
	kind := unfetched
	if r.refusal == nil {
		if kind, err = s.detectType(ctx, r.sourceURL); err != nil {
			return nil, err
		}
	}
	doc, duplicate, err := s.startIngestion(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("ingest document: %w", err)
	}
	return autoPayload(doc, kind, newPayload(doc, duplicate, r.refusal)), nil
}

// unfetched is the type of a source that could not be requested, most likely a page.
const unfetched = string(model.IngestContentTypeWebpage)

func autoPayload(doc *model.Document, kind string, one *api.IngestDocumentPayload) *api.IngestAutoPayload {
	return &api.IngestAutoPayload{
		Message: one.Message, ContentType: kind, MediaProvenance: doc.MediaProvenance,
		Document: &api.IngestedDocument{
			DocumentID: one.DocumentID, Title: one.Title, CharacterCount: one.CharacterCount, WordCount: one.WordCount,
			ProcessingStatus: one.ProcessingStatus, ScrapeJobID: one.ScrapeJobID, SourceURL: one.SourceURL,
			Success: one.Success, URL: one.URL, Duplicate: one.Duplicate,
		},
	}
}

func (s *Service) detectType(ctx context.Context, address string) (string, error) {
	if extract.IsYouTube(address) {
		return string(model.IngestContentTypeYoutube), nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	head, err := s.fetch.Peek(ctx, address, probeBytes)
	if err != nil {
		return unfetched, nil //nolint:nilerr // the job meets the same fault and says so
	}
	kind := extract.DetectType(sourceOf(head, model.IngestContentTypeAuto))
	if kind == "" {
		return "", errs.New(errs.UnsupportedContent, "the source's type is not supported: use a web page, PDF, image, audio, video or text")
	}
	return kind, nil
}
