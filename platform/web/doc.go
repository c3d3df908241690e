// Package web has what every HTTP handler needs and no domain knows: the client's address behind
// proxies, entity tags and conditional requests (RFC 9110), media types of Accept and Content-Type,
// response headers that use cases set, and limits for slow clients and large JSON bodies.
//
// A client that sends a body or reads a response at less than 10 KB in 10 s is disconnected
// (PaceBodies, PaceStreams, NewListener), so that slow clients cannot hold connections.
package web
