package visitor

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxText     = 200 // bytes of a name
	maxReferrer = 500 // bytes of a referrer
)

// cleanReferrer returns the URL of a Referer header without credentials, query and fragment, which
// may contain secrets.
func cleanReferrer(header string) string {
	if header == "" {
		return ""
	}
	u, err := url.Parse(truncateBytes(strings.TrimSpace(header), 4*maxReferrer))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	return cleanText(u.Scheme+"://"+strings.ToLower(u.Host)+u.EscapedPath(), maxReferrer)
}

// cleanText returns valid UTF-8 without control characters, truncated to a number of bytes.
func cleanText(text string, limit int) string {
	text = strings.Map(func(c rune) rune {
		if c == utf8.RuneError || unicode.IsControl(c) {
			return -1
		}
		return c
	}, text)
	return strings.TrimSpace(truncateBytes(text, limit))
}

// truncateBytes returns the first bytes of a text, at limit the limit, without splitting a
// character.
func truncateBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
