package web

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		remote    string
		forwarded []string
		want      string // empty: unknown
		via       bool
	}{
		"a_direct_client":              {"192.0.2.1:5000", nil, "192.0.2.1", false},
		"a_client_cannot_name_another": {"192.0.2.1:5000", []string{"198.51.100.7"}, "192.0.2.1", false},
		"after_a_proxy":                {"10.0.0.1:5000", []string{"192.0.2.1"}, "192.0.2.1", true},
		"after_two_proxies":            {"10.0.0.1:5000", []string{"192.0.2.1, 10.0.0.2"}, "192.0.2.1", true},
		"a_header_for_each_proxy": {"10.0.0.1:5000", []string{"192.0.2.1", "10.0.0.2"}, "192.0.2.1",
			true},
		"a_hop_that_the_client_added_is_ignored": {"10.0.0.1:5000", []string{"203.0.113.9, 192.0.2.1"}, "192.0.2.1",
			true},
		"a_hop_with_a_port":               {"10.0.0.1:5000", []string{"192.0.2.1:4711"}, "192.0.2.1", true},
		"a_hop_by_ipv6_with_a_port":       {"10.0.0.1:5000", []string{"[2001:db8::1]:4711"}, "2001:db8::1", true},
		"a_hop_by_ipv6_in_brackets":       {"10.0.0.1:5000", []string{"[2001:db8::1]"}, "2001:db8::1", true},
		"only_proxies":                    {"10.0.0.1:5000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3", true},
		"a_malformed_hop_ends_the_search": {"10.0.0.1:5000", []string{"192.0.2.1, nonsense"}, "10.0.0.1", true},
		"a_proxy_by_ipv6":                 {"[fd00::1]:5000", []string{"2001:db8::1"}, "2001:db8::1", true},
		"a_proxy_by_ipv4_in_ipv6": {"[::ffff:10.0.0.1]:5000", []string{"::ffff:192.0.2.1"}, "192.0.2.1",
			true},
		"a_zone_is_left_out": {"[fe80::1%eth0]:5000", nil, "fe80::1", false},
		"a_unix_socket":      {"@", []string{"192.0.2.1"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			got := ClientAddress(r, proxies)
			if got.IsValid() != (c.want != "") || got.IsValid() && got.String() != c.want {
				t.Errorf("the address is %s, want %q", got, c.want)
			}
			if via := ViaProxy(r, proxies); via != c.via {
				t.Errorf("via proxy: %t", via)
			}
		})
	}
}
