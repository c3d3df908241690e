package ingest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/principal"
	"rostrum/platform/seal"
)

// Documents stores and finds documents. The document package implements it.
type Documents interface {
	Insert(ctx context.Context, tx dbx.Tx, doc *model.Document) error
	Amend(
		ctx context.Context, tx dbx.Tx, workspaceID, id string, change func(*model.Document) error,
	) (*model.Document, error)
	// ByIDs returns the named columns of the workspace's documents in no order. Unknown ids are
	// omitted.
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error)
	// FindByURL returns the workspace's oldest document with the canonical URL, without its text,
	// or nil if there is none.
	FindByURL(ctx context.Context, db dbx.Reader, workspaceID, canonicalURL string) (*model.Document, error)
	// FindLatestByURL returns the newest of these documents.
	FindLatestByURL(ctx context.Context, db dbx.Reader, workspaceID, canonicalURL string) (*model.Document, error)
	// StoreOriginal stores the file that a document is read from, before the transaction that sets
	// the document's Original.
	StoreOriginal(ctx context.Context, workspaceID, documentID string, file model.OriginalFile) (
		*model.DocumentOriginal, error)
	// DiscardOriginal deletes the file if the transaction failed; nil is ignored.
	DiscardOriginal(ctx context.Context, original *model.DocumentOriginal, cause error)
	// ReadOriginal returns the file of a document, or not_found.
	ReadOriginal(ctx context.Context, workspaceID, documentID string) (*model.OriginalFile, error)
}

// Accounts holds the workspaces and their run budgets. account.Service implements it.
type Accounts interface {
	job.Budget
	// LockWorkspace locks the workspace's row. It must precede the lock of a document in the same
	// transaction.
	LockWorkspace(ctx context.Context, tx dbx.Tx, workspaceID string) (*model.Workspace, error)
}

// Tags finds auto-tags outside a transaction. Find returns a function that stores them in the
// transaction that completes the ingestion, before the document is locked.
type Tags interface {
	HasEnabledTags(ctx context.Context, db dbx.Reader, workspaceID string) (bool, error)
	Find(ctx context.Context, doc *model.Document) (keep func(context.Context, dbx.Tx) error, err error)
}

// Service ingests documents.
type Service struct {
	db        *dbx.DB
	jobs      *job.Service
	metered   *job.Metered
	documents Documents
	accounts  Accounts
	tags      Tags
	fetch     *fetch.Client
	extract   *extract.Extractor
	unpacking chan struct{} // a slot for each archive that is unpacked in memory
	mails     chan struct{} // a slot for each large mail that a poll reads

	sealer       *seal.Sealer
	checkSeal    func(ctx context.Context, tx dbx.Tx) error
	audit        AuditFunc
	recordChange func(tx dbx.Tx, workspaceID, name, id string)
	now          func() time.Time // the clock of sources; the database's
	jitter       func() float64   // returns a random number in [0, 1)
}

// JobIngest is the type of ingestion jobs, and their queue.
const JobIngest = "ingest"

// Config holds the dependencies of a Service. All fields are required.
type Config struct {
	DB        *dbx.DB
	Jobs      *job.Service
	Documents Documents
	Accounts  Accounts
	Tags      Tags
	Fetch     *fetch.Client
	Extract   *extract.Extractor
	Audit     AuditFunc // writes entries of the audit log
	// RecordChange adds a change of a source to the workspace's feed in the transaction.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
	Sealer       *seal.Sealer // encrypts passwords of mailboxes
	// CheckSeal returns an error if the database has secrets of another key.
	CheckSeal func(ctx context.Context, tx dbx.Tx) error
}

// New returns the service and registers its jobs. Run must be called to poll sources.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, jobs: c.Jobs, metered: job.NewMetered(c.Jobs, c.Accounts), documents: c.Documents,
		accounts: c.Accounts, tags: c.Tags,
		fetch: c.Fetch, extract: c.Extract, unpacking: make(chan struct{}, maxUnpacking),
		mails: make(chan struct{}, largeMails),
		audit: c.Audit, recordChange: c.RecordChange, sealer: c.Sealer, checkSeal: c.CheckSeal, now: c.DB.Now, jitter: rand.Float64,
	}
	s.registerIngestJobs()
	return s
}

// jobParameters are a job's public input.
type jobParameters struct {
	DocumentID  string                  `json:"document_id"`
	Filename    string                  `json:"filename,omitempty"` // of the original, which is read
	SourceURL   string                  `json:"source_url,omitempty"`
	AudioURL    string                  `json:"audio_url,omitempty"`
	ContentType model.IngestContentType `json:"content_type,omitempty"`
	// the client supplied the text and nothing is fetched
	Supplied bool `json:"supplied,omitempty"`
}

// fetchURL returns the address to fetch.
func (p jobParameters) fetchURL() string { return cmp.Or(p.AudioURL, p.SourceURL) }

