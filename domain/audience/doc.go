// Package audience lets personas react to published texts, tests narratives on them, and summarizes
// the reactions of an audience.
//
// Idea: a reaction belongs to a persona and a version of a text, and is stored as soon as it is
// complete. A cancelled or repeated job loses nothing and pays once. The rating of a model's
// reaction is derived from its words (rating.go), or with an embedding model from its similarity to
// the statements of anchor_LANGUAGE.txt (similarity.go), whose distribution is stored. An extract has
// no rating, and neither has a reaction whose words take no stand.
//
// A summary stores its reactions (audience_summary_reaction), those of each theme, and their
// quotes. Its grade is a formula on five or more opinions; another digest of its inputs makes it
// stale. A persona is in one
// group, that of its category. rateReaction stores how people took a text, and Persona.calibration
// compares both.
//
// Fallback: without a result of the embedding model, for example in a language without anchor
// statements, the words rate the reaction, and warning has the reason.
//
// To rate another language by similarity, add anchor_LANGUAGE.txt with the same sets; all
// statements must fit one request.
package audience
