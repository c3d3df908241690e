package app

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestCallerAddress(t *testing.T) {
	t.Parallel()
	a := &App{config: Config{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	for name, c := range map[string]struct{ remote, forwarded, want string }{
		"a_caller_of_its_own":                   {"192.0.2.1:5000", "", "192.0.2.1"},
		"a_caller_cannot_name_another":          {"192.0.2.1:5000", "198.51.100.7", "192.0.2.1"},
		"behind_a_proxy":                        {"10.0.0.1:5000", "192.0.2.1", "192.0.2.1"},
		"behind_two_proxies":                    {"10.0.0.1:5000", "192.0.2.1, 10.0.0.2", "192.0.2.1"},
		"ignores_hops_added_by_the_caller":      {"10.0.0.1:5000", "203.0.113.9, 192.0.2.1", "192.0.2.1"},
		"a_proxy_without_a_header":              {"10.0.0.1:5000", "", "10.0.0.1"},
		"nonsense_is_not_followed":              {"10.0.0.1:5000", "192.0.2.1, nonsense", "10.0.0.1"},
		"an_ipv6_network_is_one_caller":         {"[2001:db8:1:2:3:4:5:6]:5000", "", "2001:db8:1:2::/64"},
		"an_ipv4_address_in_ipv6_is_one_caller": {"[::ffff:192.0.2.1]:5000", "", "192.0.2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
			if c.forwarded != "" {
				r.Header.Set("X-Forwarded-For", c.forwarded)
			}
			if got := a.rateLimitAddress(r); got != c.want {
				t.Errorf("the caller is %s, want %s", got, c.want)
			}
		})
	}
}