// ingestRequest is a validated address with its defaults.
type ingestRequest struct {
	operation           string // as the run ledger names it
	workspaceID, userID string
	sourceURL, audioURL string
	declared            model.IngestContentType
	provenance          *model.MediaProvenance
	force               bool
	visibility          *model.Visibility // nil if the request has none
	embargoedUntil      *time.Time
	published           *time.Time             // as the feed states; nil without one
	refusal             *model.ProcessingError // the reason that prevents the fetch, or nil
	sourceID            *string                // the source that a new document comes by; nil without one
	tags                []string               // the labels of a new document
}

// Ingest creates a placeholder for an address and queues the job that fetches its text. An address
// that cannot be fetched still becomes a document, with status failed. It returns
// validation_failed, with the field, for an invalid address, and budget_exhausted if a new job has
// no run left.
func (s *Service) Ingest(ctx context.Context, in api.IngestDocumentInput) (*api.IngestDocumentPayload, error) {
	r, err := s.documentRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	started, err := s.startIngestion(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("ingest document: %w", err)
	}
	return newPayload(started, r), nil
}

// EstimateIngest returns the cost of Ingest, or validation_failed.
func (s *Service) EstimateIngest(ctx context.Context, in api.IngestDocumentInput) (*model.Estimate, error) {
	r, err := s.documentRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.estimateRuns(ctx, r)
}

// documentRequest validates the input of Ingest.
func (s *Service) documentRequest(ctx context.Context, in api.IngestDocumentInput) (r ingestRequest, err error) {
	p := principal.Must(ctx)
	r = ingestRequest{
		operation: opIngest, workspaceID: p.WorkspaceID, userID: p.UserID, sourceURL: in.SourceURL,
		declared:   optional.ValueOr(in.ContentType.Value(), model.IngestContentTypeAuto),
		provenance: in.MediaProvenance.Value(), force: optional.ValueOr(in.Force.Value(), false),
		audioURL: optional.ValueOr(in.AudioURL.Value(), ""),
	}
	if err := r.setVisibility(in.Visibility, in.EmbargoedUntil); err != nil {
		return r, err
	}
	r.refusal, err = s.checkAddresses(r, "sourceUrl")
	return r, err
}

// setVisibility sets who may know the document. It returns validation_failed unless an embargo and
// its end are given together.
func (r *ingestRequest) setVisibility(wanted graphql.Omittable[*model.Visibility],
	until graphql.Omittable[*time.Time]) error {
	var checked model.Visibility
	r.visibility = wanted.Value()
	return visibility.Change{Visibility: wanted, Until: until}.Apply(&checked, &r.embargoedUntil, "")
}

// setVisibilityOrigin records that the request says who may know the document. A source says it of
// all its texts and not of this one, so the text's own head comes first.
func (r ingestRequest) setVisibilityOrigin(doc *model.Document) {
	if r.visibility != nil && r.sourceID == nil {
		given := model.AttributionOriginGiven
		doc.Origins.Visibility = &given
	}
}

// checkAddresses returns an error for an invalid address, and a refusal for an address that must
// not or cannot be fetched.
func (s *Service) checkAddresses(r ingestRequest, field string) (*model.ProcessingError, error) {
	var invalid errs.FieldErrors
	var refusal *model.ProcessingError
	for _, address := range []struct{ field, url string }{{field, r.sourceURL}, {"audioUrl", r.audioURL}} {
		if address.url == "" && address.field != field {
			continue
		}
		_, err := s.fetch.CheckURL(address.url)
		if isBadURL(err) {
			invalid.Body("bad_url", "must be an http or https address without user name and password", address.field)
		} else if err != nil {
			reason := reasonOf(err)
			refusal = &reason
		}
	}
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	return refusal, nil
}

// startedIngestion is the document of a request. The warning names the fields of the request that a
// document which existed already does not have.
type startedIngestion struct {
	doc       *model.Document
	duplicate bool
	warning   string
}

// startIngestion stores the placeholder and its job, unless the workspace already has a document
// with the address.
func (s *Service) startIngestion(ctx context.Context, r ingestRequest) (started startedIngestion, err error) {
	if err := s.accounts.ReportRunsRemaining(ctx, r.workspaceID); err != nil {
		return started, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		started, err = s.ingestTx(ctx, tx, r)
		return err
	})
	return started, err
}

// ingestTx is startIngestion in the caller's transaction.
func (s *Service) ingestTx(ctx context.Context, tx dbx.Tx, r ingestRequest) (started startedIngestion, err error) {
	known, err := s.lockAndFind(ctx, tx, r)
	switch {
	case err != nil:
		return started, err
	case known == nil:
		started = startedIngestion{doc: newPlaceholder(r)}
		if err := s.keepCorrections(ctx, tx, started.doc, r); err != nil {
			return started, err
		}
		return started, s.insertDocument(ctx, tx, started.doc, r)
	case isFailed(known) && r.refusal == nil:
		restarted, err := s.restartDocument(ctx, tx, known, r)
		return startedIngestion{doc: restarted, duplicate: true}, err
	}
	return startedIngestion{doc: known, duplicate: true, warning: s.keptWarning(known, r)}, nil
}

