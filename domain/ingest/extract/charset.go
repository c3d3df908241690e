package extract

import (
	"bytes"
	"mime"
	"regexp"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

var metaCharset = regexp.MustCompile(`(?i)<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)`)

// decodeText returns the text in UTF-8. Bytes that are valid UTF-8 beyond ASCII count as UTF-8
// whatever is declared, because no other encoding is valid UTF-8 by chance. Other bytes follow the
// byte-order mark, the header, the page's declaration and then statistics.
func decodeText(body []byte, mediaType string, isHTML bool) string {
	if bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")) {
		return string(body[3:])
	}
	if utf8.Valid(body) && !isASCII(body) {
		return string(body)
	}
	for _, name := range declaredEncodings(body, mediaType, isHTML) {
		if e, canonical := charset.Lookup(name); e != nil && canonical != "utf-8" {
			if text, ok := transcodeText(body, e); ok {
				return text
			}
		}
	}
	if utf8.Valid(body) {
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

func isASCII(body []byte) bool {
	for _, c := range body {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// declaredEncodings returns the encodings of the byte-order mark, the header and the page. A header
// with Latin-1, a common server default, comes after the page's declaration.
func declaredEncodings(body []byte, mediaType string, isHTML bool) []string {
	var names []string
	if bytes.HasPrefix(body, []byte("\xFF\xFE")) {
		return []string{"utf-16le"}
	}
	if bytes.HasPrefix(body, []byte("\xFE\xFF")) {
		return []string{"utf-16be"}
	}
	_, parameters, _ := mime.ParseMediaType(mediaType)
	header := parameters["charset"]
	if isHTML {
		if m := metaCharset.FindSubmatch(body[:min(len(body), 8192)]); m != nil {
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
