package compress

import (
	"net/http"
	"strings"
)

// A compressed body is a separate representation and needs its own strong entity tag (RFC 9110,
// section 8.8.1): inside the quotes, a hyphen and the coding's name are added. They are removed
// from requests, so that handlers compare the tags that they made.

// encodedTag returns the entity tag of the representation in a coding. A weak tag is valid for all
// of them and stays the same.
func encodedTag(tag string, coding *contentCoding) string {
	plain, ok := strings.CutSuffix(tag, `"`)
	if !ok || strings.HasPrefix(tag, "W/") {
		return tag
	}
	return plain + "-" + coding.name + `"`
}

// withPlainTags returns the request with the entity tags of uncompressed representations. In
// If-None-Match the tag of a coding that the client no longer accepts is kept, so that it matches
// nothing; in If-Match every coding's tag refers to the same version.
func withPlainTags(r *http.Request, accept acceptEncoding) *http.Request {
	noneMatch, noneMatchChanged := plainTags(r.Header["If-None-Match"], accept.accepts)
	match, matchChanged := plainTags(r.Header["If-Match"], func(*contentCoding) bool { return true })
	if !noneMatchChanged && !matchChanged {
		return r
	}
	out := r.WithContext(r.Context()) // a shallow copy: the header is still shared
	out.Header = r.Header.Clone()
	if noneMatchChanged {
		out.Header["If-None-Match"] = noneMatch
	}
	if matchChanged {
		out.Header["If-Match"] = match
	}
	return out
}

func plainTags(lines []string, accepts func(*contentCoding) bool) (plain []string, changed bool) {
	for _, line := range lines {
		tags := strings.Split(line, ",")
		for i, tag := range tags {
			for _, coding := range codings {
				if suffix := "-" + coding.name + `"`; accepts(coding) &&
					strings.HasSuffix(strings.TrimSpace(tag), suffix) {
					tags[i], changed = strings.Replace(tag, suffix, `"`, 1), true
				}
			}
		}
		plain = append(plain, strings.Join(tags, ","))
	}
	return plain, changed
}

// setNotModifiedTag sets the entity tag of a 304 to that of the representation that the client has,
// preferably in the best coding.
func (w *response) setNotModifiedTag() {
	tag := w.Header().Get("ETag")
	if tag == "" {
		return
	}
	sent := strings.Join(w.ifNoneMatch, ",")
	if best := encodedTag(tag, w.accept.best); strings.Contains(sent, best) {
		w.Header().Set("ETag", best)
		return
	}
	for _, coding := range codings {
		if other := encodedTag(tag, coding); w.accept.accepts(coding) && strings.Contains(sent, other) {
			w.Header().Set("ETag", other)
			return
		}
	}
}
