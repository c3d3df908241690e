// Package idempotency stores the responses to requests with an Idempotency-Key, so that a repeated
// request is not executed again.
//
// Idea: a mutation claims its key after authorization and before any resolver. Every transaction of
// the mutation marks the key (dbx.WithCommitHook), so it is known whether a failed mutation changed
// something. A repeated request gets the stored response, runs again if nothing was committed, or
// fails with conflict if something was committed and the response was not kept.
//
// Limits: a response is stored once execution has started. Not stored are rejections of mutations
// that committed nothing, responses with a 5xx of one mutation, files, and responses over 256 KB.
// Responses are encrypted and kept for 24 hours.
//
// Fallback: a claim is a lease of 10 s that the running request renews. The key of a process that
// crashed or is paused is soon free, and that process cannot commit any more. Postgres ends
// transactions that are idle for 10 s, so its row locks are free too (dbx/dialect.go).
//
// Proof: scenarios repeat requests on both databases, and the load of make faults has keys while
// gateways are killed.
package idempotency
