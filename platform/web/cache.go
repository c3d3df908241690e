package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Private is the Cache-Control of a response that depends on the credentials of its request: only
// the client may keep it, and must send its entity tag before each reuse.
const Private = "private, no-cache"

// EntityTag returns a strong validator of a representation in parts, the same in every process. It
// protects nothing, so a fast hash is sufficient.
func EntityTag(parts ...[]byte) string {
	var digest xxhash.Digest
	digest.Reset()
	size := 0
	for _, part := range parts {
		_, _ = digest.Write(part) // never fails
		size += len(part)
	}
	return `"` + strconv.FormatUint(digest.Sum64(), 36) + "-" + strconv.FormatInt(int64(size), 36) + `"`
}

// SendUnchanged sets the ETag and the Cache-Control of the response. It reports whether it has
// responded with 304 because the request's If-None-Match has the tag. Other headers of the 200,
// such as Vary, must be set before.
func SendUnchanged(w http.ResponseWriter, r *http.Request, tag, control string) bool {
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", control)
	if !matchesTag(r.Header.Values("If-None-Match"), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// matchesTag compares tags weakly, as RFC 9110 requires for If-None-Match.
func matchesTag(lines []string, tag string) bool {
	for _, line := range lines {
		for given := range strings.SplitSeq(line, ",") {
			given = strings.TrimPrefix(strings.TrimSpace(given), "W/")
			if given == tag || given == "*" {
				return true
			}
		}
	}
	return false
}
