// Package audience lets personas react to published texts, tests narratives on them, and summarizes
// the reactions of an audience.
//
// Idea: a reaction belongs to a persona and a version of a text, and is stored as soon as it is
// complete. A cancelled or repeated job loses nothing and pays once. The rating is derived from the
// reaction's words (rating.go); an extract is rated by the text's words, with a confidence. With an
// embedding model a model's reaction is rated by its similarity to the statements of
// anchor_LANGUAGE.txt (similarity.go), and its distribution is stored.
//
// A summary stores its reactions (audience_summary_reaction), those of each theme, and their
// quotes. Its grade is a formula; another digest of its inputs makes it stale. A persona is in one
// group, that of its category. rateReaction stores how people took a text, and Persona.calibration
// compares both.
//
// Fallback: without a result of the embedding model, for example in a language without anchor
// statements, the words rate the reaction, and warning has the reason.
//
// To rate another language by similarity, add anchor_LANGUAGE.txt with the same sets; all
// statements must fit one request.
package audience
