package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// entityTag is a strong validator of the body (RFC 9110, section 8.8.3).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// unchanged marks the answer as one that only its caller may keep and must ask about again, and sends 304 when the caller has it already.
func unchanged(w http.ResponseWriter, r *http.Request, body []byte) bool {
	return sendUnchanged(w, r, entityTag(body), "private, no-cache")
}

func sendUnchanged(w http.ResponseWriter, r *http.Request, tag, control string) bool {
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", control)
	if !matches(r.Header.Values("If-None-Match"), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// matches compares weakly, as If-None-Match asks.
func matches(lines []string, tag string) bool {
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
