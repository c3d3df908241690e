package fetch_test

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"rostrum/platform/fetch"
)

func TestDial(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	for _, host := range []string{"127.0.0.1", "localhost", "0x7f.1"} {
		_, err := fetch.New(fetch.Config{}).Dial(t.Context(), host, port)
		if failed, ok := errors.AsType[*fetch.Error](err); !ok || failed.Kind != fetch.Blocked {
			t.Errorf("%s: %v", host, err)
		}
	}
	allowed := fetch.New(fetch.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, PerHost: 1})
	for range 2 { // the second waits for the slot of the first
		conn, err := allowed.Dial(t.Context(), "127.0.0.1", port)
		if err != nil {
			t.Fatal(err)
		}
		if !allowed.IsPrivate(conn.RemoteAddr()) {
			t.Error("an allowed address is not private")
		}
		conn.Close()
	}
	if allowed.IsPrivate(&net.TCPAddr{IP: net.IPv4(93, 184, 215, 14), Port: 143}) {
		t.Error("a public address is private")
	}
}
