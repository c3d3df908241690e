// Package fetch sends HTTP requests to URLs of users and blocks private addresses.
//
// Idea: it is the only client for addresses that come from users: sources, images of exports,
// avatars and webhooks. An address is checked when it is dialled and on every redirect, so a name
// that resolves to a private address later is blocked too. Domain packages get this client from app
// and have no other; Dial is its connection for other protocols than HTTP.
//
// Limits: a host has few requests at the same time (hostlimiter.go); Snooze tells a job how long to
// wait instead of holding its worker. ROSTRUM_FETCH_ALLOW opens private networks for tests and
// intranets.
//
// Fallback: a failure is an *Error with its kind, for example Blocked or Timeout, and the page that
// came with an error status, so that ingestion can name the cause.
package fetch
