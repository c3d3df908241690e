// Package graph is the schema's door: one-line resolvers, limits, transports, and selections that read only what is asked for.
package graph

// Resolver holds the rooms that the resolvers call.
type Resolver struct{}
