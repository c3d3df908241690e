package model

// Plan is what a workspace has contracted: it decides features such as webhooks.
type Plan string

// The values of Plan.
const (
	PlanFree Plan = "free"
	PlanPro  Plan = "pro"
	PlanTeam Plan = "team"
)

// MediaProvenance says whose medium carried a document (shared/spec/operations.md, "Closed values").
type MediaProvenance string

// The values of MediaProvenance.
const (
	MediaProvenanceOwned  MediaProvenance = "owned"
	MediaProvenanceEarned MediaProvenance = "earned"
	MediaProvenancePaid   MediaProvenance = "paid"
)

// ProcessingStatus is where a document's ingestion stands; a document that is done has none.
type ProcessingStatus string

// The values of ProcessingStatus.
const (
	ProcessingStatusFetching  ProcessingStatus = "fetching"
	ProcessingStatusEnhancing ProcessingStatus = "enhancing"
	ProcessingStatusFailed    ProcessingStatus = "failed"
)

// ProcessingErrorCode is why a document could not be made from its source.
type ProcessingErrorCode string

// The values of ProcessingErrorCode.
const (
	ProcessingErrorCodeBlockedAddress     ProcessingErrorCode = "blocked_address"
	ProcessingErrorCodeDnsFailed          ProcessingErrorCode = "dns_failed"
	ProcessingErrorCodeTimeout            ProcessingErrorCode = "timeout"
	ProcessingErrorCodeHttpStatus         ProcessingErrorCode = "http_status"
	ProcessingErrorCodeTooLarge           ProcessingErrorCode = "too_large"
	ProcessingErrorCodeUnsupportedContent ProcessingErrorCode = "unsupported_content"
	ProcessingErrorCodeNoText             ProcessingErrorCode = "no_text"
	ProcessingErrorCodeCaptcha            ProcessingErrorCode = "captcha"
	ProcessingErrorCodeConsentWall        ProcessingErrorCode = "consent_wall"
	ProcessingErrorCodeLoginWall          ProcessingErrorCode = "login_wall"
	ProcessingErrorCodePaywall            ProcessingErrorCode = "paywall"
	ProcessingErrorCodeEmptyAppShell      ProcessingErrorCode = "empty_app_shell"
	ProcessingErrorCodeNoTranscriber      ProcessingErrorCode = "no_transcriber"
	ProcessingErrorCodeNoOcr              ProcessingErrorCode = "no_ocr"
	ProcessingErrorCodeCancelled          ProcessingErrorCode = "cancelled"
	ProcessingErrorCodeInternal           ProcessingErrorCode = "internal"
)

// IngestContentType is what a client says a source is, or auto to let the bytes decide.
type IngestContentType string

// The values of IngestContentType.
const (
	IngestContentTypeAuto    IngestContentType = "auto"
	IngestContentTypeWebpage IngestContentType = "webpage"
	IngestContentTypePdf     IngestContentType = "pdf"
	IngestContentTypeImage   IngestContentType = "image"
	IngestContentTypeAudio   IngestContentType = "audio"
	IngestContentTypeYoutube IngestContentType = "youtube"
)

// DocumentSort is the order of a list of documents.
type DocumentSort string

// The values of DocumentSort.
const (
	DocumentSortCreatedAtAsc      DocumentSort = "created_at_asc"
	DocumentSortCreatedAtDesc     DocumentSort = "created_at_desc"
	DocumentSortUpdatedAtAsc      DocumentSort = "updated_at_asc"
	DocumentSortUpdatedAtDesc     DocumentSort = "updated_at_desc"
	DocumentSortExtractedDateAsc  DocumentSort = "extracted_date_asc"
	DocumentSortExtractedDateDesc DocumentSort = "extracted_date_desc"
	DocumentSortTitleAsc          DocumentSort = "title_asc"
	DocumentSortTitleDesc         DocumentSort = "title_desc"
	DocumentSortWordCountAsc      DocumentSort = "word_count_asc"
	DocumentSortWordCountDesc     DocumentSort = "word_count_desc"
)

// JobStatus is where a job stands (shared/spec/workspace-api.md, "Job status").
type JobStatus string

// The values of JobStatus.
const (
	JobStatusQueued    JobStatus = "queued"
	JobStatusRunning   JobStatus = "running"
	JobStatusCompleted JobStatus = "completed"
	JobStatusFailed    JobStatus = "failed"
	JobStatusCancelled JobStatus = "cancelled"
	JobStatusRetrying  JobStatus = "retrying"
)

// JobEventKind says what an event of a job's stream is.
type JobEventKind string

// The values of JobEventKind.
const (
	JobEventKindSnapshot JobEventKind = "snapshot"
	JobEventKindProgress JobEventKind = "progress"
	JobEventKindState    JobEventKind = "state"
	JobEventKindStale    JobEventKind = "stale"
	JobEventKindEnd      JobEventKind = "end"
)

// DocumentEventKind says what happened to a document.
type DocumentEventKind string

// The values of DocumentEventKind.
const (
	DocumentEventKindCreated DocumentEventKind = "created"
	DocumentEventKindUpdated DocumentEventKind = "updated"
	DocumentEventKindStatus  DocumentEventKind = "status"
	DocumentEventKindDeleted DocumentEventKind = "deleted"
)

// Scope is a right that a key carries.
type Scope string

// The values of Scope.
const (
	ScopeRead  Scope = "read"
	ScopeWrite Scope = "write"
	ScopeAdmin Scope = "admin"
)

// PausedReason is why a webhook hears of nothing for now.
type PausedReason string

// The values of PausedReason.
const (
	PausedReasonOwner    PausedReason = "owner"
	PausedReasonFailures PausedReason = "failures"
	PausedReasonGone     PausedReason = "gone"
	PausedReasonPlan     PausedReason = "plan"
)

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The values of DeliveryStatus.
const (
	DeliveryStatusPending   DeliveryStatus = "pending"
	DeliveryStatusRetrying  DeliveryStatus = "retrying"
	DeliveryStatusDelivered DeliveryStatus = "delivered"
	DeliveryStatusFailed    DeliveryStatus = "failed"
	DeliveryStatusSkipped   DeliveryStatus = "skipped"
)

// DeliveryErrorCode is why an attempt to deliver failed.
type DeliveryErrorCode string

// The values of DeliveryErrorCode.
const (
	DeliveryErrorCodeHTTPStatus       DeliveryErrorCode = "http_status"
	DeliveryErrorCodeTimeout          DeliveryErrorCode = "timeout"
	DeliveryErrorCodeDNSFailed        DeliveryErrorCode = "dns_failed"
	DeliveryErrorCodeConnectionFailed DeliveryErrorCode = "connection_failed"
	DeliveryErrorCodeBlockedAddress   DeliveryErrorCode = "blocked_address"
	DeliveryErrorCodeEventGone        DeliveryErrorCode = "event_gone"
)
