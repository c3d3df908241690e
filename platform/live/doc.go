// Package live connects the processes through Redis: it publishes notifications to subscribers, and
// provides the client, caches and a rate limiter.
//
// Idea: the database has the truth and Redis only says that something is new. A process has one
// subscription to Redis. SourceFeeds runs one goroutine for each topic with readers: it decodes a
// notification once and gives the same entries to all readers that are up to date.
//
// A reader that falls behind, or starts at an earlier position, reads the database in its own
// goroutine until it has caught up. Lost notifications are read once for all readers that miss
// them. LatestStates is for values without a common order, for example the progress of a
// workspace's jobs: a slow reader gets the latest state and may miss some in between.
//
// Limits: an idle socket costs two goroutines and small buffers. The rate limiter takes tokens from
// Redis in batches of a twentieth of the limit per minute, so that most requests ask nobody.
//
// Fallback: without REDIS_URL an embedded server runs in the process. When Redis does not answer,
// streams read the database now and then, and each process limits rates alone.
//
// Proof: the tests of feeds lose notifications and slow readers down, and count the statements.
// make faults cuts the connections to Redis under load.
package live
