package rest

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/tidwall/gjson"
)

// entityTag is a strong validator of the body (RFC 9110, section 8.8.3), the same in every process. It guards nothing, so a fast
// hash will do.
func entityTag(body []byte) string {
	return `"` + strconv.FormatUint(xxhash.Sum64(body), 36) + "-" + strconv.FormatInt(int64(len(body)), 36) + `"`
}

// tag is the body's validator: the version that the rule says it carries, else one of all that is in it.
func (r rule) tag(body []byte) string {
	if r.ETag == "" {
		return entityTag(body)
	}
	return `"` + gjson.GetBytes(body, r.ETag).String() + `"`
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

// ifMatchVariable is the variable that takes the versions of If-Match.
const ifMatchVariable = "if_match"

// fromIfMatch reads the versions that the caller acts on (RFC 9110, section 13.1.1). Tags are compared strongly, so a weak one stays as it
// is written and is no version.
func (in *input) fromIfMatch(p *parameter, lines []string) {
	if len(lines) == 0 {
		return
	}
	tags := []any{}
	for _, line := range lines {
		if msg := badText(line); msg != "" {
			in.bad = append(in.bad, place(inHeader, "If-Match")("value_error", msg))
			return
		}
		for tag := range strings.SplitSeq(line, ",") {
			tags = append(tags, strings.Trim(strings.TrimSpace(tag), `"`))
		}
	}
	in.values[p.name] = tags
}
