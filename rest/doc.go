// Package rest serves stored GraphQL operations as a REST API. It reads a request's variables, runs
// the operation on the graph's executor, and sends the body or a problem document (RFC 9457).
// Subscriptions are sent as server-sent events. It also serves the sign-in, the reports of hosted
// pages, the OpenAPI document, and the pages that show it.
//
// Everything in operations/*.graphql is a route; package rest/stored reads these files and package
// rest/openapi describes them. JSON bodies are limited to 10 MB and files to 50 MB.
//
// The tests send requests to an adapter on a graph with canned rows and check every response
// against the OpenAPI document; FuzzRequest does so with random requests.
package rest
