package ingest

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// maxSources is how many addresses one backload takes (shared/spec/operations.md, R55).
const maxSources = 500

// backloadParameters are a backload's input, as callers see it.
type backloadParameters struct {
	SourceURLs      []string               `json:"source_urls,omitempty"`
	FeedURL         string                 `json:"feed_url,omitempty"`
	Since           *time.Time             `json:"since,omitempty"`
	MediaProvenance *model.MediaProvenance `json:"media_provenance,omitempty"`
}

// Backload queues one job that makes documents of many addresses, or of the entries of a feed. What can be told of an address without
// asking it is told at once, and leaves that address out. Each document is an ingestion of its own and spends a run; where the budget ends,
// the addresses that are left fail in the job's result. It fails with validation_failed when neither or both are given, for more than 500
// addresses, and for a feed's address that must not be fetched.
func (s *Service) Backload(ctx context.Context, in model.BackloadInput) (*model.BackloadPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	wanted := backloadParameters{
		SourceURLs: in.SourceUrls.Value(), FeedURL: model.ValueOr(in.FeedURL.Value(), ""), Since: in.Since.Value(),
		MediaProvenance: in.MediaProvenance.Value(),
	}
	if err := s.checkBackload(wanted); err != nil {
		return nil, err
	}
	out := &model.BackloadPayload{Rejected: []*model.RejectedSource{}}
	if wanted.FeedURL == "" {
		wanted.SourceURLs, out.Rejected = s.sift(wanted.SourceURLs)
		accepted := len(wanted.SourceURLs)
		out.Accepted = &accepted
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		started, err := s.jobs.Enqueue(ctx, tx, job.Request{
			Type: BackloadJob, WorkspaceID: p.WorkspaceID, UserID: p.UserID, Parameters: wanted,
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
		return errs.Invalid(errs.BodyField("missing", "is required where there is no feed", "sourceUrls"))
	case len(in.SourceURLs) > 0 && in.FeedURL != "":
		return errs.Invalid(errs.BodyField("value_error", "is given instead of addresses, not beside them", "feedUrl"))
	case len(in.SourceURLs) > maxSources:
		return errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d addresses", maxSources), "sourceUrls"))
	case in.FeedURL == "":
		return nil
	}
	if _, err := s.fetch.CheckURL(in.FeedURL); err != nil {
		return errs.Invalid(errs.BodyField("bad_url", refusalOf(err).Message, "feedUrl"))
	}
	return nil
}

// refusalOf tells why an address is not fetched.
func refusalOf(err error) model.ProcessingError {
	if isBadURL(err) {
		return model.ProcessingError{Code: badURL, Message: "must be an http or https address without user name and password"}
	}
	return reasonOf(err)
}

// The reasons that only a backload has.
const (
	badURL   model.ProcessingErrorCode = "bad_url"
	repeated model.ProcessingErrorCode = "repeated"
)

// sift parts the addresses that can be asked from those that cannot or that stand in the list already.
func (s *Service) sift(urls []string) (good []string, rejected []*model.RejectedSource) {
	good, rejected = []string{}, []*model.RejectedSource{}
	seen := map[string]bool{}
	for _, url := range urls {
		if _, err := s.fetch.CheckURL(url); err != nil {
			reason := refusalOf(err)
			rejected = append(rejected, &model.RejectedSource{SourceURL: url, Code: string(reason.Code), Error: reason.Message})
			continue
		}
		if key := keyOf(url); seen[key] {
			rejected = append(rejected, &model.RejectedSource{SourceURL: url, Code: string(repeated), Error: "stands in the list already"})
		} else {
			seen[key] = true
			good = append(good, url)
		}
	}
	return good, rejected
}

// keyOf is the same for addresses of which the workspace would have one document.
func keyOf(url string) string { return cmp.Or(extract.Canonical(url), url) }
