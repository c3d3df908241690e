// Package visibility decides who may know a text: it validates the fields, and compares embargoes
// with one clock.
//
// Idea: a document or draft is public, internal, or under embargo until a time. Documents are
// public unless they are created otherwise. Drafts are internal, because nobody outside has read an
// unpublished text. dbx.DB.Now is the only clock: an embargo that has passed counts as public when
// it is read (Current, Condition), and no job changes the row.
//
// document.Service.ReadableBy is the condition of every text that a persona gets: public, or
// internal if the persona has mayReadInternal, and no trial text. Passages, writing samples,
// grounded statements, refinements, earlier turns and reactions of summaries are selected by it.
// The text that a persona is asked about is given in addition. Replies, texts, reactions and
// summaries store the documents that they drew on (sources).
//
// Links, webhooks and exports are compared with all texts under embargo by address, and by hashes of
// titles and sentences (Warnings, Prints).
//
// Whoever receives words of a text under embargo gets the audit entry document.read or draft.read,
// at most one for each reader, text and hour, because the entry's id is derived from them. The rows
// of package model note their sources when they are read (model.ReadSet); graph/policy notes the
// entries before a response is sent, and a read that cannot be noted fails. Without such a source
// no further statement runs.
//
// Limits: visibility limits personas and not keys: every key of a workspace reads all its texts.
// SECURITY.md names what counts and copies reveal without an entry.
//
// Proof: scenarios, a test that tries 200 ways to a text under embargo, and TestEmbargo_canary, which
// calls every operation.
package visibility
