// Package mailtest runs mail servers for tests, on this machine.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// The user of a Server.
const (
	Username = "press@example.com"
	Password = "correct horse"
)

// Server is an IMAP server with one user, whose mails are in memory. It speaks TLS with the
// certificate of httptest's servers, and on PlainPort also without.
type Server struct {
	Port, PlainPort int

	user   *imapmemserver.User
	mu     sync.Mutex
	logins int
}

// New starts a server on 127.0.0.1 with an empty INBOX.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{user: imapmemserver.NewUser(Username, Password)}
	must(t, s.user.Create("INBOX", nil))
	memory := imapmemserver.New()
	memory.AddUser(s.user)
	options := &imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.logins++
			return memory.NewSession(), nil, nil
		},
		TLSConfig: Certificate(), InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
	}
	server := imapserver.New(options)
	t.Cleanup(func() { _ = server.Close() })
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	secure, err := tls.Listen("tcp", "127.0.0.1:0", Certificate())
	must(t, err)
	for _, listener := range []net.Listener{plain, secure} {
		go func() { _ = server.Serve(listener) }()
	}
	s.PlainPort, s.Port = plain.Addr().(*net.TCPAddr).Port, secure.Addr().(*net.TCPAddr).Port
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Deliver adds a mail to INBOX, received at a time.
func (s *Server) Deliver(t testing.TB, at time.Time, mail string) {
	t.Helper()
	_, err := s.user.Append("INBOX", bytes.NewReader([]byte(mail)), &imap.AppendOptions{Time: at})
	must(t, err)
}

// Renew makes INBOX a new, empty folder, whose UIDs have nothing to do with the former ones.
func (s *Server) Renew(t testing.TB) {
	t.Helper()
	must(t, s.user.Delete("INBOX"))
	must(t, s.user.Create("INBOX", nil))
}

// Unseen returns how many mails nobody has read.
func (s *Server) Unseen(t testing.TB) int {
	t.Helper()
	status, err := s.user.Status("INBOX", &imap.StatusOptions{NumUnseen: true})
	must(t, err)
	return int(*status.NumUnseen)
}

// Connections returns how many connections there were.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logins
}

// Certificate returns the settings of a TLS server with httptest's certificate.
var Certificate = sync.OnceValue(func() *tls.Config {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	return &tls.Config{Certificates: server.TLS.Certificates, MinVersion: tls.VersionTLS12}
})

// Roots returns the authority of Certificate.
func Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(Certificate().Certificates[0].Certificate[0])
	if err == nil {
		pool.AddCert(leaf)
	}
	return pool
}
