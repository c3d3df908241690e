// Package job runs background work: the queue and its workers, the public job row, and the stream
// of a job's events.
//
// Idea: a use case stores its own rows, the public job row and the queue's row (River) in one
// transaction, so a job exists exactly if its cause does. A worker takes the job with a lease that
// it renews by the database's clock (dbx.DB.Now). Every change of a job appends an event whose
// position is taken under the row's lock, so positions have no gaps. Subscriptions, SSE and the
// REST stream have the same positions and can be resumed after any of them.
//
// What a package registers is a Kind, in a file job.go beside what the job serves. Metered is for
// jobs that cost model runs: it reserves runs in the transaction that queues the job, settles them
// in the one that ends it, reserves again for a retry, and estimates without running. A task
// (task.go) is light work without a public row, for example a webhook delivery; it runs at least
// once.
//
// A job that writes rows last returns an Ending: the transaction that ends the job calls it, so
// rows and end commit together. This saves time too, because each commit with events of a workspace
// waits for the one before it.
//
// Limits: Work may run twice, so it must be idempotent. A worker that has lost its lease cannot
// write: its token is older than the row's. A job whose host is at its concurrency limit is
// snoozed, and the worker is free for others. Order is fair between workspaces: River fetches a
// waiting job by its rank (fetch_at), one step after the workspace's last waiting job of the type.
// The duration of jobs is not limited between workspaces.
//
// Fallback: Redis only carries notifications. A watcher that misses a position reads it from the
// database. A job that still runs when its lease ends has lost its worker and is queued again.
// After three lost workers it fails with worker_died (rescue.go), so that an input that kills
// processes does not kill one after another. A SQLite file has one process, so at its start all
// leases of an earlier one are void, and so is the queue's leadership.
//
// On Postgres the queue fetches and completes its rows over connections that do not wait for the
// disk (dbx.DB.Pool). After a crash of the server some completed tasks may run again.
//
// Proof: the tests of this package run on both databases and both kinds of Redis. TestJobShapes of
// test/integration needs a scenario for each type of job, and make faults checks that no job is
// lost, doubled or stuck.
//
// To add a kind of job: write job.go in its package and register it in the package's New; add the
// JobType to model/job_type.go with its parameters and result, and their fields to
// graph/job_parameters.graphqls and graph/job_result.graphqls.
package job
