package model

import "testing"

// TestUnmarshalURL checks that an address with a host is accepted, unless opening it runs a script
// or reads a file.
func TestUnmarshalURL(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"https://example.com/a?b#c", "http://[2001:db8::1]:8080", " ftp://example.com/x "} {
		if _, err := UnmarshalURL(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "example.com", "/a", "https://", "https://user:word@example.com",
		"javascript:alert(1)", "javascript://example.com/%0aalert(1)", "JavaScript://example.com/%0aalert(1)", " javascript://example.com/%0a",
		"file:///etc/passwd", "file://example.com/etc/passwd", "data:text/html,x", "data://example.com/,x",
		"vbscript://example.com", "blob:https://example.com/1", "https://example.com/100%",
		"https://example.com:99999/", "https://example.com:0x50/"} {
		if got, err := UnmarshalURL(bad); err == nil {
			t.Errorf("%q is accepted as %q", bad, got)
		}
	}
	for address, want := range map[string]string{
		"https://example.com/100%":  `has "%", which is no percent-encoding: write %25 for a per cent sign`,
		"https://example.com:99999": "has the port 99999: the highest is 65535",
	} {
		if _, err := UnmarshalURL(address); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
}
