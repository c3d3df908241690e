// Package persona manages simulated members of an audience: their attributes, replies, texts and
// feedback.
//
// Idea: a question is validated before it costs a run; passages are selected within a token budget,
// only from texts that the persona may read (package visibility). Streamed, synchronous and queued
// questions share one implementation. A statement that cites a document is dropped unless its quote
// is in the document's text (text.Locate).
//
// A persona's passages are those that share words with the question, and with an embedding model
// the 20 nearest in meaning. The score of one is 1 - (1 - words) * (1 - meaning) (nearest.go).
//
// Fallback: words alone if the embedding model fails; extracts or engine_required without a text
// model.
//
// To give a persona another text, select it by document.Service.ReadableBy and add it to the
// answer's sources.
package persona
