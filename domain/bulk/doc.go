// Package bulk writes whole lists into files, and runs a mutation for each line of a file, by jobs.
//
// Idea: a bulk query is a query of the graph with one connection at its root. The job reads it page
// by page on the graph's own executor, as the key or the user that started it, so scopes,
// visibility, limits, audit and the workspace's slots are those of a request. A line is a node, in
// the shape that the query gives it. A bulk mutation runs its mutation for each line of its input,
// likewise, and writes a report.
//
// Nested connections are part of the line of their node, with all of their rows: a front end reads
// a line with the type that its code generator makes of the query, and a line is whole by itself.
// Lines that refer to earlier ones would have to be joined by every client. A line has at most
// MaxLine bytes; a longer one ends the job, with the advice to start at the longer list. What does
// not fit the first page of a nested connection is read from its parent by node(id:).
//
// Position: before the first row is read, the job stores the position of the event feed. Each row
// is as it was at some time after it, and what changes later has an event after the position. So
// file and feed together have everything, and an event may tell of what the file has already. In an
// order by a value that changes meanwhile, a row that moves may be in the file twice, or only in
// the feed.
//
// Resumption: a part of the file is stored as a blob with a key of its own, and then committed
// together with the cursor of its last row, under the job's lease. So a file continues at the byte
// after a kill, and no row is lost or there twice. Whoever has lost the lease leaves a blob without a
// row, which is swept. Lines of a mutation have an idempotency key each; those after the last
// committed part run again and get their stored answers.
//
// Rights: the caller is read anew with each part, at most every 2 seconds. A revoked or expired key
// and a removed member end the job. Only who started the job may fetch the file, because the texts
// under embargo in it were noted in the audit log for that reader.
//
// Limits: one bulk query and one bulk mutation of a workspace run at a time, and a process works on
// Workers. Pages become smaller when a limit of the graph or the time of a query is exceeded, down to
// one row. Memory is one part, one page and one line.
//
// Proof: TestKill of this package cuts jobs after each commit on both databases, scenarios
// bulk_*.txtar, and the bench.
package bulk
