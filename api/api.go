// Package api holds the inputs and payloads of the graph, which gqlgen generates from the schema.
// Use cases take and return them.
package api
