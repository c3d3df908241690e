// Package e2e runs the built program as a separate process and uses it as its clients do: curl, the npm clients of GraphQL subscriptions,
// and a browser whose network ends at this host.
package e2e
