package rest

import (
	"strings"

	"github.com/tidwall/gjson"

	"rostrum/platform/web"
)

// bodyTag returns the body's validator: the version member that the rule names, or else a hash of
// the body.
func (r restRule) bodyTag(body []byte) string {
	if r.ETag == "" {
		return web.EntityTag(body)
	}
	return `"` + gjson.GetBytes(body, r.ETag).String() + `"`
}

// ifMatchVariable is the variable with the versions of If-Match.
const ifMatchVariable = "if_match"

// fromIfMatch reads the versions that the client acts on (RFC 9110, section 13.1.1). Tags are
// compared strongly, so a weak tag is kept as it is and matches no version.
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
