// Package ingest creates documents from addresses and files: a placeholder first, then its text in
// a job.
//
// Idea: the request stores a placeholder and its job in one transaction and returns both ids. The
// job fetches the source, reads its text in a child process (package extract), finds the company,
// the executive and the date, applies the auto-tags, and completes the document in the transaction
// that ends the job. A document belongs to the job that its scrape_job_id names, so a job that was
// replaced changes nothing.
//
// Limits: one document for an address, unless the request forces another; a failed one is tried
// again. A file has at most 50 MB, a backload 500 addresses.
//
// Fallback: a text model that fails leaves the document without auto-tags, and the job's result
// says why. A failed or cancelled job sets the document to failed, in the transaction that ends the
// job, with a reason that a person can act on; a text from before stays.
package ingest
