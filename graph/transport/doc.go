// Package transport serves a GraphQL executor over HTTP GET and POST, multipart requests,
// server-sent events, incremental delivery and WebSocket.
//
// A request is authenticated and takes a rate-limit token before its body is read. A body without a
// principal may have 64 KB. The status of a rejected operation follows GraphQL over HTTP
// (rejectionStatus). A query by GET has a hash of the response and its media type as entity tag.
//
// A socket adds its frame around the encoded text of an event and writes the pending frames at
// once. It accepts the session cookie from pages of this server only: its handshake is checked as a
// POST is.
package transport
