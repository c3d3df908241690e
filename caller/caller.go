// Package caller tells where a request comes from when proxies of ours stand between.
package caller

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Address is where the request comes from: the nearest address in X-Forwarded-For that is no proxy of ours, believed only when a
// proxy of ours passed it on. IPv4 in IPv6 is unwrapped. The address is the zero Addr when the connection names none, as a Unix
// socket's does.
func Address(r *http.Request, proxies []netip.Prefix) netip.Addr {
	nearest := peer(r)
	if !nearest.IsValid() || !within(nearest, proxies) {
		return nearest
	}
	for _, hop := range slices.Backward(strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")) {
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		nearest = plain(address)
		if !within(nearest, proxies) {
			break
		}
	}
	return nearest
}

// ViaProxy reports whether a proxy of ours passed the request on, so that what its own headers say is believed.
func ViaProxy(r *http.Request, proxies []netip.Prefix) bool {
	return within(peer(r), proxies)
}

// peer is the other end of the connection.
func peer(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return plain(address)
}

func plain(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }

func within(address netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}
