package fetch

import (
	"encoding/binary"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// CheckURL parses a URL and returns an *Error if it can be rejected without DNS: invalid syntax, a
// scheme other than http and https, user information, or a private host. IP addresses are accepted
// in every form of C libraries (decimal, octal, hexadecimal, short) and normalized: for example
// 0x7f.1 is 127.0.0.1.
func (c *Client) CheckURL(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, &Error{Kind: BadURL, Cause: err}
	}
	if addr, ok := parseIP(u.Hostname()); ok {
		u.Host = hostPort(addr, u.Port())
	}
	if err := c.checkParsed(u); err != nil {
		return nil, err
	}
	return u, nil
}

// checkParsed is CheckURL for a parsed URL; redirects call it directly.
func (c *Client) checkParsed(u *url.URL) error {
	switch {
	case u.Scheme == "" || u.Host == "" && u.Opaque == "" && isHTTP(u.Scheme):
		return &Error{Kind: BadURL}
	case !isHTTP(u.Scheme):
		return &Error{Kind: Scheme}
	case u.Hostname() == "" || u.User != nil || !portOK(u.Port()):
		return &Error{Kind: BadURL}
	case c.hostBlocked(u.Hostname()):
		return &Error{Kind: Blocked}
	}
	return nil
}

func isHTTP(scheme string) bool { return scheme == "http" || scheme == "https" }

func portOK(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func (c *Client) hostBlocked(host string) bool {
	if addr, ok := parseIP(host); ok {
		return c.guard.SafeAddrPort(netip.AddrPortFrom(addr, 80)) != nil
	}
	if name := asciiHost(host); name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return !c.isAllowed("127.0.0.1") && !c.isAllowed("::1")
	}
	return false
}

func (c *Client) isAllowed(addr string) bool {
	return c.guard.SafeAddrPort(netip.AddrPortFrom(netip.MustParseAddr(addr), 80)) == nil
}

func hostPort(addr netip.Addr, port string) string {
	if port != "" {
		return net.JoinHostPort(addr.String(), port)
	}
	if addr.Is6() {
		return "[" + addr.String() + "]"
	}
	return addr.String()
}

// asciiHost normalizes case, full-width digits and dots, and the trailing dot, as resolvers do.
func asciiHost(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// parseIP parses an IP address in any form that inet_aton or a browser accepts.
func parseIP(host string) (netip.Addr, bool) {
	host = asciiHost(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().WithZone(""), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(cPrefix(part), 0, 64)
		last := i == len(parts)-1
		if err != nil || strings.Contains(part, "_") || !last && n > 255 || last && n >= 1<<(8*(4-uint(i))) {
			return netip.Addr{}, false
		}
		if last {
			sum |= n
		} else {
			sum |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(sum)))), true
}

// cPrefix returns an invalid number for the prefixes 0o and 0b. strconv accepts them, but C does
// not.
func cPrefix(part string) string {
	if len(part) > 1 && part[0] == '0' && strings.ContainsAny(part[1:2], "oObB") {
		return "-"
	}
	return part
}
