package ingest

import (
	"context"
	"errors"
	"time"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
)

func (s *Service) registerIngestJobs() {
	s.metered.Register(JobIngest, job.MeteredKind{
		Kind: job.Kind{
			Queue: JobIngest, MaxRetries: 2, Backoff: job.QuadraticBackoff, Timeout: 5 * time.Minute,
			Snooze: s.snoozeIngest, Work: s.workIngest, OnEnd: s.endIngest,
		},
		RetryRuns: s.retryRuns,
	})
	s.registerBackload()
}

// ingestResult is a job's public result.
type ingestResult struct {
	DocumentID     string `json:"document_id"`
	Title          string `json:"title"`
	ContentType    string `json:"content_type"`
	WordCount      int    `json:"word_count"`
	CharacterCount int    `json:"character_count"`
	AutoTagsError  string `json:"auto_tags_error,omitempty"` // the error that prevented auto-tags
}

// workIngest fetches, enhances and completes a document. It is idempotent: every step sets its
// fields, and it returns an error if another job has taken over the document.
func (s *Service) workIngest(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[jobParameters](run.Job)
	if err != nil {
		return nil, err
	}
	doc, err := s.claimDocument(ctx, run, in)
	if err != nil {
		return nil, err
	}
	var meta extract.Meta
	if !in.Supplied {
		if doc, meta, err = s.fillDocument(ctx, run, in); err != nil {
			return nil, err
		}
	}
	return s.enhanceDocument(ctx, run, doc, meta)
}

// claimDocument marks the document as fetched by this job, and returns it if the client supplied
// the text. A new document is marked with its insertion, so that its first run writes nothing.
func (s *Service) claimDocument(ctx context.Context, run *job.Run, in jobParameters) (*model.Document, error) {
	if !in.Supplied {
		found, err := s.documents.ByIDs(ctx, run.Job.WorkspaceID, []string{in.DocumentID}, "processing_status",
			"scrape_job_id")
		if err != nil {
			return nil, err
		}
		if len(found) == 1 && isFetching(found[0], run.Job.ID) {
			return nil, nil
		}
	}
	return s.amendDocument(ctx, run, in.DocumentID, func(doc *model.Document) error {
		if !in.Supplied {
			markFetching(doc, run.Job.ID)
		}
		return nil
	})
}

// fillDocument fetches the source and sets the document's text. It does not change the document
// before the text is complete.
func (s *Service) fillDocument(ctx context.Context, run *job.Run, in jobParameters) (*model.Document, extract.Meta,
	error) {
	if err := run.Progress(ctx, 5, "fetching the source"); err != nil {
		return nil, extract.Meta{}, err
	}
	text, source, err := s.readSource(ctx, run, in)
	if err != nil {
		return nil, extract.Meta{}, asJobError(err)
	}
	original, err := s.keepSource(ctx, run, in, source)
	if err != nil {
		return nil, extract.Meta{}, asJobError(err)
	}
	report := func(ctx context.Context, _ dbx.Tx) error {
		return run.Progress(ctx, 70, "finding company, executive and date")
	}
	doc, err := s.amendAfter(ctx, run, in.DocumentID, report, func(doc *model.Document) error {
		status := model.ProcessingStatusEnhancing
		doc.ProcessingStatus, doc.URL = &status, optional.NonEmpty(source.URL)
		if original != nil {
			doc.Original = original
		}
		applyResult(doc, text, s.db.Now())
		return nil
	})
	if err != nil {
		s.documents.DiscardOriginal(ctx, original, err)
	}
	return doc, text.Meta, err
}

// keepSource stores what was fetched as the document's original. It returns nil for an uploaded
// file, which is stored already, and for a video, of which only captions are read.
func (s *Service) keepSource(ctx context.Context, run *job.Run, in jobParameters,
	source extract.Source) (*model.DocumentOriginal, error) {
	if in.Filename != "" || len(source.Body) == 0 {
		return nil, nil
	}
	media, extension := extract.MediaOf(source)
	return s.documents.StoreOriginal(ctx, run.Job.WorkspaceID, in.DocumentID, model.OriginalFile{
		Name: extract.FetchedName(source.URL, extension), MediaType: media, Body: source.Body,
	})
}

// snoozeIngest returns how long to postpone the job because the source's host is at its limit; 0
// runs it now. Pages of other hosts do not wait for it.
func (s *Service) snoozeIngest(of *model.Job, again bool) time.Duration {
	in, err := job.Parameters[jobParameters](of)
	if err != nil || in.Supplied || in.Filename != "" {
		return 0
	}
	return s.fetch.Snooze(in.fetchURL(), again)
}

