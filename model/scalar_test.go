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
		"vbscript://example.com", "blob:https://example.com/1"} {
		if got, err := UnmarshalURL(bad); err == nil {
			t.Errorf("%q is accepted as %q", bad, got)
		}
	}
}
