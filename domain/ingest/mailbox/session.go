package mailbox

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"rostrum/model"
	"rostrum/platform/fetch"
)

const (
	// commandTime limits a command, and mailTime one that reads a whole mail.
	commandTime = 30 * time.Second
	mailTime    = 2 * time.Minute
	// commandBytes is how many bytes a server may send for a command: enough for the UIDs of 100,000
	// mails, and for the heads of MaxHeads mails.
	commandBytes = 4 << 20
	// mailOverhead is what it may send with a mail besides its bytes.
	mailOverhead = 1 << 20
)

// Session is a connection to a mail server with an open folder. It is not safe for concurrent use.
type Session struct {
	conn   *limitedConn
	client *imapclient.Client

	UIDValidity uint32 // the UIDs are only valid with it
	Count       uint32 // how many mails the folder has
}

// Open connects, signs in, and opens the folder for reading only. It returns *Error, or the context's
// error. Close must be called unless it fails.
func Open(ctx context.Context, dialer *fetch.Client, box model.Mailbox, password string) (*Session, error) {
	conn, err := dialer.Dial(ctx, box.Host, box.Port)
	if err != nil {
		return nil, asError(ctx, Kind(fetch.Connection), err)
	}
	if box.Security == model.MailboxSecurityNone && !dialer.IsPrivate(conn.RemoteAddr()) {
		conn.Close()
		return nil, &Error{Kind: Plain}
	}
	s := &Session{conn: &limitedConn{Conn: conn}}
	if err := s.signIn(ctx, dialer.TLS(box.Host), box, password); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) signIn(ctx context.Context, secure *tls.Config, box model.Mailbox, password string) error {
	if err := s.greet(ctx, secure, box.Security); err != nil {
		return err
	}
	err := s.do(ctx, commandTime, commandBytes, func() error {
		return s.client.Login(box.Username, password).Wait()
	})
	if err != nil {
		return refusedAs(Refused, err)
	}
	var folder *imap.SelectData
	err = s.do(ctx, commandTime, commandBytes, func() (err error) {
		folder, err = s.client.Select(box.Folder, &imap.SelectOptions{ReadOnly: true}).Wait()
		return err
	})
	if err != nil {
		return refusedAs(Folder, err)
	}
	if folder.UIDValidity == 0 {
		return &Error{Kind: Protocol, Cause: errors.New("the folder has no UIDVALIDITY")}
	}
	s.UIDValidity, s.Count = folder.UIDValidity, folder.NumMessages
	return nil
}

// greet encrypts the connection and waits for the server's greeting.
func (s *Session) greet(ctx context.Context, secure *tls.Config, security model.MailboxSecurity) error {
	kind := TLS
	err := s.do(ctx, commandTime, commandBytes, func() error {
		conn := net.Conn(s.conn)
		if security == model.MailboxSecuritySTARTTLS {
			if err := askForTLS(s.conn); err != nil {
				return err
			}
		}
		if security != model.MailboxSecurityNone {
			encrypted := tls.Client(s.conn, secure)
			if err := encrypted.HandshakeContext(ctx); err != nil {
				return err
			}
			conn = encrypted
		}
		kind = Protocol
		if security == model.MailboxSecuritySTARTTLS { // the greeting has come already
			conn = &greetedConn{Conn: conn, greeting: []byte(greeting)}
		}
		s.client = imapclient.New(&guardedConn{Conn: conn}, nil)
		return s.client.WaitGreeting()
	})
	if failed, ok := errors.AsType[*Error](err); ok && failed.Kind == Protocol {
		failed.Kind = kind
	}
	return err
}

// refusedAs sets the kind of an error if the server refused a command, and not only for a while.
func refusedAs(kind Kind, err error) error {
	failed, ok := errors.AsType[*Error](err)
	if ok && failed.Kind == Busy && !isTemporary(failed.Cause) {
		failed.Kind = kind
	}
	return err
}

// do runs a command within its limits of time and bytes. It returns *Error of the kinds Busy for a
// command that the server refused, fetch.Timeout and Protocol, or the context's error.
func (s *Session) do(ctx context.Context, within time.Duration, bytes int64, command func() error) error {
	s.conn.left.Store(bytes)
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	defer context.AfterFunc(limited, func() { s.conn.Close() })()
	err := command()
	kind := Protocol
	if said, ok := errors.AsType[*imap.Error](err); ok {
		kind, err = Busy, &imap.Error{Type: said.Type, Code: said.Code} // its text may repeat the password
	} else if limited.Err() != nil {
		kind = Kind(fetch.Timeout)
	}
	return asError(ctx, kind, err)
}

// Close ends the connection. It says goodbye to a server that still listens.
func (s *Session) Close() {
	if s.client != nil {
		if s.client.State() == imap.ConnStateSelected {
			_ = s.do(context.Background(), time.Second, mailOverhead, func() error { return s.client.Logout().Wait() })
		}
		_ = s.client.Close()
	}
	_ = s.conn.Close()
}
