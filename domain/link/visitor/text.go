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

// referrer keeps of a Referer header what names the page: neither credentials nor the query, which may hold secrets of that page.
func referrer(header string) string {
	if header == "" {
		return ""
	}
	u, err := url.Parse(clip(strings.TrimSpace(header), 4*maxReferrer))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	return tidy(u.Scheme+"://"+strings.ToLower(u.Host)+u.EscapedPath(), maxReferrer)
}

// tidy makes a text fit to be stored: valid UTF-8 without control characters, at most so many bytes.
func tidy(text string, most int) string {
	text = strings.Map(func(c rune) rune {
		if c == utf8.RuneError || unicode.IsControl(c) {
			return -1
		}
		return c
	}, text)
	return strings.TrimSpace(clip(text, most))
}

// clip cuts a text to so many bytes without cutting a character.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
