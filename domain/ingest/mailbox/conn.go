package mailbox

import (
	"errors"
	"net"
	"regexp"
	"strconv"
	"sync/atomic"
)

// errTooMuch ends a connection whose server sends more than the command allows.
var errTooMuch = errors.New("the server sent more than the command allows")

// limitedConn is a connection from which only a limited number of bytes is read until the limit is
// renewed. It bounds what a server can make the client keep in memory.
type limitedConn struct {
	net.Conn
	left atomic.Int64
}

// Read implements net.Conn.
func (c *limitedConn) Read(p []byte) (int, error) {
	left := c.left.Load()
	if left <= 0 {
		return 0, errTooMuch
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), left)])
	c.left.Add(-int64(n))
	return n, err
}

const (
	// maxDepth is how deep the lists of an answer may be nested. The commands sent here need three
	// levels, but the library reads the unasked structure of a mail without a limit.
	maxDepth = 20
	// maxLists is how many lists other answers than those with mails may have.
	maxLists = 1000
	// lineEnd is how much of the end of a line is kept, to find the length of a literal.
	lineEnd = 32
)

var (
	ofMail        = regexp.MustCompile(`(?i)^\* [0-9]{1,10} FETCH \($`)
	literalLength = regexp.MustCompile(`\{([0-9]{1,18})\}\r?\n$`)
)

// guardedConn is a connection in clear text that ends if an answer is nested too deeply. It knows
// strings and literals as the library does, and only in answers that may have them: those with mails.
type guardedConn struct {
	net.Conn
	start   []byte // the line up to its first list, at most lineEnd bytes
	end     []byte // the last bytes of the line
	isMail  bool   // it has the data of a mail
	lists   int    // open ones, and in other answers all
	quoted  bool
	escaped bool
	literal int64 // the bytes of a literal that are still to come
}

// Read implements net.Conn.
func (c *guardedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	for i := 0; i < n; i++ {
		if c.literal > 0 {
			skipped := min(c.literal, int64(n-i))
			c.literal -= skipped
			i += int(skipped) - 1
		} else if !c.take(p[i]) {
			return 0, errTooMuch
		}
	}
	return n, err
}

// take reads a byte outside of literals. It reports whether the connection may go on.
func (c *guardedConn) take(b byte) bool {
	if c.end = append(c.end, b); len(c.end) > 2*lineEnd {
		c.end = append(c.end[:0], c.end[lineEnd:]...)
	}
	if c.lists == 0 && len(c.start) < lineEnd {
		c.start = append(c.start, b)
	}
	switch {
	case c.quoted:
		c.quoted, c.escaped = b != '"' || c.escaped, b == '\\' && !c.escaped
		return b != '\n'
	case b == '\n':
		return c.endLine()
	case b == '"':
		c.quoted = c.isMail
	case b == '(':
		c.isMail = c.isMail || c.lists == 0 && ofMail.Match(c.start)
		c.lists++
	case b == ')' && c.isMail: // in free text it closes nothing
		c.lists--
	}
	return c.lists <= maxDepth || !c.isMail && c.lists <= maxLists
}

// endLine begins a literal or the next line. Other answers than those with mails have no literals.
func (c *guardedConn) endLine() bool {
	length := literalLength.FindSubmatch(c.end)
	c.end = c.end[:0]
	if length != nil && c.isMail {
		c.literal, _ = strconv.ParseInt(string(length[1]), 10, 64) // 18 digits fit
		return true
	}
	c.start, c.isMail, c.lists = c.start[:0], false, 0
	return length == nil
}
