package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	smtp "github.com/wneessen/go-mail"

	"rostrum/llm/text"
	"rostrum/model"
)

// sendTime is the time limit of one conversation with the mail server, less than taskTime.
const sendTime = 20 * time.Second

// maxError is the largest number of characters of an error that is stored.
const maxError = 500

// Server is the mail server that takes the mails of the gateway.
type Server struct {
	host    string
	options []smtp.Option
	from    *netmail.Address
}

// NewServer returns the server at an address: smtps://user:password@host:465 for TLS from the start,
// or smtp://user:password@host:587 for STARTTLS, which the server must offer unless its address is a
// loopback one. from is the sender, such as "Rostrum <rostrum@example.com>". roots may be nil. It
// returns an error for an invalid address or sender.
func NewServer(address, from string, roots *x509.CertPool) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("the mail server is no smtp:// or smtps:// address with a host") // without the password
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, errors.New("the sender is no address such as Rostrum <rostrum@example.com>")
	}
	s := &Server{host: u.Hostname(), from: sender, options: []smtp.Option{
		smtp.WithTimeout(sendTime), smtp.WithTLSConfig(&tls.Config{ServerName: u.Hostname(), RootCAs: roots, MinVersion: tls.VersionTLS12}),
	}}
	if u.Scheme == "smtps" {
		s.options = append(s.options, smtp.WithSSL(), smtp.WithPort(smtp.DefaultPortSSL))
	} else {
		s.options = append(s.options, smtp.WithTLSPolicy(startTLS(u.Hostname())), smtp.WithPort(smtp.DefaultPortTLS))
	}
	if port := u.Port(); port != "" {
		number, err := strconv.Atoi(port)
		if err != nil {
			return nil, fmt.Errorf("the port of the mail server: %w", err)
		}
		s.options = append(s.options, smtp.WithPort(number))
	}
	if password, given := u.User.Password(); given {
		s.options = append(s.options, smtp.WithSMTPAuth(smtp.SMTPAuthAutoDiscover), smtp.WithUsername(u.User.Username()),
			smtp.WithPassword(password))
	}
	return s, nil
}

// startTLS returns whether a server must offer STARTTLS: a password must not cross a network in
// clear text.
func startTLS(host string) smtp.TLSPolicy {
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
		return smtp.TLSOpportunistic
	}
	return smtp.TLSMandatory
}

// Send gives a mail to the server.
func (s *Server) Send(ctx context.Context, mail *model.Mail, what *model.MailText) error {
	m := smtp.NewMsg()
	if err := errors.Join(m.FromFormat(s.from.Name, s.from.Address), m.To(mail.Recipient)); err != nil {
		return &addressError{err}
	}
	m.Subject(what.Subject)
	m.SetMessageIDWithValue(mail.ID + s.from.Address[strings.LastIndex(s.from.Address, "@"):])
	m.SetDateWithValue(mail.CreatedAt)
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic answers
	if what.Stop != "" {
		m.SetGenHeader(smtp.HeaderListUnsubscribe, "<"+what.Stop+">") // RFC 2369
	}
	m.SetBodyString(smtp.TypeTextPlain, what.Body)
	client, err := smtp.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("the mail server: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	return client.DialAndSendWithContext(ctx, m)
}

// addressError is the error of an address that no server would take.
type addressError struct{ error }

// isFinal reports whether the mail would be refused again: the server said so with a code from 500
// to 599 (RFC 5321), or the address is none.
func isFinal(err error) bool {
	if _, ok := errors.AsType[*addressError](err); ok {
		return true
	}
	refused, ok := errors.AsType[*smtp.SendError](err)
	return ok && refused.ErrorCode() >= 500 && refused.ErrorCode() < 600
}

// errorText returns an error as it is stored and shown to owners; nil for none.
func errorText(err error) *string {
	if err == nil {
		return nil
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return new("the mail server does not answer")
	}
	return new(text.FirstRunes(err.Error(), maxError))
}
