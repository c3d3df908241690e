// Package rest serves stored GraphQL operations as a REST API. It reads a request's variables, runs
// the operation on the graph's executor, and sends the body or a problem document (RFC 9457).
// Subscriptions are sent as server-sent events. It also serves the sign-in, the reports of hosted
// pages, the OpenAPI document, and the pages that show it.
//
// Everything in operations/*.graphql is a route; package rest/stored reads these files and package
// rest/openapi describes them. JSON bodies are limited to 10 MB and files to 50 MB.
//
// A route with etag in @rest sends that member as entity tag, and ifMatch receives If-Match. The
// graph's ifVersion is the same rule, under the row's lock. Other GETs have a hash of the response
// as entity tag. ?estimate=true is a stored operation of its own (when: "estimate"). A field of
// type FileDownload with unwrap returns a file.
//
// The console is served under /console/: files with a hash in their names for good, index.html for
// every other path, with a policy that allows scripts of this server only (console.go).
//
// To add a route, write an operation; a new group needs its description in openapi/tag.go. To let a
// body member select the response, add a variable of its name beside $body. cookie: true allows
// sessions.
//
// The tests send requests to an adapter on a graph with canned rows and check every response
// against the OpenAPI document; FuzzRequest does so with random requests.
package rest
