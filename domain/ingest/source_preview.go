package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
		if in.LinkPrefix.Value() != nil {
			return nil, errs.Invalid(errs.BodyField("not_allowed", "must be absent: only a page has it", "linkPrefix"))
		}
		out, err := s.previewMailbox(ctx, box)
		if err != nil {
			return nil, fmt.Errorf("preview source: %w", err)
		}
		return out, nil
	}
	return s.previewAddress(ctx, s.spelled(*in.URL.Value()), in.LinkPrefix.Value())
}

func (s *Service) previewAddress(ctx context.Context, address string, prefix *string) (*api.PreviewSourcePayload, error) {
	out := &api.PreviewSourcePayload{URL: address, FeedUrls: []string{}, Entries: []*api.SourcePreviewEntry{},
		LinkGroups: []*api.SourceLinkGroup{}}
	find := func() (*extract.Listing, error) { return s.findListing(ctx, out) }
	if prefix != nil {
		normal, err := s.normalAddress(*prefix)
		if err != nil {
			return nil, errs.Invalid(errs.BodyField("bad_url", refusalOf(err).Message, "linkPrefix"))
		}
		find = func() (*extract.Listing, error) { return s.findLinks(ctx, out, normal) }
	}
	listed, err := find()
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
	return out, s.previewEntries(ctx, out, listed)
}

// previewEntries sets what an address lists, with the documents that the workspace has of it.
func (s *Service) previewEntries(ctx context.Context, out *api.PreviewSourcePayload, listed *extract.Listing) error {
	kind, limit := kindOf(listed), previewedEntries
	if listed.IsPage {
		limit = previewedLinks
	}
	out.Kind, out.EntryCount, out.Name = &kind, len(listed.Entries), cmp.Or(listed.Title, out.Name)
	for _, e := range listed.Entries[:min(len(listed.Entries), limit)] {
		entry := &api.SourcePreviewEntry{URL: e.URL, Title: optional.NonEmpty(e.Title), PublishedAt: e.Published}
		known, err := s.findDuplicate(ctx, s.db, ingestRequest{workspaceID: principal.Must(ctx).WorkspaceID, sourceURL: e.URL})
		if err != nil {
			return err
		}
		if known != nil {
			entry.DocumentID = &known.ID
		}
		out.Entries = append(out.Entries, entry)
	}
	return nil
}

// findLinks returns the links of a page that begin with the prefix, and sets the groups of all its
// links.
func (s *Service) findLinks(ctx context.Context, out *api.PreviewSourcePayload, prefix string) (*extract.Listing, error) {
	out.Name = hostOf(out.URL)
	source, err := s.fetchSource(ctx, out.URL, model.IngestContentTypeAuto)
	if err != nil {
		return nil, err
	}
	page, err := extract.ReadPage(source)
	if err != nil {
		return nil, err
	}
	out.LinkGroups = linkGroups(source.URL, page.Entries)
	page.Entries = linksUnder(page.Entries, prefix)
	return page, nil
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
			return nil, s.unlessPage(source, failure, out)
		}
		out.URL = s.spelled(out.FeedUrls[0])
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

// unlessPage returns nil if the source can become a document, and the failure otherwise. It sets the
// groups of the links of an HTML page.
func (s *Service) unlessPage(source extract.Source, failure error, out *api.PreviewSourcePayload) error {
	if page, err := extract.ReadPage(source); err == nil {
		out.LinkGroups = linkGroups(source.URL, page.Entries)
	}
	if slices.Contains(pageTypes, extract.DetectType(source)) {
		return nil
	}
	return failure
}
