// Package content generates, enhances and rewrites texts, checks their coverage of points, and
// stores their drafts.
//
// Idea: an operation that users wait for and its job are two mutations with one input, for example
// generateContent and startContentGeneration; streams write the same text. A rewrite keeps the
// facts of a part (llm/text/fact), or returns the part unchanged with a reason.
//
// DraftPriority.coverage and Draft.analysis are computed when they are read, from the present text,
// by the words of its sentences. The query textAnalysis does the same for a text that is not saved.
// A model that checks a text over 24,000 characters reads the passages nearest to the points
// (excerpt.go); what it does not find in them is unknown, not absent.
//
// An approved draft is published as a hosted page of package link, in one transaction (publish.go).
// The draft is locked before the link.
//
// Links and exports are compared with the texts under embargo by EmbargoWarnings.
//
// Limits: @weight counts a coverage as 40 fields of an operation's complexity, and a request
// compares at most 1,000 points. Exports are written into the response and not stored, so a draft
// has no edge to them.
//
// Fallback: without a model, package llm/offline answers with an outline or an extract, and fails
// with engine_required where neither would help.
package content
