// Package mailbox reads the folder of a mailbox by IMAP.
//
// Idea: Open connects through the guarded dialer, signs in and opens the folder read-only (EXAMINE),
// so no mail is marked, moved or deleted. Mails are found by their UIDs, which grow; the caller keeps
// the highest one and the folder's UIDVALIDITY.
//
// Limits: a command has 30 seconds and a mail 2 minutes. A server may send as many bytes as each
// command needs (the constants of session.go); one that sends more, or that is not understood, loses
// the connection.
//
// Fallback: a failure is an *Error whose message says what to do. It never has the server's words,
// because some repeat the password.
package mailbox
