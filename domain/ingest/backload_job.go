package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// BackloadJob names the jobs that make many documents, and their queue.
const BackloadJob = "backload"

const (
	// loadAtOnce is how many documents of one backload are being made at once, so that it leaves workers to others.
	loadAtOnce = 8
	// lookEvery is how often a backload looks which of them are done.
	lookEvery = 200 * time.Millisecond
	// backloadTime bounds one run of a backload.
	backloadTime = 3 * time.Hour
	// maxSitemaps is how many files of an index of sitemaps are read.
	maxSitemaps = 20
)

// loaded is what became of one address, as callers see it in the job's result.
type loaded struct {
	SourceURL  string                 `json:"source_url"`
	DocumentID string                 `json:"document_id,omitempty"`
	Status     string                 `json:"status"` // completed, duplicate, failed
	Error      *model.ProcessingError `json:"error,omitempty"`
}

const (
	loadCompleted = "completed"
	loadDuplicate = "duplicate"
	loadFailed    = "failed"
)

// backloaded is a backload's result, as callers see it; the documents stand in the order of their addresses.
type backloaded struct {
	Total     int       `json:"total"`
	Completed int       `json:"completed"`
	Duplicate int       `json:"duplicate"`
	Failed    int       `json:"failed"`
	LeftOut   int       `json:"left_out,omitempty"` // entries of the feed beyond the newest 500
	Documents []*loaded `json:"documents"`
}

func (s *Service) registerBackload() {
	s.jobs.Register(BackloadJob, job.Kind{Queue: BackloadJob, MaxRetries: 2, Timeout: backloadTime, Work: s.workBackload})
}

// load is one run of a backload.
type load struct {
	*Service
	run        *job.Run
	provenance *model.MediaProvenance
	out        backloaded
	making     map[string]*loaded // by document
	scrapes    map[string]string  // the jobs that make them, by document
	former     map[string]bool    // documents that were there before the backload
}

// workBackload makes the documents, a few at once, and waits for them. A second run finds those of the first by their addresses.
func (s *Service) workBackload(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[backloadParameters](run.Job)
	if err != nil {
		return nil, err
	}
	l := &load{
		Service: s, run: run, provenance: in.MediaProvenance,
		making: map[string]*loaded{}, scrapes: map[string]string{}, former: map[string]bool{},
	}
	from := &listing{urls: in.SourceURLs, unread: []*loaded{}}
	if in.FeedURL != "" {
		var err error
		if from, err = s.listed(ctx, in); err != nil {
			return nil, asJobError(err)
		}
	}
	l.out.Total, l.out.Failed, l.out.LeftOut = len(from.urls)+len(from.unread), len(from.unread), from.more
	l.out.Documents = from.unread
	if err := l.all(ctx, from.urls); err != nil {
		return nil, errors.Join(err, l.abandon(ctx))
	}
	return l.out, nil
}

// all makes a document of each address.
func (l *load) all(ctx context.Context, urls []string) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for len(urls) > 0 || len(l.making) > 0 {
		for len(urls) > 0 && len(l.making) < loadAtOnce {
			if err := l.begin(ctx, urls[0]); err != nil {
				return err
			}
			urls = urls[1:]
		}
		if len(l.making) > 0 {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-tick.C:
			}
			if err := l.look(ctx); err != nil {
				return err
			}
		}
		done := len(l.out.Documents) - len(l.making)
		if err := l.run.Progress(ctx, done*100/l.out.Total, fmt.Sprintf("%d of %d", done, l.out.Total)); err != nil {
			return err
		}
	}
	return nil
}

// begin has the document of one address made; only a failure of the database is an error.
func (l *load) begin(ctx context.Context, url string) error {
	one := &loaded{SourceURL: url}
	l.out.Documents = append(l.out.Documents, one)
	r := request{
		operation: opBackload, workspaceID: l.run.Job.WorkspaceID, userID: model.ValueOr(l.run.Job.UserID, ""),
		sourceURL: url, declared: model.IngestContentTypeAuto, provenance: l.provenance,
	}
	if _, err := l.fetch.CheckURL(url); err != nil {
		l.fail(one, refusalOf(err))
		return nil
	}
	doc, duplicate, err := l.Service.begin(ctx, r)
	switch {
	case errs.Is(err, errs.BudgetExhausted):
		l.fail(one, model.ProcessingError{Code: model.ProcessingErrorCode(errs.BudgetExhausted), Message: errs.From(err).Message, Retryable: true})
		return nil
	case err != nil:
		return err
	}
	one.DocumentID = doc.ID
	l.former[doc.ID] = duplicate && doc.CreatedAt.Before(l.run.Job.CreatedAt)
	if !l.ended(one, doc) {
		l.making[doc.ID] = one
		l.scrapes[doc.ID] = model.ValueOr(doc.ScrapeJobID, "")
	} else if l.former[doc.ID] && one.Status == loadCompleted {
		one.Status = loadDuplicate
		l.out.Completed, l.out.Duplicate = l.out.Completed-1, l.out.Duplicate+1
	}
	return nil
}

