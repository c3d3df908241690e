// Package integration tests the whole program through its APIs on every available database:
// scenarios, and REST and GraphQL against each other.
package integration
