// Package cli has the commands of users: they sign in at a gateway, ingest, search, ask and follow.
// They use its public API only, so that they work with a gateway anywhere, and what they can do
// any other client can. Answers go to standard output, progress and errors to standard error.
//
// Texts of documents are untrusted: characters that control a terminal are left out of what is
// printed. With --json the API's answers are printed as they came. A key is sent to the address
// that it was given for, and along no redirect. A lost stream is resumed after its last event.
// The tests in test/integration run each command against an app.
package cli
