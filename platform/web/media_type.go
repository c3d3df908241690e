package web

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"rostrum/errs"
)

// Range is one media range of an Accept header.
type Range struct {
	Type    string  // in lower case, such as text/html, text/* or */*
	Quality float64 // from 0, not acceptable, to 1
	Params  map[string]string
}

// Accept lists the media ranges of a request in the order of its headers.
type Accept []Range

// ParseAccept returns the media ranges of the Accept headers (RFC 9110, section 12.5.1). A
// malformed range is skipped, a malformed quality is 0. A request without the header accepts every
// type.
func ParseAccept(header http.Header) Accept {
	joined := strings.Join(header.Values("Accept"), ",")
	if joined == "" {
		return Accept{{Type: "*/*", Quality: 1}}
	}
	var ranges Accept
	for item := range strings.SplitSeq(joined, ",") {
		if media, params, err := mime.ParseMediaType(item); err == nil {
			ranges = append(ranges, Range{Type: media, Quality: parseQuality(params["q"]), Params: params})
		}
	}
	return ranges
}

func parseQuality(q string) float64 {
	if q == "" {
		return 1
	}
	quality, err := strconv.ParseFloat(q, 64)
	if err != nil || !(quality >= 0 && quality <= 1) {
		return 0
	}
	return quality
}

// Quality returns the client's preference for a media type, from 0 to 1, by the most specific range
// that matches it; 0 when none does.
func (a Accept) Quality(media string) float64 {
	quality, best := 0.0, 0
	for _, r := range a {
		if specificity := r.match(media); specificity > best {
			best, quality = specificity, r.Quality
		}
	}
	return quality
}

// match returns 3 for the type itself, 2 for its family, 1 for any type and 0 for no match.
func (r Range) match(media string) int {
	family, _, _ := strings.Cut(media, "/")
	switch r.Type {
	case media:
		return 3
	case family + "/*":
		return 2
	case "*/*":
		return 1
	}
	return 0
}

// Best returns the index of the offered media type with the highest quality, the first of equals;
// -1 when none is acceptable.
func (a Accept) Best(offers ...string) int {
	index, highest := -1, 0.0
	for i, media := range offers {
		if quality := a.Quality(media); quality > highest {
			index, highest = i, quality
		}
	}
	return index
}

// Names reports whether a range other than a wildcard accepts the media type.
func (a Accept) Names(media string) bool {
	for _, r := range a {
		if r.Type == media && r.Quality > 0 {
			return true
		}
	}
	return false
}

// ParseContentType returns the media type of a Content-Type header in lower case; empty when it is
// malformed or its charset is not UTF-8.
func ParseContentType(header string) string {
	media, params, err := mime.ParseMediaType(header)
	if charset := params["charset"]; err != nil || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return ""
	}
	return media
}

// CheckEncoding returns errs.UnsupportedMediaType for a body with a content coding, or with a
// charset other than UTF-8.
func CheckEncoding(header http.Header) error {
	for _, coding := range header.Values("Content-Encoding") {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			return errs.New(errs.UnsupportedMediaType, "send the body without the Content-Encoding %q", coding)
		}
	}
	_, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if charset := params["charset"]; err == nil && charset != "" && !strings.EqualFold(charset, "utf-8") {
		return errs.New(errs.UnsupportedMediaType, "send the body in UTF-8; the charset %q is not supported", charset)
	}
	return nil
}