// readSource returns the text of the source, and the source with its address after redirects.
func (s *Service) readSource(ctx context.Context, run *job.Run, in jobParameters) (*extract.Result, extract.Source,
	error) {
	source, err := s.openSource(ctx, run, in)
	if err != nil {
		return nil, source, err
	}
	if err := run.Progress(ctx, 40, "reading the text"); err != nil {
		return nil, source, err
	}
	text, err := s.extract.Text(ctx, source)
	return text, source, err
}

// openSource returns the source with its bytes: the stored original, or what is fetched from the
// address.
func (s *Service) openSource(ctx context.Context, run *job.Run, in jobParameters) (extract.Source, error) {
	address := in.fetchURL()
	switch {
	case in.Filename != "":
		file, err := s.documents.ReadOriginal(ctx, run.Job.WorkspaceID, in.DocumentID)
		if err != nil {
			return extract.Source{}, err
		}
		return extract.Source{Body: file.Body, Filename: file.Name}, nil
	case extract.IsYouTube(address):
		return extract.Source{URL: address, Declared: in.ContentType}, nil
	}
	return s.fetchSource(ctx, address, in.ContentType)
}

func (s *Service) fetchSource(ctx context.Context, address string, declared model.IngestContentType) (extract.Source,
	error) {
	response, err := s.fetch.Get(ctx, address)
	if err != nil {
		return extract.Source{}, s.explainFailure(ctx, err)
	}
	return sourceOf(response, declared), nil
}

func sourceOf(r *fetch.Response, declared model.IngestContentType) extract.Source {
	return extract.Source{Body: r.Body, URL: r.URL.String(), MediaType: r.Header.Get("Content-Type"),
		Declared: declared}
}

// explainFailure looks in an error page for the cause of its status, such as a captcha.
func (s *Service) explainFailure(ctx context.Context, err error) error {
	failure, ok := errors.AsType[*fetch.Error](err)
	if !ok || failure.Page == nil {
		return err
	}
	_, reading := s.extract.Text(ctx, sourceOf(failure.Page, model.IngestContentTypeAuto))
	why, ok := errors.AsType[*extract.Failure](reading)
	if !ok {
		return err
	}
	switch why.Code {
	case model.ProcessingErrorCodeCaptcha, model.ProcessingErrorCodeLoginWall, model.ProcessingErrorCodePaywall,
		model.ProcessingErrorCodeConsentWall:
		return why
	}
	return err
}

// amendDocument changes the job's document if the job holds its lease and the document still
// belongs to this job. It returns errs.InvalidState otherwise.
func (s *Service) amendDocument(ctx context.Context, run *job.Run, id string,
	change func(*model.Document) error) (*model.Document, error) {
	return s.amendAfter(ctx, run, id, nil, change)
}

// amendAfter is amendDocument after another step in the same transaction, before the document is
// locked.
func (s *Service) amendAfter(
	ctx context.Context, run *job.Run, id string, first func(context.Context, dbx.Tx) error,
	change func(*model.Document) error,
) (*model.Document, error) {
	var doc *model.Document
	err := run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		doc, err = s.amendHeld(ctx, tx, run, id, first, change)
		return err
	})
	return doc, err
}

// amendHeld is amendAfter in a transaction that has verified the lease.
func (s *Service) amendHeld(
	ctx context.Context, tx dbx.Tx, run *job.Run, id string, first func(context.Context, dbx.Tx) error,
	change func(*model.Document) error,
) (*model.Document, error) {
	if first != nil {
		if err := first(ctx, tx); err != nil {
			return nil, err
		}
	}
	doc, err := s.documents.Amend(ctx, tx, run.Job.WorkspaceID, id, func(doc *model.Document) error {
		if doc.ScrapeJobID == nil || *doc.ScrapeJobID != run.Job.ID {
			return errs.New(errs.InvalidState, "the document is being made by another job")
		}
		return change(doc)
	})
	if errs.Is(err, errs.NotFound) {
		return nil, job.Permanent(errs.Wrap(err, errs.NotFound, "the document was deleted"))
	}
	return doc, err
}

// endIngest sets the document of a failed or canceled job to failed, in the transaction that ends
// the job. An earlier text remains.
func (s *Service) endIngest(ctx context.Context, tx dbx.Tx, ended *model.Job, cause error) error {
	if ended.Status == model.JobStatusCompleted || ended.DocumentID == nil {
		return nil
	}
	reason := reasonOf(cause)
	if ended.Status == model.JobStatusCancelled {
		reason = model.ProcessingError{
			Code: model.ProcessingErrorCodeCancelled, Message: "the ingestion was cancelled; retry it to go on",
			Retryable: true,
		}
	}
	_, err := s.documents.Amend(ctx, tx, ended.WorkspaceID, *ended.DocumentID, func(doc *model.Document) error {
		if doc.ScrapeJobID != nil && *doc.ScrapeJobID == ended.ID {
			markFailed(doc, reason)
		}
		return nil
	})
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

func isContextEnd(err error) bool {
	return errors.Is(err, context.Canceled)
}
