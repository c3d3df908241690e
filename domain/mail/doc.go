// Package mail sends mails: links of invites, links that set a password, alerts and briefings.
//
// Idea: a mail is a row that is stored in the transaction of what it tells, and a task that sends
// it. Its text is composed when it is sent, by the package whose mail it is, so an invite that was
// revoked meanwhile is not sent. A secret in it is sealed and is deleted with the end.
//
// Limits: mails are plain text. A mail is sent again if the process dies between the server's answer
// and the commit; its Message-ID stays the same, so that programs show it once. Whether it reaches
// the mailbox is not known: only the first mail server's answer is.
package mail
