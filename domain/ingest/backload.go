package ingest

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// maxSources is the maximum number of addresses of a backload.
const maxSources = 500

// backloadParameters are a backload's public input.
type backloadParameters struct {
	SourceURLs      []string               `json:"source_urls,omitempty"`
	FeedURL         string                 `json:"feed_url,omitempty"`
	Since           *time.Time             `json:"since,omitempty"`
	MediaProvenance *model.MediaProvenance `json:"media_provenance,omitempty"`
	Visibility      *model.Visibility      `json:"visibility,omitempty"` // nil if the request has none
	EmbargoedUntil  *time.Time             `json:"embargoed_until,omitempty"`
	DryRun          bool                   `json:"dry_run,omitempty"`
}

// StartBackload queues a job that ingests many addresses or the entries of a feed. Addresses that
// are invalid without a request are rejected in the response. Each document is a separate ingestion
// and spends a run, except in a dry run; when the budget is exhausted, the remaining addresses fail in the job's result.
// It returns validation_failed if neither or both inputs are set, for more than 500 addresses, for
// a feed address that must not be fetched, and for an embargo without its end.
func (s *Service) StartBackload(ctx context.Context, in api.StartBackloadInput) (*api.StartBackloadPayload, error) {
	p := principal.Must(ctx)
	wanted := backloadParameters{
		SourceURLs: in.SourceUrls.Value(), FeedURL: optional.ValueOr(in.FeedURL.Value(), ""), Since: in.Since.Value(),
		MediaProvenance: in.MediaProvenance.Value(), DryRun: optional.ValueOr(in.DryRun.Value(), false),
	}
	if err := s.checkBackload(wanted); err != nil {
		return nil, err
	}
	var request ingestRequest
	if err := request.setVisibility(in.Visibility, in.EmbargoedUntil); err != nil {
		return nil, err
	}
	wanted.Visibility, wanted.EmbargoedUntil = request.visibility, request.embargoedUntil
	out := &api.StartBackloadPayload{Rejected: []*api.RejectedSource{}}
	if wanted.FeedURL == "" {
		wanted.SourceURLs, out.Rejected = s.siftURLs(wanted.SourceURLs)
		accepted := len(wanted.SourceURLs)
		out.Accepted = &accepted
	}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		started, err := s.jobs.Enqueue(ctx, tx, job.Request{
			Type: JobBackload, WorkspaceID: p.WorkspaceID, UserID: p.UserID, Parameters: wanted,
		})
		if err == nil {
			out.JobID = started.ID
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("backload: %w", err)
	}
	return out, nil
}

func (s *Service) checkBackload(in backloadParameters) error {
	switch {
	case len(in.SourceURLs) == 0 && in.FeedURL == "":
		return errs.Invalid(errs.BodyField("missing", "is required without a feed", "sourceUrls"))
	case len(in.SourceURLs) > 0 && in.FeedURL != "":
		return errs.Invalid(errs.BodyField("value_error", "cannot be combined with addresses", "feedUrl"))
	case len(in.SourceURLs) > maxSources:
		return errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d addresses", maxSources),
			"sourceUrls"))
	case in.FeedURL == "":
		return nil
	}
	if _, err := s.fetch.CheckURL(in.FeedURL); err != nil {
		return errs.Invalid(errs.BodyField("bad_url", refusalOf(err).Message, "feedUrl"))
	}
	return nil
}

// refusalOf returns the reason for not fetching an address.
func refusalOf(err error) model.ProcessingError {
	if isBadURL(err) {
		return model.ProcessingError{Code: badURL,
			Message: "must be an http or https address without user name and password"}
	}
	return reasonOf(err)
}

// The reasons that only a backload uses.
const (
	badURL   model.ProcessingErrorCode = "bad_url"
	repeated model.ProcessingErrorCode = "repeated"
)

// siftURLs separates valid addresses from invalid and repeated ones.
func (s *Service) siftURLs(urls []string) (good []string, rejected []*api.RejectedSource) {
	good, rejected = []string{}, []*api.RejectedSource{}
	seen := map[string]bool{}
	for _, url := range urls {
		if _, err := s.fetch.CheckURL(url); err != nil {
			reason := refusalOf(err)
			rejected = append(rejected, &api.RejectedSource{SourceURL: url, Code: string(reason.Code),
				Error: reason.Message})
			continue
		}
		if key := keyOf(url); seen[key] {
			rejected = append(rejected, &api.RejectedSource{SourceURL: url, Code: string(repeated),
				Error: "is repeated in the list"})
		} else {
			seen[key] = true
			good = append(good, url)
		}
	}
	return good, rejected
}

// keyOf returns the same key for addresses of the same document.
func keyOf(url string) string { return cmp.Or(extract.CanonicalURL(url), url) }
