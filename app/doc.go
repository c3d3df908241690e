// Package app builds the program by plain assignment and runs it. It is the only package that reads
// the environment.
//
// Start: New locks the data directory of a SQLite file, migrates under a lock, and refuses a schema
// newer than its own. While the process runs, watchSchema looks for a newer one every 5 s; then the
// process refuses writes and works no jobs.
//
// Stop: at SIGTERM /readyz responds with 503 for ROSTRUM_SHUTDOWN_DELAY, the listener closes,
// streams end, and open requests and jobs have 20 s before the database is closed. A request is
// open from its first byte: drainer (drain.go) keeps connections whose header has arrived in part,
// which net/http would close. All responses then have Connection: close; a client of HTTP/2 learns
// from net/http which of its requests have not begun.
//
// Rate limits: every request takes a token after authentication and before its body is read. Keys
// and users have a limit of their own, other requests share that of their address (limit.go).
//
// router.go sets nosniff and a Referrer-Policy on every response. Links set the browsers' default,
// so that destinations receive the referrer's origin.
//
// A domain package declares the interface or func that it needs from another one, and services.go
// passes the implementation. To add a setting: a field of Config with its help; docs/settings.md is
// generated from it. To add a limit: its constant or setting, its row in SECURITY.md and its figure
// in security_test.go.
package app
