// Package search keeps searches of documents under names, and records which documents come to match
// them.
//
// Idea: the feed of events has every change of a document, so hits are found by following it
// (follow.go). A transaction that changes documents also enqueues a task of its workspace. The task
// reads the next changes after the workspace's position, evaluates them once for each different
// filter, and stores hits, their events search.matched, and the new position in one transaction.
//
// Exactly once: search_hit has one row for a search and a document. Its rows are written under the
// lock of the workspace's row of search_progress, and only if no other run has moved the position.
// A search that was changed meanwhile is left out, because saving it looked at the same documents.
//
// What is new: when a search is saved, the documents that it finds are stored as known, with the
// position 0. A document that was deleted becomes known too, so that restoring it is no news. Each
// member and key has its own position up to which hits were seen.
//
// Limits: 100 searches per workspace. Only complete documents are told, not trial texts, and hidden
// ones only if the search asks for them. A search that events cannot follow (see
// document.CheckSearch) is saved and tells nothing. A company that is renamed changes what a search
// finds without an event; such documents are told at their next change. Webhooks hear of documents
// only if they are public at that time.
//
// Proof: TestFollow runs the task concurrently and twice, on both databases.
package search
