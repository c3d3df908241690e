package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/ingest/mailbox"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
)

const (
	// failingPolls is how many failed polls in a row make a source failing.
	failingPolls = 3
	// firstBackoff is the pause after the first failed poll; each further one doubles it.
	firstBackoff = 5 * time.Minute
	// maxBackoff is the longest pause after a failed poll.
	maxBackoff = 24 * time.Hour
	// jitterRatio is the largest share by which a pause grows at random, so that sources that were
	// added together are not polled together.
	jitterRatio = 0.1
	// waitForRuns is the longest pause while entries wait for runs of the workspace.
	waitForRuns = time.Hour
)

// pollOutcome is what a poll found: why the source could not be read, or why its entries wait.
type pollOutcome struct {
	failure error
	waits   *model.SourceError
	leftOut *model.SourceError // which mails were too large, or why they could not be read
}

// pollSource reads a source and makes documents of its new entries. It returns errors of the database
// and errLeaseLost; a source that cannot be read is an outcome.
func (s *Service) pollSource(ctx context.Context, src *model.Source) (out pollOutcome, err error) {
	if src.Mailbox != nil {
		return s.pollMailbox(ctx, src)
	}
	found, err := s.readSourceListing(ctx, src)
	if err != nil {
		out.failure = pollFailure(ctx, err)
		return out, nil // a source that cannot be read is an outcome
	}
	if found != nil {
		if err := s.storeListing(ctx, src, found); err != nil {
			return out, err
		}
	}
	out.waits, err = s.takeWaiting(ctx, src)
	if errors.Is(err, context.DeadlineExceeded) {
		return out, nil // the rest waits for the next poll
	}
	return out, err
}

// errPollTime is the failure of a source that was not read within pollTime. A request that took too
// long, which has less time, is a failure of its own.
var errPollTime = errors.New("the source was not read in time")

// pollFailure returns why a source was not read, given the context of the poll.
func pollFailure(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.Join(errPollTime, err)
	}
	return err
}

// foundListing is a listing that changed since the last poll.
type foundListing struct {
	*extract.Listing
	version fetch.Validators
}

// readSourceListing returns what the source lists, newest first, or nil if its server says that it
// has not changed.
func (s *Service) readSourceListing(ctx context.Context, src *model.Source) (*foundListing, error) {
	response, err := s.fetch.GetIfChanged(ctx, src.URL,
		fetch.Validators{ETag: src.ETag, LastModified: src.LastModified})
	if err != nil {
		return nil, err
	}
	if response.Status == http.StatusNotModified {
		return nil, nil
	}
	listed, err := parseListing(src, sourceOf(response, model.IngestContentTypeAuto))
	if err != nil {
		return nil, err
	}
	found := &foundListing{Listing: listed}
	if len(listed.Sitemaps) == 0 { // an index may be unchanged while its sitemaps are not
		found.version = fetch.ValidatorsOf(response)
		return found, nil
	}
	listed.Entries, err = s.readAllEntries(ctx, listed, &feedListing{})
	return found, err
}

// finishPoll stores the outcome of a poll and when the source is due again, and ends the lease.
func (s *Service) finishPoll(ctx context.Context, polled *model.Source, out pollOutcome) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		src, err := s.lockLeased(ctx, tx, polled)
		if err != nil {
			return err
		}
		now, wasFailing := s.now(), src.IsFailing
		src.LastPolledAt, src.LeaseUntil, src.IsSnoozed = &now, nil, false
		var pause time.Duration
		if out.failure != nil {
			pause = s.noteFailure(src, out.failure)
		} else {
			pause = s.noteSuccess(src, cmp.Or(out.waits, out.leftOut))
		}
		wasAsked := src.NextPollAt != nil && polled.NextPollAt != nil && src.NextPollAt.After(*polled.NextPollAt)
		if !src.IsPaused() && !wasAsked { // one who asked for a poll meanwhile gets another
			at := now.Add(pause + time.Duration(s.jitter()*jitterRatio*float64(pause)))
			src.NextPollAt = &at
		}
		s.recordChange(tx, src.WorkspaceID, pollEvent(wasFailing, src.IsFailing), src.ID)
		return saveSource(ctx, tx, src)
	})
}

// pollEvent returns the name of the event of a poll.
func pollEvent(wasFailing, isFailing bool) string {
	switch {
	case isFailing && !wasFailing:
		return model.EventSourceFailing
	case wasFailing && !isFailing:
		return model.EventSourceRecovered
	}
	return model.EventSourceChanged
}

// noteSuccess sets the state of a source that was read, and returns the pause until its next poll.
func (s *Service) noteSuccess(src *model.Source, waits *model.SourceError) time.Duration {
	src.ConsecutiveFailures, src.Refusals, src.IsFailing, src.LastError = 0, 0, false, waits
	pause := time.Duration(src.IntervalMinutes) * time.Minute
	if waits != nil {
		return min(pause, waitForRuns)
	}
	return pause
}

