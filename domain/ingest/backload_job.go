package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
)

// JobBackload is the type of jobs that ingest many documents, and their queue.
const JobBackload = "backload"

const (
	// loadAtOnce is the number of documents that a backload ingests concurrently, so that other
	// jobs get workers.
	loadAtOnce = 8
	// lookEvery is the interval at which a backload polls its documents.
	lookEvery = 200 * time.Millisecond
	// backloadTime is the timeout of a run of a backload.
	backloadTime = 3 * time.Hour
	// maxSitemaps is the maximum number of sitemaps of a sitemap index that are read.
	maxSitemaps = 20
)

// loadedSource is the public result of an address.
type loadedSource struct {
	SourceURL  string                 `json:"source_url"`
	DocumentID string                 `json:"document_id,omitempty"`
	Status     string                 `json:"status"` // completed, duplicate, failed, new
	Error      *model.ProcessingError `json:"error,omitempty"`
	Warning    string                 `json:"warning,omitempty"` // what the document has not from the request
}

const (
	loadCompleted = "completed"
	loadDuplicate = "duplicate"
	loadFailed    = "failed"
	loadNew       = "new" // of a dry run
)

// backloadResult is a backload's public result, with documents in the order of their addresses.
type backloadResult struct {
	Total     int             `json:"total"`
	Completed int             `json:"completed"`
	Duplicate int             `json:"duplicate"`
	Failed    int             `json:"failed"`
	LeftOut   int             `json:"left_out,omitempty"` // entries of the feed after the newest 500
	DryRun    bool            `json:"dry_run,omitempty"`
	Documents []*loadedSource `json:"documents"`
}

func (s *Service) registerBackload() {
	s.jobs.Register(JobBackload, job.Kind{Queue: JobBackload, MaxRetries: 2, Timeout: backloadTime,
		Work: s.workBackload})
}

// backloadRun is a run of a backload.
type backloadRun struct {
	*Service
	run        *job.Run
	parameters backloadParameters
	out        backloadResult
	pending    map[string]*loadedSource // by document id
	scrapes    map[string]string        // their ingestion jobs, by document id
	former     map[string]bool          // documents older than the backload
}

// workBackload ingests the documents, a few concurrently, and waits for them. A repeated run finds
// the documents of the first run by their addresses.
func (s *Service) workBackload(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[backloadParameters](run.Job)
	if err != nil {
		return nil, err
	}
	l := &backloadRun{
		Service: s, run: run, parameters: in,
		pending: map[string]*loadedSource{}, scrapes: map[string]string{}, former: map[string]bool{},
	}
	from := &feedListing{entries: entriesOf(in.SourceURLs), unread: []*loadedSource{}}
	if in.FeedURL != "" {
		var err error
		if from, err = s.readListing(ctx, in); err != nil {
			return nil, asJobError(err)
		}
	}
	l.out.Total, l.out.Failed, l.out.LeftOut = len(from.entries)+len(from.unread), len(from.unread), from.more
	l.out.DryRun, l.out.Documents = in.DryRun, from.unread
	if in.DryRun {
		return l.out, l.previewAll(ctx, from.entries)
	}
	if err := l.loadAll(ctx, from.entries); err != nil {
		return nil, errors.Join(err, l.cancelLoads(ctx))
	}
	return l.out, nil
}

// entriesOf returns addresses as entries without dates.
func entriesOf(urls []string) []extract.FeedEntry {
	entries := make([]extract.FeedEntry, len(urls))
	for i, url := range urls {
		entries[i].URL = url
	}
	return entries
}

// previewAll records which entries would be read and which have a document, and creates nothing.
func (l *backloadRun) previewAll(ctx context.Context, entries []extract.FeedEntry) error {
	for _, entry := range entries {
		one := &loadedSource{SourceURL: entry.URL, Status: loadNew}
		l.out.Documents = append(l.out.Documents, one)
		if _, err := l.fetch.CheckURL(entry.URL); err != nil {
			l.recordFailure(one, refusalOf(err))
			continue
		}
		known, err := l.findDuplicate(ctx, l.db, ingestRequest{workspaceID: l.run.Job.WorkspaceID, sourceURL: entry.URL})
		if err != nil {
			return err
		}
		if known != nil && !isFailed(known) { // a failed one would be read again
			one.DocumentID, one.Status = known.ID, loadDuplicate
			l.out.Duplicate++
		}
	}
	return nil
}

