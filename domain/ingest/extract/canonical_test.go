package extract

import "testing"

func TestCanonical(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"HTTP://Example.COM:80/a/?utm_source=x&b=2&a=1#top":            "https://example.com/a?a=1&b=2",
		"https://example.com/":                                         "https://example.com",
		"https://example.com:8443/x":                                   "https://example.com:8443/x",
		"https://example.com/story/amp/":                               "https://example.com/story",
		"https://amp.example.com/story?amp=1":                          "https://example.com/story",
		"https://example.com/story.amp.html":                           "https://example.com/story.html",
		"https://www.google.com/amp/s/example.com/story/amp":           "https://example.com/story",
		"https://example-com.cdn.ampproject.org/c/s/example.com/story": "https://example.com/story",
		"https://example.com/a?gclid=1&fbclid=2&mc_cid=3&igshid=4":     "https://example.com/a",
		"https://example.com/a?ref=twitter.com":                        "https://example.com/a",
		"https://example.com/git?ref=v1":                               "https://example.com/git?ref=v1",
		"https://example.com/?page=2":                                  "https://example.com?page=2",
		"https://bücher.example/ä":                                     "https://xn--bcher-kva.example/%C3%A4",
		"https://example.com/champ":                                    "https://example.com/champ",
		"https://youtu.be/watch?v=abcdefghijk&si=AbCdEfGhIjKlMnOp":     "https://youtu.be/watch?v=abcdefghijk",
		"not a url":            "not a url",
		"mailto:a@example.com": "mailto:a@example.com",
	} {
		if got := CanonicalURL(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"https://example.com/amp/amp/?ref=&amp=1", "http://[::1]:80/%2e%2e/",
		"https://amp.amp.example.com//a/../b", "https://www.google.com/amp/s/www.google.com/amp/s/a.b/",
		"https://a.b/%25?%zz&;=", "http://ａ.b/", "https://a.b/..%2f/amp"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once := CanonicalURL(raw)
		if twice := CanonicalURL(once); twice != once {
			t.Errorf("%q became %q, which became %q", raw, once, twice)
		}
	})
}
