package extract

import (
	"net/url"
	"testing"
)

func TestNormalAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"HTTP://Example.com:80/feed":   "http://example.com/feed",
		"https://example.com:443":      "https://example.com/",
		"http://example.com:443/a?B=c": "http://example.com:443/a?B=c",
		"http://example.com:/A#x":      "http://example.com/A",
		"http://[2001:DB8::1]:80/a":    "http://[2001:db8::1]/a",
		"https://example.com/a%2Fb/#":  "https://example.com/a%2Fb/",
	} {
		address, err := url.Parse(given)
		if err != nil {
			t.Fatal(err)
		}
		if got := NormalAddress(address); got != want {
			t.Errorf("%s is %s, want %s", given, got, want)
		}
	}
	if got := CleanTitle(" A\x1b[31m\n\u0085title\x00 "); got != "A [31m title" {
		t.Errorf("the title is %q", got)
	}
}