// loadAll ingests each entry.
func (l *backloadRun) loadAll(ctx context.Context, entries []extract.FeedEntry) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for len(entries) > 0 || len(l.pending) > 0 {
		for len(entries) > 0 && len(l.pending) < loadAtOnce {
			if err := l.startLoad(ctx, entries[0]); err != nil {
				return err
			}
			entries = entries[1:]
		}
		if len(l.pending) > 0 {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-tick.C:
			}
			if err := l.pollDocuments(ctx); err != nil {
				return err
			}
		}
		done := len(l.out.Documents) - len(l.pending)
		if err := l.run.Progress(ctx, done*100/l.out.Total, fmt.Sprintf("%d of %d", done, l.out.Total)); err != nil {
			return err
		}
	}
	return nil
}

// startLoad starts the ingestion of an entry. It returns only database errors; other errors are
// part of the result.
func (l *backloadRun) startLoad(ctx context.Context, entry extract.FeedEntry) error {
	url := entry.URL
	one := &loadedSource{SourceURL: url}
	l.out.Documents = append(l.out.Documents, one)
	r := ingestRequest{
		operation: opBackload, workspaceID: l.run.Job.WorkspaceID, userID: optional.ValueOr(l.run.Job.UserID, ""),
		sourceURL: url, declared: model.IngestContentTypeAuto, provenance: l.parameters.MediaProvenance,
		visibility: l.parameters.Visibility, embargoedUntil: l.parameters.EmbargoedUntil, published: entry.Published,
	}
	if _, err := l.fetch.CheckURL(url); err != nil {
		l.recordFailure(one, refusalOf(err))
		return nil
	}
	started, err := l.Service.startIngestion(ctx, r)
	switch {
	case errs.Is(err, errs.BudgetExhausted):
		l.recordFailure(one, model.ProcessingError{Code: model.ProcessingErrorCode(errs.BudgetExhausted),
			Message: errs.From(err).Message, Retryable: true})
		return nil
	case err != nil:
		return err
	}
	doc := started.doc
	one.DocumentID, one.Warning = doc.ID, started.warning
	l.former[doc.ID] = started.duplicate && doc.CreatedAt.Before(l.run.Job.CreatedAt)
	if !l.recordStatus(one, doc) {
		l.pending[doc.ID] = one
		l.scrapes[doc.ID] = optional.ValueOr(doc.ScrapeJobID, "")
	} else if l.former[doc.ID] && one.Status == loadCompleted {
		one.Status = loadDuplicate
		l.out.Completed, l.out.Duplicate = l.out.Completed-1, l.out.Duplicate+1
	}
	return nil
}

// recordStatus records a document's final status and reports whether it has one.
func (l *backloadRun) recordStatus(one *loadedSource, doc *model.Document) bool {
	switch {
	case doc.ProcessingStatus == nil:
		one.Status = loadCompleted
		l.out.Completed++
	case isFailed(doc):
		l.recordFailure(one, optional.ValueOr(doc.ProcessingError,
			model.ProcessingError{Code: model.ProcessingErrorCodeInternal}))
	default:
		return false
	}
	return true
}

func (l *backloadRun) recordFailure(one *loadedSource, reason model.ProcessingError) {
	one.Status, one.Error = loadFailed, &reason
	l.out.Failed++
}

// pollDocuments reads the statuses of all pending documents with one statement.
func (l *backloadRun) pollDocuments(ctx context.Context) error {
	ids := make([]string, 0, len(l.pending))
	for id := range l.pending {
		ids = append(ids, id)
	}
	rows, err := l.documents.ByIDs(ctx, l.run.Job.WorkspaceID, ids, "id", "processing_status", "processing_error")
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, doc := range rows {
		there[doc.ID] = true
		if l.recordStatus(l.pending[doc.ID], doc) {
			delete(l.pending, doc.ID)
		}
	}
	for _, id := range ids {
		if !there[id] {
			l.recordFailure(l.pending[id], model.ProcessingError{Code: model.ProcessingErrorCodeCancelled,
				Message: "the document was deleted"})
			delete(l.pending, id)
		}
	}
	return nil
}

