package rest

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/tidwall/gjson"
)

// entityTag returns a strong validator of the body (RFC 9110, section 8.8.3), the same in every process. It protects nothing, so a fast
// hash is sufficient.
func entityTag(body []byte) string {
	return `"` + strconv.FormatUint(xxhash.Sum64(body), 36) + "-" + strconv.FormatInt(int64(len(body)), 36) + `"`
}

// bodyTag returns the body's validator: the version member that the rule names, or else a hash of the body.
func (r restRule) bodyTag(body []byte) string {
	if r.ETag == "" {
		return entityTag(body)
	}
	return `"` + gjson.GetBytes(body, r.ETag).String() + `"`
}

func sendUnchanged(w http.ResponseWriter, r *http.Request, tag, control string) bool {
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

// ifMatchVariable is the variable with the versions of If-Match.
const ifMatchVariable = "if_match"

// fromIfMatch reads the versions that the client acts on (RFC 9110, section 13.1.1). Tags are compared strongly, so a weak tag is kept as
// it is and matches no version.
func (in *requestInput) fromIfMatch(p *parameter, lines []string) {
	if len(lines) == 0 {
		return
	}
	tags := []any{}
	for _, line := range lines {
		if msg := textError(line); msg != "" {
			in.invalid = append(in.invalid, fieldAt(inHeader, "If-Match")("value_error", msg))
			return
		}
		for tag := range strings.SplitSeq(line, ",") {
			tags = append(tags, strings.Trim(strings.TrimSpace(tag), `"`))
		}
	}
	in.values[p.name] = tags
}
