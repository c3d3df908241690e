package mailtest

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"rostrum/test/kit/poll"
)

// Sent is a mail that a Relay has taken.
type Sent struct {
	To        string `json:"to"`
	From      string `json:"from"`
	Subject   string `json:"subject"`
	MessageID string `json:"message_id"`
	Stop      string `json:"stop"` // the header List-Unsubscribe
	Body      string `json:"body"`
}

// Relay is an SMTP server that takes mails of the user Username. It speaks TLS on Port, and STARTTLS
// on PlainPort.
type Relay struct {
	Port, PlainPort int

	mu     sync.Mutex
	sent   []Sent
	refuse func(to string) error
}

// NewRelay starts a server on 127.0.0.1.
func NewRelay(t testing.TB) *Relay {
	t.Helper()
	r := &Relay{}
	server := smtp.NewServer(r)
	server.Domain, server.TLSConfig, server.AllowInsecureAuth = "localhost", Certificate(), false
	server.ReadTimeout, server.WriteTimeout = time.Minute, time.Minute
	t.Cleanup(func() { _ = server.Close() })
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	secure, err := tls.Listen("tcp", "127.0.0.1:0", Certificate())
	must(t, err)
	for _, listener := range []net.Listener{plain, secure} {
		go func() { _ = server.Serve(listener) }()
	}
	r.PlainPort, r.Port = plain.Addr().(*net.TCPAddr).Port, secure.Addr().(*net.TCPAddr).Port
	return r
}

// Refuse sets what the server answers to a recipient; nil takes the mail.
func (r *Relay) Refuse(refuse func(to string) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuse = refuse
}

// Sent returns the mails that it has taken.
func (r *Relay) Sent() []Sent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.sent)
}

// Wait waits until it has taken n mails, and returns them.
func (r *Relay) Wait(t testing.TB, n int) []Sent {
	t.Helper()
	poll.Until(t, func() bool { return len(r.Sent()) >= n }, "the server takes %d mails", n)
	return r.Sent()
}

// Address returns the relay's address for ROSTRUM_MAIL_URL, with STARTTLS.
func (r *Relay) Address() string {
	address := url.URL{Scheme: "smtp", User: url.UserPassword(Username, Password), Host: fmt.Sprintf("127.0.0.1:%d", r.PlainPort)}
	return address.String()
}

// ServeHTTP lists the mails that it has taken as JSON.
func (r *Relay) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(w).Encode(r.Sent())
}

// NewSession implements smtp.Backend.
func (r *Relay) NewSession(*smtp.Conn) (smtp.Session, error) { return &relaySession{relay: r}, nil }

type relaySession struct {
	relay *Relay
	isIn  bool
	to    string
}

// AuthMechanisms implements smtp.AuthSession.
func (s *relaySession) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth implements smtp.AuthSession.
func (s *relaySession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if s.isIn = username == Username && password == Password; !s.isIn {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (s *relaySession) Mail(string, *smtp.MailOptions) error {
	if !s.isIn {
		return smtp.ErrAuthRequired
	}
	return nil
}

// Rcpt implements smtp.Session.
func (s *relaySession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	if s.relay.refuse == nil {
		return nil
	}
	return s.relay.refuse(to)
}

// Data implements smtp.Session.
func (s *relaySession) Data(r io.Reader) error {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return err
	}
	text := m.Body
	if m.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		text = quotedprintable.NewReader(m.Body)
	}
	body, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err
	}
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	s.relay.sent = append(s.relay.sent, Sent{To: s.to, From: m.Header.Get("From"), Subject: subject,
		MessageID: m.Header.Get("Message-ID"), Stop: m.Header.Get("List-Unsubscribe"), Body: strings.ReplaceAll(string(body), "\r\n", "\n")})
	return nil
}

// Reset implements smtp.Session.
func (s *relaySession) Reset() {}

// Logout implements smtp.Session.
func (s *relaySession) Logout() error { return nil }