// cancelLoads cancels the pending ingestions that a canceled backload has started, not those that
// it waited for. Finished documents remain. A run that ends for another reason leaves the pending
// ones to the next run.
func (l *backloadRun) cancelLoads(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	workspace := l.run.Job.WorkspaceID
	now, err := l.jobs.Get(ctx, workspace, l.run.Job.ID, "status", "cancelled_by")
	if err != nil || now == nil || now.Status != model.JobStatusCancelled {
		return err
	}
	for id := range l.pending {
		load, err := l.jobs.Get(ctx, workspace, l.scrapes[id], "parent_id")
		if err != nil {
			return err
		}
		if load == nil || optional.ValueOr(load.ParentID, "") != l.run.Job.ID {
			continue
		}
		_, err = l.jobs.Cancel(ctx, workspace, l.scrapes[id], optional.ValueOr(now.CancelledBy, ""),
			"the backload was cancelled")
		if err != nil && !errs.Is(err, errs.InvalidState) && !errs.Is(err, errs.NotFound) {
			return err
		}
	}
	return nil
}

// feedListing holds a feed's newest entries, the number of further entries, and the sitemaps that
// could not be read.
type feedListing struct {
	entries []extract.FeedEntry
	more    int
	unread  []*loadedSource
}

func (s *Service) readListing(ctx context.Context, in backloadParameters) (*feedListing, error) {
	out := &feedListing{unread: []*loadedSource{}}
	entries, err := s.readEntries(ctx, in.FeedURL, out)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, e := range entries {
		key := keyOf(e.URL)
		if seen[key] || in.Since != nil && !e.At.IsZero() && e.At.Before(*in.Since) {
			continue
		}
		seen[key] = true
		if len(out.entries) == maxSources {
			out.more++
			continue
		}
		out.entries = append(out.entries, e)
	}
	return out, nil
}

// readEntries reads a feed, a sitemap, or the first sitemaps of a sitemap index. A sitemap of the
// index that cannot be read fails alone; it returns an error if all fail.
func (s *Service) readEntries(ctx context.Context, address string, out *feedListing) (all []extract.FeedEntry,
	err error) {
	source, err := s.fetchSource(ctx, address, model.IngestContentTypeAuto)
	if err != nil {
		return nil, err
	}
	listed, err := extract.ParseFeed(source)
	if err != nil {
		return nil, err
	}
	return s.readAllEntries(ctx, listed, out)
}

// readAllEntries returns the entries of a listing with those of its first sitemaps.
func (s *Service) readAllEntries(ctx context.Context, listed *extract.Listing, out *feedListing) (
	all []extract.FeedEntry, err error) {
	files := listed.Sitemaps[:min(len(listed.Sitemaps), maxSitemaps)]
	all = listed.Entries
	var failure error
	for _, file := range files {
		entries, err := s.readSitemap(ctx, file)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			reason := refusalOf(err)
			failure, out.unread = err, append(out.unread,
				&loadedSource{SourceURL: file, Status: loadFailed, Error: &reason})
		}
		all = append(all, entries...)
	}
	if failure != nil && len(out.unread) == len(files) {
		return nil, failure
	}
	extract.SortNewestFirst(all)
	return all, nil
}

// readSitemap returns the pages of a sitemap; a sitemap index within an index has none.
func (s *Service) readSitemap(ctx context.Context, address string) ([]extract.FeedEntry, error) {
	source, err := s.fetchSource(ctx, address, model.IngestContentTypeAuto)
	if err != nil {
		return nil, err
	}
	listed, err := extract.ParseFeed(source)
	if err != nil {
		return nil, err
	}
	return listed.Entries, nil
}
