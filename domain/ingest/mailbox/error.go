package mailbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/emersion/go-imap/v2"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/fetch"
)

// Kind is the reason why a mailbox was not read.
type Kind string

// Kinds of failures. Those to connect are fetch.Blocked, fetch.DNS, fetch.Timeout and
// fetch.Connection.
const (
	TLS     Kind = "tls"     // the certificate or the handshake failed, or TLS is not offered
	Plain   Kind = "plain"   // a connection without encryption to a public address
	Refused Kind = "refused" // the user name or the password is wrong
	Folder  Kind = "folder"  // there is no such folder
	Lost    Kind = "lost"    // the password was sealed with another key
	// Unreadable is a mail that the server does not give.
	Unreadable Kind = "unreadable"
	Busy       Kind = "busy"     // the server refused a command that it should take
	Protocol   Kind = "protocol" // the server is not understood, sent too much, or hung up
)

// Error is a failure to read a mailbox. Message is for users, Cause for the log.
type Error struct {
	Kind  Kind
	Cause error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Message(), e.Cause) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

var failures = map[Kind]struct {
	code    string
	message string
}{
	Kind(fetch.Blocked): {string(model.ProcessingErrorCodeBlockedAddress),
		"the mail server's address is private or reserved, and this server does not reach those"},
	Kind(fetch.DNS): {string(model.ProcessingErrorCodeDnsFailed),
		"the name of the mail server could not be resolved; check the host"},
	Kind(fetch.Timeout): {string(model.ProcessingErrorCodeTimeout),
		"the mail server did not answer in time; check host, port and encryption"},
	Kind(fetch.Connection): {string(errs.Unavailable), "the mail server could not be reached; check host and port"},
	TLS: {string(errs.Unavailable),
		"no safe connection to the mail server was possible; check that the host is the name in its certificate, and the port and the encryption"},
	Plain: {string(model.ProcessingErrorCodeBlockedAddress),
		"a mail server is read without encryption only in a network of ROSTRUM_FETCH_ALLOW; choose TLS or STARTTLS"},
	Refused: {string(model.ProcessingErrorCodeLoginWall),
		"the mail server refused the user name or the password; check both: many servers want a password that is made for programs"},
	Folder: {string(errs.NotFound), "the mailbox has no such folder, or it cannot be read; check the folder's name"},
	Lost: {string(errs.Internal),
		"the stored password cannot be read, because this server has another seal key; enter the password again"},
	Unreadable: {string(errs.Unavailable), "the mail server does not give it"},
	Busy:       {string(errs.Unavailable), "the mail server does not take requests at present"},
	Protocol: {string(errs.Unavailable),
		"the mail server hung up or its answer was not understood; check that host and port are those of an IMAP server"},
}

// Message returns a lower-case sentence for users.
func (e *Error) Message() string { return failures[e.Kind].message }

// Code returns the reason as a word, of ProcessingErrorCode or ErrorCode.
func (e *Error) Code() string { return failures[e.Kind].code }

// Field returns the member of the mailbox's input that is most likely wrong.
func (e *Error) Field() string {
	switch e.Kind {
	case Refused:
		return "password"
	case Folder:
		return "folder"
	case Plain:
		return "security"
	}
	return "host"
}

// asError returns an error of a connection as an *Error, or the context's error.
func asError(ctx context.Context, kind Kind, err error) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if failed, ok := errors.AsType[*fetch.Error](err); ok {
		return &Error{Kind: Kind(failed.Kind), Cause: err}
	}
	return &Error{Kind: kind, Cause: err}
}

// isTemporary reports whether a server refuses a command for reasons of its own.
func isTemporary(err error) bool {
	said, ok := errors.AsType[*imap.Error](err)
	if !ok {
		return false
	}
	switch said.Code {
	case imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit, imap.ResponseCodeServerBug:
		return true
	}
	return said.Type == imap.StatusResponseTypeBye
}
