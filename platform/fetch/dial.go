package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"

	"rostrum/platform/slot"
)

// Dial connects to a host for another protocol than HTTP. The address is checked and the host is
// limited as for a request; closing the connection gives the host's slot back. It returns *Error, or
// the context's error.
func (c *Client) Dial(ctx context.Context, host string, port int) (net.Conn, error) {
	if c.hostBlocked(host) {
		return nil, &Error{Kind: Blocked}
	}
	defer slot.Leave(ctx)()
	address := net.JoinHostPort(asciiHost(host), strconv.Itoa(port))
	release, err := c.limiter.acquire(ctx, address)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	conn, err := c.dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		release()
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, classifyError(err)
	}
	return &dialedConn{Conn: conn, release: sync.OnceFunc(release)}, nil
}

// dialedConn gives the slot of its host back when it is closed.
type dialedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *dialedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// TLS returns the settings of a TLS connection to a host, which trust what requests trust.
func (c *Client) TLS(host string) *tls.Config {
	return &tls.Config{ServerName: asciiHost(host), RootCAs: c.config.Roots, MinVersion: tls.VersionTLS12}
}

// IsPrivate reports whether an address is in a private network that is allowed.
func (c *Client) IsPrivate(address net.Addr) bool {
	parsed, err := netip.ParseAddrPort(address.String())
	return err == nil && slices.ContainsFunc(c.config.Allow, func(p netip.Prefix) bool {
		return p.Contains(parsed.Addr().Unmap().WithZone(""))
	})
}
