// Package llm has the calls of text models: tasks, their prompts and checked answers. Engines are
// in llm/server and llm/offline.
//
// Idea: a use case passes a Task to Ask: a prompt from a *.tmpl file, the JSON Schema of the
// answer, and the request as typed input for the offline engine. Answers of both engines are
// validated against the schema. Texts of users and pages are enclosed by a fence. Every quote is
// located in its text by text.Locate; no offset comes from a model.
//
// Embedder turns texts into vectors. It is nil without LLM_EMBEDDING_MODEL, and asks one server
// only, because vectors of two models cannot be compared.
//
// To call a model: MustPrompt, Ask with a schema and an Input of llm/offline, and scenarios for
// both engines. A scenario with embeddings has LLM_EMBEDDING_MODEL in settings, and synonyms.
package llm
