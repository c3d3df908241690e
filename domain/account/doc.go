// Package account authenticates requests and stores workspaces with their keys, users, sessions,
// run budgets and audit log.
//
// Idea: a request has a principal, a key or a signed-in user in one workspace, and every statement
// is restricted to its workspace. Keys are stored as hashes; a mistyped key fails its checksum
// without a query. Credentials and memberships are read for each request, so a sign-out or a lost
// role takes effect at once. Open streams check their credentials every two seconds.
//
// Changes of keys, members and plans write their audit entry (Audit) in the same transaction; an
// entry never has a secret. Model calls are recorded without their texts (RecordCall), before the
// answer is used, so that failed and cancelled work leaves its records too. Requests for deprecated
// fields are counted for each key and added to key_usage every 5 s.
//
// Sessions are stored in Redis, or in the database with the embedded Redis, which loses its data at
// a restart. A session cookie is accepted on POST /graphql, on its sockets and on REST routes with
// cookie: true, and only from pages of this server.
//
// Limits: a sign-in counts as an attempt of its address before the body is read, and of its email
// before the password is compared. A transaction that changes a workspace and a document locks the
// workspace first (LockWorkspace). Synchronous calls of a model use Spend, jobs use job.Metered.
//
// Fallback: while the database does not answer, records of model calls wait in memory.
package account
