// Package speaker finds who says each statement of a text, by rules, and keeps the proof.
// Statements without a proof have no speaker.
//
// Idea: a speaker is proved strongly by the name as a turn's label, by the full or last name beside
// the only verb of saying of a quotation or report, or by the first person of an author. A role of
// several words, or "CEO", counts as a name if the text introduces it for one person and nobody
// else has it (Read, Statement.Strong).
//
// Passes: each is a function that makes a struct from the one in front of it, which the struct
// embeds, and takes that one over. A method has the receiver of the first pass that makes all it
// needs.
//
//	readWords     page     words and marks, the language
//	splitBlocks   layout   paragraphs, headings, tables, by-lines
//	findQuotes    quoted   quotations, sentences
//	findPeople    cast     the people whom the text names, their roles and mentions
//	findTurns     script   labelled turns and their speakers
//	findEvidence  Reading  the voice of each word
//
// Limits: pronouns, other roles, interviews without labels and words that a speaker repeats are
// weak proofs: they name a speaker and attribute nothing. Conditions, negations, hearsay and
// relayed words prove nothing. Neither does a person who is told the words, reads out somebody
// else's, or holds a sign. Lines that a message copies from another one, and a text about
// somebody's remarks, are nobody's words.
//
// No rule is added: a statement that the rules miss is a case for a model. Of 15 to 30 lines that
// read one way of saying, most find 1 to 12 of the 12,155 labelled statements of people.
//
// Proof: each rule has a test. go run ./test/bench/quality/speaker scores labelled texts that were
// written without knowing the rules. The words of each language are in the *.txt files.
package speaker
