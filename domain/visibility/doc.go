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
// Links, webhooks and exports are compared with the texts under embargo by address, title and
// sentence (Warnings). A read of the title or text of a document or draft under embargo, or of its
// signals, adds the audit entry document.read or draft.read, at most one for each reader, text and
// hour, because the entry's id is derived from them (NoteReads). A read that cannot be noted fails.
// Other reads run no further statement.
//
// Limits: visibility limits personas and not keys: every key of a workspace reads all its texts.
// Subscribers that share a read of documentChanges add no entries.
//
// Proof: scenarios, and a test that tries 200 ways to a text under embargo.
package visibility
