// Package eventdata defines the JSON of the data of events that are not of links: the feed stores
// it, webhooks send it, OpenAPI documents it.
package eventdata

import "time"

// The doc tags become descriptions in the OpenAPI document.

// SearchMatched is the data of search.matched.
type SearchMatched struct {
	Search   Search   `json:"search" doc:"The saved search."`
	Document Document `json:"document" doc:"The document that came to match it."`
}

// Search is a saved search.
type Search struct {
	ID   string `json:"id" doc:"The search's id."`
	Name string `json:"name" doc:"Its name at the time of the event."`
	URL  string `json:"url" doc:"Where the console shows what it finds."`
}

// Document is a document. Only a public one has a title and a source, and only events of public ones
// are sent to webhooks.
type Document struct {
	ID        string  `json:"id" doc:"The document's id."`
	Title     *string `json:"title,omitempty" doc:"Its title at the time of the event."`
	SourceURL *string `json:"source_url,omitempty" doc:"The address that it was read from; absent for a text or a file."`
	URL       string  `json:"url" doc:"Where the console shows it."`
}

// DocumentReady is the data of document.ready.
type DocumentReady struct {
	Document Document `json:"document" doc:"The document, whose text is complete."`
}

// DocumentFailed is the data of document.failed.
type DocumentFailed struct {
	Document Document `json:"document" doc:"The document, which has no new text."`
	Reason   Reason   `json:"reason" doc:"Why its ingestion failed."`
}

// Reason is why work failed.
type Reason struct {
	Code      string `json:"code" doc:"The reason as a code, for example no_text or http_status."`
	Message   string `json:"message" doc:"The reason as a sentence."`
	Retryable bool   `json:"retryable" doc:"Whether another try may succeed."`
}

// JobFailed is the data of job.failed.
type JobFailed struct {
	Job Job `json:"job" doc:"The job, which is not tried again by itself."`
}

// Job is a job.
type Job struct {
	ID         string  `json:"id" doc:"The job's id."`
	Type       string  `json:"type" doc:"What it does, for example ingest."`
	ErrorCode  string  `json:"error_code" doc:"Why it failed, as a code."`
	DocumentID *string `json:"document_id,omitempty" doc:"The document that it was about; absent without one."`
	DraftID    *string `json:"draft_id,omitempty" doc:"The draft that it was about; absent without one."`
	URL        string  `json:"url" doc:"Where the console shows what it was about."`
}

// Draft is the data of the events of a draft's review and publication.
type Draft struct {
	Draft Reference `json:"draft" doc:"The draft. Its title is not sent, because a draft is not public."`
}

// DraftComment is the data of draft.commented and draft.comment_resolved.
type DraftComment struct {
	Draft   Reference `json:"draft" doc:"The draft. Its title is not sent, because a draft is not public."`
	Comment Reference `json:"comment" doc:"The comment or the reply. Its words are not sent, because it may quote the draft."`
}

// Source is the data of source.failing and source.recovered.
type Source struct {
	Source Reference `json:"source" doc:"The feed or sitemap. Its address is not sent, because it may hold a secret."`
}

// Webhook is the data of webhook.paused and webhook.resumed.
type Webhook struct {
	Webhook Reference `json:"webhook" doc:"The webhook. Its URL is not sent, because it may hold a secret."`
	// Reason is a model.PausedReason.
	Reason *string `json:"reason,omitempty" doc:"Why it was paused: failures, gone or owner; absent when it was resumed."`
}

// BudgetReached is the data of budget.reached.
type BudgetReached struct {
	Budget Budget `json:"budget" doc:"The run budget as it was then."`
}

// Budget is a workspace's run budget.
type Budget struct {
	Percent  int        `json:"percent" doc:"The share that was reached: 50, 80 or 100."`
	Used     int        `json:"used" doc:"Runs that are spent or reserved."`
	Limit    int        `json:"limit" doc:"Runs of the period."`
	ResetsAt *time.Time `json:"resets_at,omitempty" doc:"When the next period begins; absent if it does not reset."`
	URL      string     `json:"url" doc:"Where the console shows it."`
}

// ReactionsCompleted is the data of reactions.completed, which has either a document or a draft.
type ReactionsCompleted struct {
	Document *Document  `json:"document,omitempty" doc:"The document that was read; absent for a draft."`
	Draft    *Reference `json:"draft,omitempty" doc:"The draft that was read; absent for a document."`
	Personas int        `json:"personas" doc:"Personas that were asked."`
	Reacted  int        `json:"reacted" doc:"Personas that reacted in this job."`
	Kept     int        `json:"kept" doc:"Personas whose reaction to this text was there before."`
	Failed   int        `json:"failed" doc:"Personas whose reaction failed."`
}

// SummaryStale is the data of summary.stale.
type SummaryStale struct {
	Summary Reference `json:"summary" doc:"The summary of an audience. Its words are not sent, because it may quote an internal text."`
}

// Reference names an object and where it is shown.
type Reference struct {
	ID  string `json:"id" doc:"Its id."`
	URL string `json:"url" doc:"Where the console shows it."`
}
