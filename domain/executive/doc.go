// Package executive manages the executives of a workspace: their voices, their statements by theme
// (signals), and comparisons.
//
// Idea: signals are stored once for each version of a document's text, and a passage must support
// the statement. A signal belongs to an executive only if the text proves the speaker strongly
// (llm/text/speaker); a model's claim needs the same proof. All other statements belong to the
// document. A signal keeps its proof: the kind, and the place of the name. At most 12 signals are
// chosen from the whole text, and the others are counted.
//
// Follow is a hook on document changes. It deletes the signals of an old text, or attributes them
// again if the title, the author or the executive was corrected, in the same transaction.
//
// Limits: a voice is a node with an id derived from its persona's. It is tuned on documents that
// the executive mostly speaks or signs, in one language. Comparisons are validated against their
// signals.
//
// Proof: go run ./test/bench/quality/speaker scores the attribution on labelled texts.
package executive
