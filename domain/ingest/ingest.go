// Package ingest makes documents out of addresses and files: a placeholder at once, the text by a job.
package ingest

import (
	"cmp"
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/model"
)

// Documents is what the room needs of the documents' room.
type Documents interface {
	Insert(ctx context.Context, tx dbx.Tx, doc *model.Document) error
	Amend(
		ctx context.Context, tx dbx.Tx, kind model.DocumentEventKind, workspaceID, id string, change func(*model.Document) error,
	) (*model.Document, error)
}

// Runs is what the room needs of the workspace's run budget: a job's run is reserved when it is queued and settled when it ends.
type Runs interface {
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	Commit(ctx context.Context, tx dbx.Tx, jobID string) error
	Return(ctx context.Context, tx dbx.Tx, jobID string) error
	TellBudget(ctx context.Context, workspaceID string) error
}

// Tags is what the room needs of the auto-tags' room: what a text is about is found outside a transaction and kept inside the one
// that ends the ingestion, before it locks the document.
type Tags interface {
	Wanted(ctx context.Context, db bun.IDB, workspaceID string) (bool, error)
	Find(ctx context.Context, doc *model.Document) (keep func(context.Context, dbx.Tx) error, err error)
}

// Service is the room's door.
type Service struct {
	db        *dbx.DB
	jobs      *job.Service
	documents Documents
	runs      Runs
	tags      Tags
	fetch     *fetch.Client
	extract   *extract.Extractor
}

// JobType names the room's jobs.
const JobType = "ingest"

// New makes the room and registers its jobs.
func New(
	db *dbx.DB, jobs *job.Service, documents Documents, runs Runs, tags Tags, client *fetch.Client, extractor *extract.Extractor,
) *Service {
	s := &Service{db: db, jobs: jobs, documents: documents, runs: runs, tags: tags, fetch: client, extract: extractor}
	s.register()
	return s
}

// parameters are a job's input, as callers see it.
type parameters struct {
	DocumentID  string                  `json:"document_id"`
	SourceURL   string                  `json:"source_url,omitempty"`
	AudioURL    string                  `json:"audio_url,omitempty"`
	ContentType model.IngestContentType `json:"content_type,omitempty"`
	Supplied    bool                    `json:"supplied,omitempty"` // the text came from the client and nothing is fetched
}

// address is what is fetched.
func (p parameters) address() string { return cmp.Or(p.AudioURL, p.SourceURL) }

// request is an address to make a document of, checked and with its defaults.
type request struct {
	operation           string // the graph's field that asked
	workspaceID, userID string
	sourceURL, audioURL string
	declared            model.IngestContentType
	provenance          *model.MediaProvenance
	force               bool
	refusal             *model.ProcessingError // why the fetch cannot be started
}

// Ingest makes a placeholder of an address and queues the job that fills it in. An address that cannot be fetched at all still
// becomes a document, in status failed; only an address that is none is refused, naming the field. An estimate stores, queues
// and charges nothing, and answers what the rest would cost. It fails with budget_exhausted when the run of a new job is not left.
func (s *Service) Ingest(ctx context.Context, in model.IngestDocumentInput, estimate bool) (*model.IngestDocumentPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	r := request{
		operation: opIngest, workspaceID: p.WorkspaceID, userID: p.UserID, sourceURL: in.SourceURL, declared: model.IngestContentTypeAuto,
		provenance: in.MediaProvenance.Value(), force: model.ValueOr(in.Force.Value(), false),
		audioURL: model.ValueOr(in.AudioURL.Value(), ""),
	}
	r.declared = model.ValueOr(in.ContentType.Value(), r.declared)
	if r.refusal, err = s.check(r, "sourceUrl"); err != nil {
		return nil, err
	}
	if estimate {
		costs, err := s.estimate(ctx, r)
		return &model.IngestDocumentPayload{Estimate: costs}, err
	}
	doc, duplicate, err := s.begin(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("ingest document: %w", err)
	}
	return payload(doc, duplicate, r.refusal), nil
}

// check tells a bad address, which is the caller's error, from one that must not or cannot be fetched.
func (s *Service) check(r request, field string) (*model.ProcessingError, error) {
	var bad []errs.Field
	var refusal *model.ProcessingError
	for _, address := range []struct{ field, url string }{{field, r.sourceURL}, {"audioUrl", r.audioURL}} {
		if address.url == "" && address.field != field {
			continue
		}
		_, err := s.fetch.CheckURL(address.url)
		if isBadURL(err) {
			bad = append(bad, errs.BodyField("bad_url", "must be an http or https address without user name and password", address.field))
		} else if err != nil {
			reason := reasonOf(err)
			refusal = &reason
		}
	}
	if len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	return refusal, nil
}

