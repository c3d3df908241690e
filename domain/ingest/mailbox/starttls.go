package mailbox

import (
	"errors"
	"fmt"
	"net"
	"strings"
)

const (
	// greeting is what the library is told after STARTTLS, as servers greet only once.
	greeting = "* OK ready\r\n"
	// maxLine is the longest line that is read before the connection is encrypted.
	maxLine = 8192
)

// askForTLS reads the greeting of a server and asks it to begin TLS. It reads no byte further than
// the answer, so that nothing sent in clear text counts as encrypted.
func askForTLS(conn net.Conn) error {
	line, err := readLine(conn)
	if err != nil || !strings.HasPrefix(line, "* OK") {
		return fmt.Errorf("the greeting is %q: %w", line, errors.Join(err, errNoTLS))
	}
	if _, err := conn.Write([]byte("a STARTTLS\r\n")); err != nil {
		return err
	}
	for {
		line, err := readLine(conn)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(line, "* "): // an answer that nobody asked for
		case strings.HasPrefix(line, "a OK"):
			return nil
		default:
			return errNoTLS
		}
	}
}

var errNoTLS = errors.New("the server offers no STARTTLS")

// readLine reads a line byte by byte.
func readLine(conn net.Conn) (string, error) {
	var line []byte
	next := make([]byte, 1)
	for len(line) < maxLine {
		if _, err := conn.Read(next); err != nil {
			return "", err
		}
		if line = append(line, next[0]); next[0] == '\n' {
			return string(line), nil
		}
	}
	return "", errTooMuch
}

// greetedConn gives a greeting before what the server sends.
type greetedConn struct {
	net.Conn
	greeting []byte
}

// Read implements net.Conn.
func (c *greetedConn) Read(p []byte) (int, error) {
	if len(c.greeting) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.greeting)
	c.greeting = c.greeting[n:]
	return n, nil
}
