// Package agent serves REST's stored operations to AI agents as tools of the Model Context Protocol
// (MCP), and documents and drafts as its resources.
//
// There is no second implementation: a call of a tool becomes the REST request with the same
// parameters and is served in this process. So its answer has REST's bytes, and rights, rate limits,
// slots, idempotency keys and the audit log are REST's. An error is the result of the call with the
// problem document, because agents read results and not the errors of a protocol.
//
// A tool is derived from its operation as the OpenAPI document is. Which operations are no tools
// stands in leftout.go. A key sees the tools that its scopes allow.
//
// The server keeps no sessions and opens no streams, so any gateway behind a proxy answers any
// request. Hence there is no progress of a call: what takes long starts a job, which get_job shows.
package agent
