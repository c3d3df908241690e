// Package kit starts whole apps for tests, runs scenarios, and serves the sites that an app
// fetches.
package kit
