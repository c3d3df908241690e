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
// is taken for a web page, and its job says what happened. An estimate does not look at the source at all.
func (s *Service) IngestAuto(ctx context.Context, in model.IngestAutoInput, estimate bool) (*model.IngestAutoPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	r := request{
		operation: opAuto, workspaceID: p.WorkspaceID, userID: p.UserID, sourceURL: in.URL, declared: model.IngestContentTypeAuto,
		provenance: in.MediaProvenance.Value(), force: model.ValueOr(in.Force.Value(), false),
	}
	if r.refusal, err = s.check(r, "url"); err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimate(ctx, r)
		return &model.IngestAutoPayload{Estimate: costs}, err
	}
	kind := unfetched
	if r.refusal == nil {
		if kind, err = s.detect(ctx, r.sourceURL); err != nil {
			return nil, err
		}
	}
	doc, duplicate, err := s.begin(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("ingest document: %w", err)
	}
	return autoPayload(doc, kind, payload(doc, duplicate, r.refusal)), nil
}

// unfetched is the type of a source that could not be looked at; what cannot be looked at is most likely a page.
const unfetched = string(model.IngestContentTypeWebpage)

func autoPayload(doc *model.Document, kind string, one *model.IngestDocumentPayload) *model.IngestAutoPayload {
	return &model.IngestAutoPayload{
		Message: one.Message, ContentType: kind, MediaProvenance: doc.MediaProvenance,
		Document: &model.IngestedDocument{
			DocumentID: one.DocumentID, Title: one.Title, CharacterCount: one.CharacterCount, WordCount: one.WordCount,
			ProcessingStatus: one.ProcessingStatus, ScrapeJobID: one.ScrapeJobID, SourceURL: one.SourceURL,
			Success: one.Success, URL: one.URL, Duplicate: one.Duplicate,
		},
	}
}

func (s *Service) detect(ctx context.Context, address string) (string, error) {
	if extract.IsYouTube(address) {
		return string(model.IngestContentTypeYoutube), nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	head, err := s.fetch.Peek(ctx, address, probeBytes)
	if err != nil {
		return unfetched, nil //nolint:nilerr // the job meets the same fault and says so
	}
	kind := extract.Type(sourceOf(head, model.IngestContentTypeAuto))
	if kind == "" {
		return "", errs.New(errs.UnsupportedContent, "the source's type is not one that is read: web page, PDF, image, audio, video or text")
	}
	return kind, nil
}