// insertDocument stores a new document and, unless its fetch is refused, queues its job.
func (s *Service) insertDocument(ctx context.Context, tx dbx.Tx, doc *model.Document, r ingestRequest) error {
	if r.refusal == nil {
		started, err := s.enqueueDocument(ctx, tx, doc, r)
		if err != nil {
			return err
		}
		doc.ScrapeJobID = &started.ID
	}
	return s.documents.Insert(ctx, tx, doc)
}

// restartDocument retries a failed document with the same address instead of creating another.
func (s *Service) restartDocument(ctx context.Context, tx dbx.Tx, known *model.Document,
	r ingestRequest) (*model.Document, error) {
	started, err := s.enqueueDocument(ctx, tx, known, r)
	if err != nil {
		return nil, err
	}
	return s.documents.Amend(ctx, tx, known.WorkspaceID, known.ID, func(doc *model.Document) error {
		markFetching(doc, started.ID)
		if r.visibility != nil { // a request without it must not publish the document
			doc.Visibility, doc.EmbargoedUntil = *r.visibility, r.embargoedUntil
			r.setVisibilityOrigin(doc)
		}
		if r.provenance != nil && !doc.Origins.MediaProvenance.IsCorrected() {
			given := model.AttributionOriginGiven
			doc.MediaProvenance, doc.Origins.MediaProvenance = r.provenance, &given
		}
		model.SetPart(&doc.ExtractedDate, &doc.Origins.ExtractedDate, r.published, model.AttributionOriginSource)
		return nil
	})
}

func (s *Service) enqueueDocument(ctx context.Context, tx dbx.Tx, doc *model.Document, r ingestRequest) (*model.Job,
	error) {
	return s.enqueueJob(ctx, tx, r.operation, doc.WorkspaceID, r.userID, jobParameters{
		DocumentID: doc.ID, SourceURL: r.sourceURL, AudioURL: r.audioURL, ContentType: r.declared,
	})
}

func newPlaceholder(r ingestRequest) *model.Document {
	now, zero := model.Now(), 0
	status := model.ProcessingStatusFetching
	doc := &model.Document{
		ID: model.NewID(model.DocumentPrefix), WorkspaceID: r.workspaceID, Title: r.sourceURL, SourceURL: &r.sourceURL,
		SourceID: r.sourceID, ProcessingStatus: &status, Tags: optional.OrEmpty(r.tags), WordCount: &zero, CharacterCount: &zero,
		Visibility: optional.ValueOr(r.visibility, ""), EmbargoedUntil: r.embargoedUntil,
		CreatedAt: now, UpdatedAt: now,
	}
	r.setVisibilityOrigin(doc)
	model.SetPart(&doc.MediaProvenance, &doc.Origins.MediaProvenance, r.provenance, model.AttributionOriginGiven)
	model.SetPart(&doc.ExtractedDate, &doc.Origins.ExtractedDate, r.published, model.AttributionOriginSource)
	if canonical := extract.CanonicalURL(r.sourceURL); canonical != "" {
		doc.CanonicalURL = &canonical
	}
	if r.declared != model.IngestContentTypeAuto {
		kind := string(r.declared)
		doc.ContentType = &kind
	}
	if r.refusal != nil {
		markFailed(doc, *r.refusal)
	}
	return doc
}

func markFetching(doc *model.Document, jobID string) {
	status := model.ProcessingStatusFetching
	doc.ProcessingStatus, doc.ProcessingError, doc.ScrapeJobID = &status, nil, &jobID
}

// isFetching reports whether markFetching would change nothing, because no document has an error
// while it is fetched.
func isFetching(doc *model.Document, jobID string) bool {
	return optional.ValueOr(doc.ProcessingStatus, "") == model.ProcessingStatusFetching &&
		optional.ValueOr(doc.ScrapeJobID, "") == jobID
}

func markFailed(doc *model.Document, reason model.ProcessingError) {
	status := model.ProcessingStatusFailed
	doc.ProcessingStatus, doc.ProcessingError = &status, &reason
}

func isFailed(doc *model.Document) bool {
	return doc.ProcessingStatus != nil && *doc.ProcessingStatus == model.ProcessingStatusFailed
}

func newPayload(started startedIngestion, r ingestRequest) *api.IngestDocumentPayload {
	doc := started.doc
	out := &api.IngestDocumentPayload{
		DocumentID: doc.ID, Title: doc.Title, CharacterCount: optional.ValueOr(doc.CharacterCount, 0),
		WordCount: optional.ValueOr(doc.WordCount, 0),
		Message:   "Document ingested successfully", ProcessingStatus: doc.ProcessingStatus,
		ScrapeJobID: doc.ScrapeJobID,
		SourceURL:   doc.SourceURL, Success: true, URL: doc.URL, Duplicate: started.duplicate,
	}
	if started.duplicate {
		out.Message = "The workspace already has a document of this address"
	}
	if r.refusal != nil {
		out.Error, out.Success, out.Message = &r.refusal.Message, false, "The fetch could not be started"
	}
	if started.warning != "" {
		out.Warning, out.Message = &started.warning, out.Message+"; "+started.warning
	}
	return out
}
