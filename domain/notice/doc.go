// Package notice tells members by mail what happens in a workspace: alerts of the events that they
// have chosen, and a daily briefing.
//
// Idea: both are ranges of the event feed. Run looks every half minute who has something to be told,
// and queues a mail with the range in the transaction that moves the member's position. The text is
// composed when it is sent, so whoever has left the workspace or switched it off gets nothing. An
// alert waits a minute for more events, and the next one follows after 5 minutes at the earliest.
// While a mail waits for the mail server, none of its kind is queued: the next one tells the rest.
//
// A mail names documents that are public when it is sent. Of an internal one it has the link, and
// nothing of one under embargo. It has no words of drafts, comments, forms and addresses of sources,
// as with webhooks.
//
// Limits: the events are those of webhooks (model.EventTypes). A mail lists 50 lines and reads the
// first 500 events of its range. A range whose mail the server refuses for a day is not told again.
//
// Proof: scenarios on both databases, with a mail server that takes what is sent.
package notice