// noteFailure sets the state of a source that could not be read, and returns the pause until its next
// poll. It pauses a source whose server answered 410 Gone, and a mailbox whose server has refused the
// sign-in maxRefusals times since the last success, because further attempts may lock the account.
func (s *Service) noteFailure(src *model.Source, failure error) time.Duration {
	src.ConsecutiveFailures++
	src.IsFailing = src.IsFailing || src.ConsecutiveFailures >= failingPolls
	src.LastError = sourceErrorOf(failure)
	pause := min(firstBackoff<<min(src.ConsecutiveFailures-1, 10), maxBackoff)
	if isRefused(failure) {
		src.Refusals++
		if src.Refusals >= maxRefusals {
			src.LastError.Message += pausedRefused
			s.pauseFailing(src, model.SourcePausedReasonRefused)
		}
	}
	refused, ok := errors.AsType[*fetch.Error](failure)
	if !ok || refused.Kind != fetch.Status {
		return pause
	}
	switch refused.Status {
	case http.StatusGone:
		s.pauseFailing(src, model.SourcePausedReasonGone)
	case http.StatusTooManyRequests:
		pause = max(pause, min(time.Duration(src.IntervalMinutes)*time.Minute, maxBackoff))
	}
	return max(pause, fetch.RetryAfter(refused.Page.Header, s.now()))
}

// pauseFailing pauses a source that fails for a reason that only its owner can remove.
func (s *Service) pauseFailing(src *model.Source, reason model.SourcePausedReason) {
	now := s.now()
	src.PausedReason, src.PausedAt, src.NextPollAt, src.IsFailing = &reason, &now, nil, true
}

// sourceErrorOf returns the reason for a failed poll, as a sentence that says what to do.
func sourceErrorOf(failure error) *model.SourceError {
	if errors.Is(failure, errPollTime) {
		return &model.SourceError{Code: string(model.ProcessingErrorCodeTimeout), Retryable: true,
			Message: fmt.Sprintf("the source was not read within %d minutes; it is tried again", int(pollTime.Minutes()))}
	}
	if failed, ok := errors.AsType[*mailbox.Error](failure); ok {
		return &model.SourceError{Code: failed.Code(), Message: failed.Message(), Retryable: !isRefused(failure)}
	}
	if errs.Is(failure, errs.NotFound) {
		return &model.SourceError{Code: string(errs.NotFound), Message: errs.From(failure).Message}
	}
	reason := reasonOf(failure)
	out := &model.SourceError{Code: string(reason.Code), Message: reason.Message, Retryable: reason.Retryable}
	if reason.Code == model.ProcessingErrorCodeUnsupportedContent {
		out.Message += "; check the address, or preview it to find the feed that a page names"
	}
	refused, ok := errors.AsType[*fetch.Error](failure)
	if !ok || refused.Kind != fetch.Status {
		return out
	}
	switch refused.Status {
	case http.StatusGone:
		out.Message += "; the source is paused: delete it, or give it a new address and resume it"
	case http.StatusTooManyRequests:
		out.Message += "; it is polled less often until the site accepts that"
	case http.StatusNotFound:
		out.Message += "; check whether the site has moved its feed, and change the address"
	case http.StatusUnauthorized, http.StatusForbidden:
		out.Message += "; the site does not let this server read it"
	}
	return out
}

// takeWaiting makes documents of waiting entries, the oldest first, at most maxTaken. It returns why
// the rest waits, or nil.
func (s *Service) takeWaiting(ctx context.Context, src *model.Source) (*model.SourceError, error) {
	for range maxTaken {
		more, err := s.takeNext(ctx, src)
		if errs.Is(err, errs.BudgetExhausted) {
			return waitsForRuns(), nil
		}
		if err != nil || !more {
			return nil, err
		}
	}
	return nil, nil
}

// waitsForRuns says why new entries wait.
func waitsForRuns() *model.SourceError {
	return &model.SourceError{Code: string(errs.BudgetExhausted), Retryable: true,
		Message: "the workspace has no runs left: new entries wait and become documents when it has runs again"}
}

// takeNext makes a document of the next waiting entry, in one transaction with the entry's state. It
// reports whether there was one. It returns errs.BudgetExhausted if the workspace has no run left.
func (s *Service) takeNext(ctx context.Context, polled *model.Source) (more bool, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		src, err := s.lockLeased(ctx, tx, polled)
		if err != nil {
			return err
		}
		entry, err := nextWaiting(ctx, tx, src.ID)
		if err != nil || entry == nil {
			return err
		}
		more, entry.IsWaiting = true, false
		src.WaitingCount--
		request, ok := s.requestOf(src, entry)
		if ok {
			started, err := s.ingestTx(ctx, tx, request)
			if err != nil {
				return err
			}
			entry.DocumentID = &started.doc.ID
			if !started.duplicate {
				src.DocumentsCreated++
			}
		}
		if err := saveEntry(ctx, tx, entry); err != nil {
			return err
		}
		return saveSource(ctx, tx, src)
	})
	return more, err
}

// requestBy returns what all documents of a source have in common.
func (*Service) requestBy(src *model.Source) ingestRequest {
	visible := src.Visibility
	return ingestRequest{
		operation: opSource, workspaceID: src.WorkspaceID, userID: optional.ValueOr(src.CreatedByID, ""),
		declared: model.IngestContentTypeAuto, provenance: src.MediaProvenance, visibility: &visible,
		sourceID: &src.ID, tags: src.Tags,
	}
}

// requestOf returns the ingestion of an entry; ok is false if its address is none.
func (s *Service) requestOf(src *model.Source, entry *model.SourceEntry) (r ingestRequest, ok bool) {
	r = s.requestBy(src)
	r.sourceURL, r.published = entry.URL, entry.Published
	refusal, err := s.checkAddresses(r, "url")
	r.refusal = refusal
	return r, err == nil
}
