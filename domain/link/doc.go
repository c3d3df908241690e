// Package link manages short links and serves their public addresses: redirects, files and hosted
// pages. It records viewer sessions, conversions and form submissions.
//
// Idea: a visit costs no statement if the link is known and the viewer has a session. ServeHTTP
// (open.go) finds the target in a cache of 4,096 links or in the database, where concurrent
// requests share one query. A pub/sub notification removes a changed link from the caches of all
// processes; without Redis an entry expires after 5 s. Package visitor says whether the request
// comes from a person. Programs get the same response and are not counted. A person's first visit
// starts a session, which a signed cookie keeps for 30 minutes.
//
// The committer writes new sessions. A visitor waits until the session is stored, at most 3 s. Four
// goroutines collect sessions into batches of up to 500:
//
//   - A batch of up to 64 is stored directly: sessions, counts and link.opened events in one
//     transaction.
//   - A larger one, or one that comes while journaled batches wait, is first written to
//     link_journal as one row. Then its viewers get their response, and one goroutine stores the
//     batches in order. The transaction that stores a batch deletes its row, so each session is
//     stored once. Reads of sessions wait for the journal, at most 1 s.
//   - Every 5 s each process stores journal rows older than 5 s, which a stopped process left.
//
// The transaction that stores sessions adds them to link_activity (by quarter of an hour) and to
// link_breakdown (by day, and by each dimension of which they have a value). The first conversion of a
// session sets its converted_at and adds to the same rows of link_breakdown, on the day of its opening,
// so that no value has more converted sessions than opens. Both tables stay when sessions are deleted.
//
// Hosted pages (package page) report views, conversions and submissions to
// /api/public/links/{slug}. The request has the session's id, signed for the link; an unknown id is
// refused. The session of a page starts when its script reports a view. {session_id} of a
// destination, the row, its events and the graph have the same text. The value of the cookie, which
// begins with the id, is accepted for it.
//
// A link may end by time or by its number of opens, and may have a password (limit.go, password.go).
// All requests of viewers pass stateFor or findOpenTarget. A link with a number of opens costs one
// statement for each person without a session, which takes an open; without the database it is not
// opened. The password's cookie is signed with the stored hash, so it ends with the password.
//
// A newsroom (newsroom.go) lists the pages of drafts that everybody can read now. It reads the database
// for each request, because a text appears in the second in which its embargo ends. A page shows the
// brand of its workspace, which is read with its target; after a change of a brand all cached targets
// expire.
//
// Files are in the store of package blob (file.go), written before the transaction of their link and
// deleted after that of its deletion; SweepFiles deletes what a process that died left. Files that a
// former release stored in a folder are served from there until MoveFiles has moved them.
//
// Limits: an address that has started ROSTRUM_SESSIONS_PER_ADDRESS sessions in a minute gets the
// response of a program. Sessions are deleted after ROSTRUM_SESSION_RETENTION, 1,000 per statement;
// counts, conversions and submissions stay. Link.preview and pagePreview render a page with the
// template of its viewers.
//
// Fallback: while the database does not answer, a target is served for 10 minutes after it was
// read. New sessions are then written to files of the folder links/sessions (outage.go) before
// their viewers get a response. Every process that shares the folder stores the files of all, at
// its start, every 5 s, and every 250 ms after an outage of its own; storing a session twice
// changes nothing. If files cannot be written either, up to 50,000 sessions stay in memory, and are
// lost if the process stops.
//
// If the database accepts other writes and still rejects a batch, its halves are stored separately
// until the rejected session is isolated. It is tried three times, logged with its id, and
// discarded. A journal row that cannot be decoded is logged and deleted.
//
// Proof: tests open links 1,000 times through three processes during an outage on both databases,
// and make faults counts every session.
package link
