// Package e2e runs the built program as a separate process and uses it as its clients do: curl, the
// npm clients of GraphQL subscriptions, the clients in TypeScript, Go and Python, and a browser whose
// network ends at this host. It also runs the npm packages that check the contracts.
package e2e
