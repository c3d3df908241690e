package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ClientAddress returns the client's address: the nearest address in X-Forwarded-For that is not a
// trusted proxy. The header is read only when a trusted proxy sent the request. IPv4 in IPv6 is
// unmapped. It returns the zero Addr when the connection has no address, such as a Unix socket.
func ClientAddress(r *http.Request, proxies []netip.Prefix) netip.Addr {
	nearest := peerAddress(r)
	if !nearest.IsValid() || !containsAddress(nearest, proxies) {
		return nearest
	}
	for _, hop := range slices.Backward(strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")) {
		address, ok := parseHop(strings.TrimSpace(hop))
		if !ok {
			break
		}
		nearest = unmapAddress(address)
		if !containsAddress(nearest, proxies) {
			break
		}
	}
	return nearest
}

// parseHop parses an entry of X-Forwarded-For. Some proxies add a port: 192.0.2.1:443, or
// [2001:db8::1]:443.
func parseHop(hop string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr(), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	return address, err == nil
}

// ViaProxy reports whether a trusted proxy sent the request, so that its headers can be trusted.
func ViaProxy(r *http.Request, proxies []netip.Prefix) bool {
	return containsAddress(peerAddress(r), proxies)
}

// peerAddress returns the remote address of the connection, or the zero Addr when it cannot be
// parsed.
func peerAddress(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return unmapAddress(address)
}

func unmapAddress(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }

func containsAddress(address netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}
