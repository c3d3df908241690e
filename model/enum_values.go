package model

// Plan is the workspace's subscription. It enables features such as webhooks.
type Plan string

// The values of Plan.
const (
	PlanFree Plan = "free"
	PlanPro  Plan = "pro"
	PlanTeam Plan = "team"
)

// MediaProvenance is the kind of medium that published a document.
type MediaProvenance string

// The values of MediaProvenance.
const (
	MediaProvenanceOwned  MediaProvenance = "owned"
	MediaProvenanceEarned MediaProvenance = "earned"
	MediaProvenancePaid   MediaProvenance = "paid"
)

// Visibility is who may know a text.
type Visibility string

// The values of Visibility.
const (
	VisibilityPublic    Visibility = "public"
	VisibilityInternal  Visibility = "internal"
	VisibilityEmbargoed Visibility = "embargoed" // nobody until a time, then the public
)

// ProcessingStatus is the state of a document's ingestion. It is null once ingestion is complete.
type ProcessingStatus string

// The values of ProcessingStatus.
const (
	ProcessingStatusFetching  ProcessingStatus = "fetching"
	ProcessingStatusEnhancing ProcessingStatus = "enhancing"
	ProcessingStatusFailed    ProcessingStatus = "failed"
)

// ProcessingErrorCode is the reason of a failed ingestion.
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
	ProcessingErrorCodeWorkerDied         ProcessingErrorCode = "worker_died"
	ProcessingErrorCodeInternal           ProcessingErrorCode = "internal"
)

// IngestContentType is the declared type of a source; auto detects the type from its bytes.
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

// JobStatus is the state of a job.
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

// JobEventKind is the kind of an event in a job's stream.
type JobEventKind string

// The values of JobEventKind.
const (
	JobEventKindSnapshot JobEventKind = "snapshot"
	JobEventKindProgress JobEventKind = "progress"
	JobEventKindState    JobEventKind = "state"
	JobEventKindStale    JobEventKind = "stale"
	JobEventKindEnd      JobEventKind = "end"
)

// DocumentEventKind is the kind of an event of a document.
type DocumentEventKind string

// The values of DocumentEventKind.
const (
	DocumentEventKindCreated DocumentEventKind = "created"
	DocumentEventKindUpdated DocumentEventKind = "updated"
	DocumentEventKindStatus  DocumentEventKind = "status"
	DocumentEventKindDeleted DocumentEventKind = "deleted"
	DocumentEventKindStale   DocumentEventKind = "stale"
)

// DocumentChangeKind is the kind of a change of a list of documents.
type DocumentChangeKind string

// The values of DocumentChangeKind.
const (
	DocumentChangeKindCreated DocumentChangeKind = "created"
	DocumentChangeKindUpdated DocumentChangeKind = "updated"
	DocumentChangeKindRemoved DocumentChangeKind = "removed"
	DocumentChangeKindStale   DocumentChangeKind = "stale"
)

// Scope is a right that a key carries.
type Scope string

// The values of Scope.
const (
	ScopeRead  Scope = "read"
	ScopeWrite Scope = "write"
	ScopeAdmin Scope = "admin"
)

// PausedReason is the reason why a webhook receives no events.
type PausedReason string

// The values of PausedReason.
const (
	PausedReasonOwner    PausedReason = "owner"
	PausedReasonFailures PausedReason = "failures"
	PausedReasonGone     PausedReason = "gone"
	PausedReasonPlan     PausedReason = "plan"
)

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The values of DeliveryStatus.
const (
	DeliveryStatusPending   DeliveryStatus = "pending"
	DeliveryStatusRetrying  DeliveryStatus = "retrying"
	DeliveryStatusDelivered DeliveryStatus = "delivered"
	DeliveryStatusFailed    DeliveryStatus = "failed"
	DeliveryStatusSkipped   DeliveryStatus = "skipped"
)

// DeliveryErrorCode is the reason of a failed delivery attempt.
type DeliveryErrorCode string

// The values of DeliveryErrorCode.
const (
	DeliveryErrorCodeHTTPStatus       DeliveryErrorCode = "http_status"
	DeliveryErrorCodeTimeout          DeliveryErrorCode = "timeout"
	DeliveryErrorCodeDNSFailed        DeliveryErrorCode = "dns_failed"
	DeliveryErrorCodeConnectionFailed DeliveryErrorCode = "connection_failed"
	DeliveryErrorCodeBlockedAddress   DeliveryErrorCode = "blocked_address"
	DeliveryErrorCodeEventGone        DeliveryErrorCode = "event_gone"
	DeliveryErrorCodeNotSigned        DeliveryErrorCode = "not_signed"
)
