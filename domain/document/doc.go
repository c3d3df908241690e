// Package document creates, reads, lists, changes and deletes a workspace's documents.
//
// Idea: a document is a text from an address, a file or a client. Other packages follow its changes
// by hooks in the same transaction (AddHook in app/services.go): the event feed, passages, signals
// and parties. Totals are kept with the rows, under the workspace's lock: workspace.document_count
// and hidden_count, and document_status.
//
// Facets counts the values of all facets with one statement. Without a filter it reads
// document_facet instead: triggers of the database append a row for each change of a count, so
// transactions do not wait for one another, and an older version of the program keeps the counts
// too. Run replaces the changes of a workspace by their sums every 15 s (facet_kept.go). Counts of
// trial texts and hidden documents are kept apart.
//
// A search (query.go) is parsed by llm/text/search, widened by the words of the workspace's texts
// that have the same stems or are compounds (word.go), and matched by dbx. Texts are indexed before
// the commit of the transaction that stores them (index.go).
//
// RelatedDocuments compares a document with the newest documents of its executive, its company and
// each of its tag values. Each list is read from the end of an index, so a company with many
// documents costs no more. NearDuplicates (duplicate.go) reads up to 30 texts that share most of
// eight sentences and compares their sequences of four words; nothing is stored for it.
//
// ReadableBy is the condition of every text that a persona may be given, see package visibility.
// Trial texts are texts under narrative test and texts that personas wrote. Communications,
// profiles, comparisons and summaries leave them out, except for a summary of exactly this document
// (Trial).
//
// Limits: documentChanges follows a filter by MatchingIDs. A filter that documents can start to
// match without an event is refused (checkFollowed), and a filter by names is stale after a rename
// (RenamingEvents).
//
// Proof: rostrum verify compares totals, facets and the index with the rows, and rostrum repair
// corrects them. TestSearch_labelled measures the recall of labelled queries.
//
// To add a facet: its column in facetColumns, a migration that replaces the triggers of
// document_facet and counts the documents, and its field in the schema.
package document
