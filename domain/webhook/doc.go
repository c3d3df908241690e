// Package webhook sends the events of a workspace to subscribed https URLs, retries failed
// deliveries and keeps a log of them.
//
// Idea: EnqueueDeliveries runs in the transaction of the event. It creates a delivery for each
// active webhook that subscribes, and a task for up to eight of them. A task runs at least once,
// and its deliveries at the same time: runDelivery reads the delivery, posts it and stores the
// result. Reads and results of concurrent deliveries share statements (batcher.go). A batch in
// which all succeeded, none is ordered and no webhook had failures is written without a
// transaction.
//
// Retries: up to nine, after 5 s to 24 h plus jitter, or the receiver's Retry-After if it is longer
// (schedule.go). After a 410 the webhook is paused and its open deliveries are skipped, as when its
// owner pauses it.
//
// Outages: a webhook is paused for failures after 20 failed attempts in a row in a minute or more,
// or after an hour in which all failed (keepsFailing). Its deliveries are kept without a task, and
// it is probed after 10 s, 30 s, 2 min, and then every 5 min (probe.go). When a probe succeeds, or
// its owner resumes it, they are sent, the oldest first. A probed delivery that is older than its
// retries would be fails.
//
// Fencing: each enqueueing increments the delivery's generation. A task of an older generation does
// nothing, and results are only written to an unchanged one.
//
// Order: deliveries of an ordered webhook have the link's id as ordering_key and are created
// deferred. Only the oldest unfinished one of a key is enqueued. Replayed deliveries are deferred
// too.
//
// Limits: a process runs at most 2,000 deliveries at the same time, 32 of one webhook, and 32 more
// wait (limiter.go). It begins a request only while fewer than 64 others are younger than 50 ms
// (active.go), because more of them need more connections and are not faster. A delivery that gets
// no slot while the others stall for 250 ms, or within 5 s, is deferred: waiting_since is set, it
// has no task, and dispatch.go enqueues it when slots are free. The webhook's row is locked before
// its deliveries are written in a transaction.
//
// webhook.paused and webhook.resumed are appended by a task (announce.go). A webhook and its
// deliveries share the event webhook.changed, which is not part of their
// transactions: results would wait for the feed's row. A process records a changed webhook at most
// once in half a second (change.go). A killed process may lose the event of its last half second,
// not the change.
//
// Proof: scenarios run all of this against a receiver on loopback, and make faults stops receivers
// and gateways and checks that every event was delivered.
package webhook
