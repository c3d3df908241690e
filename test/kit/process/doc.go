// Package process starts the gateway, Postgres and Redis as processes, for programs that test the
// built gateway.
package process
