package ingest

import (
	"context"
	"fmt"
	"time"

	"rostrum/api"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// probeTime is the timeout for detecting a source's type.
const probeTime = 5 * time.Second

// probeBytes is the number of bytes that are read to detect a source's type.
const probeBytes = 4096

// IngestSource is Ingest for an address whose type is detected before the response, from the
// address or the source's first bytes. It returns unsupported_content for an unsupported type. A
// source that does not respond in time counts as a web page, and its job reports the error.
func (s *Service) IngestSource(ctx context.Context, in api.IngestSourceInput) (*api.IngestSourcePayload, error) {
	r, err := s.sourceRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	kind := unfetched
	if r.refusal == nil {
		if kind, err = s.detectType(ctx, r.sourceURL); err != nil {
			return nil, err
		}
	}
	started, err := s.startIngestion(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("ingest document: %w", err)
	}
	return sourcePayload(started.doc, kind, newPayload(started, r)), nil
}

// EstimateSource returns the cost of IngestSource, or validation_failed. It does not request the
// source.
func (s *Service) EstimateSource(ctx context.Context, in api.IngestSourceInput) (*model.Estimate, error) {
	r, err := s.sourceRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.estimateRuns(ctx, r)
}

// sourceRequest validates the input of IngestSource.
func (s *Service) sourceRequest(ctx context.Context, in api.IngestSourceInput) (r ingestRequest, err error) {
	p := principal.Must(ctx)
	r = ingestRequest{
		operation: opAuto, workspaceID: p.WorkspaceID, userID: p.UserID, sourceURL: in.URL,
		declared:   model.IngestContentTypeAuto,
		provenance: in.MediaProvenance.Value(), force: optional.ValueOr(in.Force.Value(), false),
	}
	if err := r.setVisibility(in.Visibility, in.EmbargoedUntil); err != nil {
		return r, err
	}
	r.refusal, err = s.checkAddresses(r, "url")
	return r, err
}

// unfetched is the type of a source that could not be requested, most likely a page.
const unfetched = string(model.IngestContentTypeWebpage)

func sourcePayload(doc *model.Document, kind string, one *api.IngestDocumentPayload) *api.IngestSourcePayload {
	return &api.IngestSourcePayload{
		DocumentID: one.DocumentID, ScrapeJobID: one.ScrapeJobID, ContentType: kind, Duplicate: one.Duplicate,
		Error: one.Error, Warning: one.Warning,
		Message: one.Message, Placeholder: one, MediaProvenance: doc.MediaProvenance,
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
		return unfetched, nil // the job meets the same fault and says so
	}
	kind := extract.DetectType(sourceOf(head, model.IngestContentTypeAuto))
	if kind == "" {
		return "", errs.New(errs.UnsupportedContent,
			"the source's type is not supported: use a web page, PDF, image, audio, video or text")
	}
	return kind, nil
}
