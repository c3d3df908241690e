package extract

import (
	"bytes"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

var metaCharset = regexp.MustCompile(`(?i)<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)`)

// The number of valid characters beyond ASCII for each invalid sequence that makes bytes UTF-8 with
// errors.
const (
	evidentUTF8  = 4 // without a declaration: no other encoding has so many by chance
	declaredUTF8 = 1
)

// decodeText returns the text in UTF-8. Bytes that are UTF-8 beyond ASCII count as UTF-8 whatever
// is declared; an invalid byte, for example of a cut character, becomes U+FFFD. Other bytes follow
// the byte-order mark, the header, the page's declaration and then statistics.
func decodeText(body []byte, mediaType string, isHTML bool) string {
	if rest, found := bytes.CutPrefix(body, []byte("\xEF\xBB\xBF")); found {
		return strings.ToValidUTF8(string(rest), "\uFFFD")
	}
	characters, errors := countUTF8(body)
	if characters > 0 && characters >= evidentUTF8*errors {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	for _, name := range declaredEncodings(body, mediaType, isHTML) {
		e, canonical := charset.Lookup(name)
		if e == nil {
			continue
		}
		if canonical != "utf-8" {
			if text, ok := transcodeText(body, e); ok {
				return text
			}
		} else if characters > 0 && characters >= declaredUTF8*errors {
			return strings.ToValidUTF8(string(body), "\uFFFD")
		}
	}
	if errors == 0 {
		return string(body)
	}
	if guess, err := chardet.NewTextDetector().DetectBest(body[:min(len(body), 50000)]); err == nil &&
		guess.Confidence >= 30 {
		if e, _ := charset.Lookup(guess.Charset); e != nil {
			if text, ok := transcodeText(body, e); ok {
				return text
			}
		}
	}
	e, _ := charset.Lookup("windows-1252")
	text, _ := transcodeText(body, e)
	return text
}

// countUTF8 returns the number of characters beyond ASCII and of invalid sequences. Invalid bytes in
// a row are one sequence.
func countUTF8(body []byte) (characters, errors int) {
	invalid := false
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		wrong := r == utf8.RuneError && size == 1
		switch {
		case wrong && !invalid:
			errors++
		case !wrong && r >= utf8.RuneSelf:
			characters++
		}
		i, invalid = i+size, wrong
	}
	return characters, errors
}

// utf16Name returns the encoding of a text in UTF-16, by its byte-order mark or by the first
// character of XML, and "" for other texts.
func utf16Name(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xFF\xFE")), bytes.HasPrefix(body, []byte("<\x00?\x00")):
		return "utf-16le"
	case bytes.HasPrefix(body, []byte("\xFE\xFF")), bytes.HasPrefix(body, []byte("\x00<\x00?")):
		return "utf-16be"
	}
	return ""
}

// maxPrescan is the number of bytes in which a page's declaration is looked for. Browsers read one
// behind long scripts too.
const maxPrescan = 1 << 20

// declaredEncodings returns the encodings of the byte-order mark, the header and the page. A header
// with Latin-1, a common server default, comes after the page's declaration.
func declaredEncodings(body []byte, mediaType string, isHTML bool) []string {
	var names []string
	if name := utf16Name(body); name != "" {
		return []string{name}
	}
	_, parameters, _ := mime.ParseMediaType(mediaType)
	header := parameters["charset"]
	if isHTML {
		if m := metaCharset.FindSubmatch(body[:min(len(body), maxPrescan)]); m != nil {
			names = append(names, string(m[1]))
		}
	}
	if header == "" {
		return names
	}
	if _, canonical := charset.Lookup(header); canonical == "windows-1252" {
		return append(names, header)
	}
	return append([]string{header}, names...)
}

// transcodeText returns false if too many bytes are invalid in the encoding.
func transcodeText(body []byte, e encoding.Encoding) (string, bool) {
	out, err := e.NewDecoder().Bytes(body)
	if err != nil {
		return "", false
	}
	return string(out), bytes.Count(out, []byte("\uFFFD"))*200 <= len(out)
}