// ended notes what became of a document, and reports whether anything has.
func (l *load) ended(one *loaded, doc *model.Document) bool {
	switch {
	case doc.ProcessingStatus == nil:
		one.Status = loadCompleted
		l.out.Completed++
	case failed(doc):
		l.fail(one, model.ValueOr(doc.ProcessingError, model.ProcessingError{Code: model.ProcessingErrorCodeInternal}))
	default:
		return false
	}
	return true
}

func (l *load) fail(one *loaded, reason model.ProcessingError) {
	one.Status, one.Error = loadFailed, &reason
	l.out.Failed++
}

// look reads with one statement how the documents that are being made stand.
func (l *load) look(ctx context.Context) error {
	ids := make([]string, 0, len(l.making))
	for id := range l.making {
		ids = append(ids, id)
	}
	var rows []*model.Document
	err := l.db.NewSelect().Model(&rows).Column("id", "processing_status", "processing_error").
		Where("workspace_id = ? AND id IN ?", l.run.Job.WorkspaceID, bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	there := map[string]bool{}
	for _, doc := range rows {
		there[doc.ID] = true
		if l.ended(l.making[doc.ID], doc) {
			delete(l.making, doc.ID)
		}
	}
	for _, id := range ids {
		if !there[id] {
			l.fail(l.making[id], model.ProcessingError{Code: model.ProcessingErrorCodeCancelled, Message: "the document was deleted"})
			delete(l.making, id)
		}
	}
	return nil
}

// abandon stops what a cancelled backload has begun and not ended. What was made stays; a run that ends for another reason leaves all to
// the next one.
func (l *load) abandon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	workspace := l.run.Job.WorkspaceID
	now, err := l.jobs.Get(ctx, workspace, l.run.Job.ID, "status", "cancelled_by")
	if err != nil || now == nil || now.Status != model.JobStatusCancelled {
		return err
	}
	for id := range l.making {
		_, err := l.jobs.Cancel(ctx, workspace, l.scrapes[id], model.ValueOr(now.CancelledBy, ""), "the backload was cancelled")
		if err != nil && !errs.Is(err, errs.InvalidState) && !errs.Is(err, errs.NotFound) {
			return err
		}
	}
	return nil
}

// listing is what a feed has: the addresses of its newest entries, how many more there are, and the files of an index that could not be read.
type listing struct {
	urls   []string
	more   int
	unread []*loaded
}

func (s *Service) listed(ctx context.Context, in backloadParameters) (*listing, error) {
	out := &listing{unread: []*loaded{}}
	entries, err := s.entries(ctx, in.FeedURL, out)
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
		if len(out.urls) == maxSources {
			out.more++
			continue
		}
		out.urls = append(out.urls, e.URL)
	}
	return out, nil
}

// entries reads a feed or a sitemap, and the first files of an index of sitemaps. A file of the index that cannot be read fails alone, unless none can.
func (s *Service) entries(ctx context.Context, address string, out *listing) (all []extract.Entry, err error) {
	all, files, err := s.feed(ctx, address)
	if err != nil {
		return nil, err
	}
	files = files[:min(len(files), maxSitemaps)]
	var failure error
	for _, file := range files {
		entries, _, err := s.feed(ctx, file)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			reason := refusalOf(err)
			failure, out.unread = err, append(out.unread, &loaded{SourceURL: file, Status: loadFailed, Error: &reason})
		}
		all = append(all, entries...)
	}
	if failure != nil && len(out.unread) == len(files) {
		return nil, failure
	}
	extract.NewestFirst(all)
	return all, nil
}

// feed reads one file: its entries, and the files that it lists if it is an index.
func (s *Service) feed(ctx context.Context, address string) ([]extract.Entry, []string, error) {
	source, err := s.get(ctx, address, model.IngestContentTypeAuto)
	if err != nil {
		return nil, nil, err
	}
	return extract.Feed(source)
}
