// Package search reads texts and queries in the same way, so that a word that a person types finds
// the words of a text whatever their form.
//
// Idea: Analyze splits a text into words without accents and case ("Zürich" is zurich), and scripts
// without spaces into overlapping pairs of characters. The index stores only these. The stems and
// parts of words are no part of the index: a list of all words of a workspace has their stems, and
// a query is widened by the words of the same stem before it is run (Word.Keys, CompoundOf). So a
// word of a compound is found as soon as both parts are known, without indexing a text again.
//
// Limits: a text is indexed up to maxIndexBytes. A part in the middle of a compound of three words
// is not found. A spelling is corrected by up to two letters, unless both the first and the last
// third of the word are wrong.
//
// Proof: fuzz_test.go parses any query, and domain/document has a labelled set of queries in
// several languages that runs on both databases.
package search
