package ingest

import (
	"context"
	"errors"
	"time"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/model"
)

func (s *Service) register() {
	s.jobs.Register(JobType, job.Kind{
		Queue:      JobType,
		MaxRetries: 2,
		Backoff:    func(attempt int) time.Duration { return time.Duration(attempt*attempt) * 2 * time.Second },
		Timeout:    5 * time.Minute,
		StandBack:  s.standBack,
		Work:       s.work,
		OnEnd:      s.ended,
		OnRetry:    s.retried,
	})
	s.registerBackload()
}

// outcome is a job's result, as callers see it.
type outcome struct {
	DocumentID     string `json:"document_id"`
	Title          string `json:"title"`
	ContentType    string `json:"content_type"`
	WordCount      int    `json:"word_count"`
	CharacterCount int    `json:"character_count"`
	AutoTagsError  string `json:"auto_tags_error,omitempty"` // why it was not looked through for auto-tags
}

// work takes a document from fetching through enhancing to done. It may run any number of times: every step sets what it
// finds, and a document that another job has taken over meanwhile is left alone.
func (s *Service) work(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[parameters](run.Job)
	if err != nil {
		return nil, err
	}
	doc, err := s.amend(ctx, run, in.DocumentID, func(doc *model.Document) error {
		if !in.Supplied {
			fetching(doc, run.Job.ID)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var meta extract.Meta
	if !in.Supplied {
		if doc, meta, err = s.fill(ctx, run, in); err != nil {
			return nil, err
		}
	}
	return s.enhance(ctx, run, doc, meta)
}

// fill fetches the source and gives the document its text; nothing of the document changes before the text is at hand.
func (s *Service) fill(ctx context.Context, run *job.Run, in parameters) (*model.Document, extract.Meta, error) {
	if err := run.Progress(ctx, 5, "fetching the source"); err != nil {
		return nil, extract.Meta{}, err
	}
	text, url, err := s.read(ctx, run, in)
	if err != nil {
		return nil, extract.Meta{}, asJobError(err)
	}
	doc, err := s.amend(ctx, run, in.DocumentID, func(doc *model.Document) error {
		status := model.ProcessingStatusEnhancing
		doc.ProcessingStatus, doc.URL = &status, &url
		describe(doc, text)
		return nil
	})
	if err != nil {
		return nil, extract.Meta{}, err
	}
	return doc, text.Meta, run.Progress(ctx, 70, "looking for who, what and when")
}

// standBack leaves a worker to others while the source's host has no turn: many pages of one host are no reason for those of another to wait.
func (s *Service) standBack(of *model.Job, again bool) time.Duration {
	in, err := job.Parameters[parameters](of)
	if err != nil || in.Supplied {
		return 0
	}
	return s.fetch.StandBack(in.address(), again)
}

// read gives the text of the source and the address that it came from.
func (s *Service) read(ctx context.Context, run *job.Run, in parameters) (*extract.Result, string, error) {
	address := in.address()
	source := extract.Source{URL: address, Declared: in.ContentType}
	if !extract.IsYouTube(address) {
		var err error
		if source, err = s.get(ctx, address, in.ContentType); err != nil {
			return nil, "", err
		}
	}
	if err := run.Progress(ctx, 40, "reading the text"); err != nil {
		return nil, "", err
	}
	text, err := s.extract.Text(ctx, source)
	return text, source.URL, err
}

func (s *Service) get(ctx context.Context, address string, declared model.IngestContentType) (extract.Source, error) {
	response, err := s.fetch.Get(ctx, address)
	if err != nil {
		return extract.Source{}, s.explained(ctx, err)
	}
	return sourceOf(response, declared), nil
}

func sourceOf(r *fetch.Response, declared model.IngestContentType) extract.Source {
	return extract.Source{Body: r.Body, URL: r.URL.String(), MediaType: r.Header.Get("Content-Type"), Declared: declared}
}

// explained looks into an error page for the reason behind its status: a captcha says more than a 403.
func (s *Service) explained(ctx context.Context, err error) error {
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

// amend changes the job's document as long as the job holds its lease and the document is still this job's.
func (s *Service) amend(ctx context.Context, run *job.Run, id string, change func(*model.Document) error) (*model.Document, error) {
	return s.amendAfter(ctx, run, id, nil, change)
}

// amendAfter does something else first in the same transaction, before the document is locked.
func (s *Service) amendAfter(
	ctx context.Context, run *job.Run, id string, first func(context.Context, dbx.Tx) error, change func(*model.Document) error,
) (*model.Document, error) {
	var doc *model.Document
	err := run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if first != nil {
			if err := first(ctx, tx); err != nil {
				return err
			}
		}
		doc, err = s.documents.Amend(ctx, tx, model.DocumentEventKindStatus, run.Job.WorkspaceID, id, func(doc *model.Document) error {
			if doc.ScrapeJobID == nil || *doc.ScrapeJobID != run.Job.ID {
				return errs.New(errs.InvalidState, "the document is being made by another job")
			}
			return change(doc)
		})
		return err
	})
	if errs.Is(err, errs.NotFound) {
		return nil, job.Permanent(errs.Wrap(err, errs.NotFound, "the document was deleted"))
	}
	return doc, err
}

// ended settles the job's run and makes the document of a job that failed or was cancelled say so, in the transaction that ends
// the job. The text that it may have from before stays.
func (s *Service) ended(ctx context.Context, tx dbx.Tx, ended *model.Job, cause error) error {
	if err := s.settled(ctx, tx, ended); err != nil {
		return err
	}
	if ended.Status == model.JobStatusCompleted || ended.DocumentID == nil {
		return nil
	}
	reason := reasonOf(cause)
	if ended.Status == model.JobStatusCancelled {
		reason = model.ProcessingError{
			Code: model.ProcessingErrorCodeCancelled, Message: "the ingestion was cancelled; retry it to go on", Retryable: true,
		}
	}
	_, err := s.documents.Amend(ctx, tx, model.DocumentEventKindStatus, ended.WorkspaceID, *ended.DocumentID, func(doc *model.Document) error {
		if doc.ScrapeJobID != nil && *doc.ScrapeJobID == ended.ID {
			fail(doc, reason)
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
