package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// previewedEntries is the number of entries that a preview shows.
const previewedEntries = 10

// PreviewSource reads an address or a mailbox and returns what a source of it would be, without
// storing anything. For a page that names feeds it reads the first of them. It returns
// errs.ValidationFailed with the reason if the address, that feed or the mailbox cannot be read.
func (s *Service) PreviewSource(ctx context.Context, in api.PreviewSourceInput) (*api.PreviewSourcePayload, error) {
	if err := checkChoice(in.URL.Value(), in.Mailbox.Value()); err != nil {
		return nil, err
	}
	if box := in.Mailbox.Value(); box != nil {
		out, err := s.previewMailbox(ctx, box)
		if err != nil {
			return nil, fmt.Errorf("preview source: %w", err)
		}
		return out, nil
	}
	return s.previewAddress(ctx, strings.TrimSpace(*in.URL.Value()))
}

func (s *Service) previewAddress(ctx context.Context, address string) (*api.PreviewSourcePayload, error) {
	out := &api.PreviewSourcePayload{URL: address, FeedUrls: []string{}, Entries: []*api.SourcePreviewEntry{}}
	listed, err := s.findListing(ctx, out)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		reason := refusalOf(err)
		return nil, fmt.Errorf("preview source: %w", errs.Invalid(errs.BodyField(string(reason.Code), reason.Message, "url")))
	}
	workspace := principal.Must(ctx).WorkspaceID
	if out.SourceID, err = s.sourceByURL(ctx, workspace, out.URL); err != nil {
		return nil, err
	}
	if listed == nil {
		return out, nil
	}
	kind := kindOf(listed)
	out.Kind, out.EntryCount, out.Name = &kind, len(listed.Entries), cmp.Or(listed.Title, out.Name)
	for _, e := range listed.Entries[:min(len(listed.Entries), previewedEntries)] {
		entry := &api.SourcePreviewEntry{URL: e.URL, Title: optional.NonEmpty(e.Title), PublishedAt: e.Published}
		known, err := s.findDuplicate(ctx, s.db, ingestRequest{workspaceID: workspace, sourceURL: e.URL})
		if err != nil {
			return nil, err
		}
		if known != nil {
			entry.DocumentID = &known.ID
		}
		out.Entries = append(out.Entries, entry)
	}
	return out, nil
}

// findListing returns what an address lists, or the first feed that its page names, which becomes the
// address of the payload. It returns nil for a page without feeds.
func (s *Service) findListing(ctx context.Context, out *api.PreviewSourcePayload) (*extract.Listing, error) {
	out.Name = hostOf(out.URL)
	source, err := s.fetchSource(ctx, out.URL, model.IngestContentTypeAuto)
	if err != nil {
		return nil, err
	}
	listed, failure := extract.ParseFeed(source)
	if failure != nil {
		if out.FeedUrls = extract.FeedLinks(source); len(out.FeedUrls) == 0 {
			return nil, s.unlessPage(source, failure)
		}
		out.URL = out.FeedUrls[0]
		if source, err = s.fetchSource(ctx, out.URL, model.IngestContentTypeAuto); err != nil {
			return nil, err
		}
		if listed, err = extract.ParseFeed(source); err != nil {
			return nil, err
		}
	}
	listed.Entries, err = s.readAllEntries(ctx, listed, &feedListing{})
	return listed, err
}

// pageTypes are the types of files that are no listing, but of which a document can be made.
var pageTypes = []string{"webpage", "pdf", "docx"}

// unlessPage returns nil if the source can become a document, and the failure otherwise.
func (s *Service) unlessPage(source extract.Source, failure error) error {
	if slices.Contains(pageTypes, extract.DetectType(source)) {
		return nil
	}
	return failure
}
