// Package passage stores the vectors of the passages of documents, and finds passages by their
// meaning.
//
// Idea: with an embedding model each document has a passage_set, the state of its vectors for one
// version of its text and one model. A hook stores an empty set and its task with each change of
// the title or text, and deletes the passages of the text before. The task (job.go) adds vectors of
// 32 passages in a run, as bytes with a scale (vector.go), and is enqueued again until the set is
// complete.
//
// A search (search.go) compares the text with all vectors of the workspace that the caller may
// read, in one statement of which it holds one row in memory. It joins document.version, so a
// vector of another text is never found. A score compares the similarity with the mean similarity
// to sentences about something else (unrelated.txt), because models differ in it.
//
// Limits: time grows with the number of passages, so the query passages has the time of a mutation
// (@remote). It finds no text under embargo and costs no runs.
//
// Fallback: after a failure of the model the task waits 10 s to an hour. Run (backfill.go) enqueues
// documents that have no set of this model, and those whose tasks were lost.
package passage
