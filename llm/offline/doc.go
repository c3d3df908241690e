// Package offline is the engine without a text model: it extracts, counts and compares words, and
// does not write. README.md lists its methods and their measured figures.
//
// Options that it ignores are named in Answer.Warning. Where nothing useful is left it fails with
// engine_required.
//
// To change an answer: its type here, its words in lexicon; score with make quality, and renew the
// figures of README.md.
package offline