// begin stores the placeholder and its job together, unless the workspace has a document of the address already.
func (s *Service) begin(ctx context.Context, r request) (doc *model.Document, duplicate bool, err error) {
	if err := s.runs.TellBudget(ctx, r.workspaceID); err != nil {
		return nil, false, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		known, err := s.known(ctx, tx, r)
		switch {
		case err != nil:
			return err
		case known == nil:
			doc = placeholder(r)
			return s.place(ctx, tx, doc, r)
		case failed(known) && r.refusal == nil:
			duplicate = true
			doc, err = s.restart(ctx, tx, known, r)
			return err
		}
		doc, duplicate = known, true
		return nil
	})
	return doc, duplicate, err
}

// place stores a new document and, unless its fetch is refused, queues its job.
func (s *Service) place(ctx context.Context, tx dbx.Tx, doc *model.Document, r request) error {
	if r.refusal == nil {
		started, err := s.enqueue(ctx, tx, doc, r)
		if err != nil {
			return err
		}
		doc.ScrapeJobID = &started.ID
	}
	return s.documents.Insert(ctx, tx, doc)
}

// restart tries a failed document of the same address again instead of making a second one.
func (s *Service) restart(ctx context.Context, tx dbx.Tx, known *model.Document, r request) (*model.Document, error) {
	started, err := s.enqueue(ctx, tx, known, r)
	if err != nil {
		return nil, err
	}
	return s.documents.Amend(ctx, tx, model.DocumentEventKindStatus, known.WorkspaceID, known.ID, func(doc *model.Document) error {
		fetching(doc, started.ID)
		return nil
	})
}

func (s *Service) enqueue(ctx context.Context, tx dbx.Tx, doc *model.Document, r request) (*model.Job, error) {
	return s.start(ctx, tx, r.operation, doc.WorkspaceID, r.userID, parameters{
		DocumentID: doc.ID, SourceURL: r.sourceURL, AudioURL: r.audioURL, ContentType: r.declared,
	})
}

func placeholder(r request) *model.Document {
	now, zero := model.Now(), 0
	status := model.ProcessingStatusFetching
	doc := &model.Document{
		ID: model.NewID(model.DocumentPrefix), WorkspaceID: r.workspaceID, Title: r.sourceURL, SourceURL: &r.sourceURL,
		MediaProvenance: r.provenance, ProcessingStatus: &status, Tags: []string{}, WordCount: &zero, CharacterCount: &zero,
		CreatedAt: now, UpdatedAt: now,
	}
	if canonical := extract.Canonical(r.sourceURL); canonical != "" {
		doc.CanonicalURL = &canonical
	}
	if r.declared != model.IngestContentTypeAuto {
		kind := string(r.declared)
		doc.ContentType = &kind
	}
	if r.refusal != nil {
		fail(doc, *r.refusal)
	}
	return doc
}

func fetching(doc *model.Document, jobID string) {
	status := model.ProcessingStatusFetching
	doc.ProcessingStatus, doc.ProcessingError, doc.ScrapeJobID = &status, nil, &jobID
}

func fail(doc *model.Document, reason model.ProcessingError) {
	status := model.ProcessingStatusFailed
	doc.ProcessingStatus, doc.ProcessingError = &status, &reason
}

func failed(doc *model.Document) bool {
	return doc.ProcessingStatus != nil && *doc.ProcessingStatus == model.ProcessingStatusFailed
}

func payload(doc *model.Document, duplicate bool, refusal *model.ProcessingError) *model.IngestDocumentPayload {
	out := &model.IngestDocumentPayload{
		DocumentID: doc.ID, Title: doc.Title, CharacterCount: model.ValueOr(doc.CharacterCount, 0), WordCount: model.ValueOr(doc.WordCount, 0),
		Message: "Document ingested successfully", ProcessingStatus: doc.ProcessingStatus, ScrapeJobID: doc.ScrapeJobID,
		SourceURL: doc.SourceURL, Success: true, URL: doc.URL, Duplicate: duplicate,
	}
	if duplicate {
		out.Message = "The workspace already has a document of this address"
	}
	if refusal != nil {
		out.Error, out.Success, out.Message = &refusal.Message, false, "The fetch could not be started"
	}
	return out
}
