// Package web has what every HTTP handler needs and no domain knows: the client's address behind
// proxies, entity tags and conditional requests (RFC 9110), media types of Accept and Content-Type,
// response headers that use cases set, and limits for slow clients and large JSON bodies.
//
// A client that sends a body or reads a response at less than 10 KB in 10 s is disconnected, so
// that slow clients cannot hold connections. PaceBodies moves the read deadline as bytes arrive,
// and the connections of NewListener set a deadline for every write. This includes files, event
// streams and sockets. HTTP/2 has both deadlines for each stream (PaceStreams), because a client
// can stop one stream and read the others.
//
// A JSON body with more than 50,000 values is refused before it is decoded, because a value of two
// bytes becomes up to 150 bytes of maps and slices.
//
// The bodies of all requests that have not been answered share a BodyBudget, which is a part of the
// process's memory. A body takes its Content-Length before the first byte is read, or is refused.
//
// SendUnchanged answers 304 when the client has the response already. The operation has run by
// then, with its checks and audit entries; a 304 saves only the transfer. The server keeps no
// lists. A kept list would need a revision of the workspace that every change increments, and such
// a row costs a quarter of the rate at which 16 connections change documents. The position of the
// event feed is no such revision, because some changes of rows have no event.
package web
