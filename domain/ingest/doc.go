// Package ingest creates documents from addresses and files: a placeholder first, then its text in
// a job.
//
// Idea: the request stores a placeholder and its job in one transaction and returns both ids. The
// job fetches the source, reads its text in a child process (package extract), finds the company,
// the executive and the date, applies the auto-tags, and completes the document in the transaction
// that ends the job. A document belongs to the job that its scrape_job_id names, so a job that was
// replaced changes nothing.
//
// What was fetched or uploaded is kept as the document's original. An uploaded file is stored before
// its document, and the job reads it from there, so that a retry needs no second upload. The files in
// a ZIP and the attachments of a mail are unpacked in the request, in a child process.
//
// A source is a feed, a sitemap or a page with links that Run polls. Each process claims due sources with a lease
// (claimSource) and has a goroutine only for those that it polls. A poll stores the new entries with
// the position of the source in one transaction (storeListing), and makes a document of each waiting
// entry in another (takeNext), so a process may be killed between any two of them.
//
// A source may also be a mailbox (package mailbox). A poll makes the documents of one mail, and of its
// attachments, in the transaction that stores how far the folder was read (storeMail).
//
// Limits: one document for an address, unless the request forces another; a failed one is tried
// again. A file has at most 50 MB, a request 100 files, 200 with those in ZIPs and mails, a backload
// 500 addresses. A workspace has 500 sources, and a process polls 8 at a time.
//
// Fallback: a text model that fails leaves the document without auto-tags, and the job's result
// says why. A failed or cancelled job sets the document to failed, in the transaction that ends the
// job, with a reason that a person can act on; a text from before stays.
package ingest
