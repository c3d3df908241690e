package rest

import (
	"strings"

	"github.com/tidwall/gjson"

	"rostrum/platform/web"
	"rostrum/rest/stored"
)

// bodyTag returns the body's validator: the version member that the rule names, or else a hash of
// the body.
func bodyTag(r stored.Rule, body []byte) string {
	if r.ETag == "" {
		return web.EntityTag(body)
	}
	return `"` + gjson.GetBytes(body, r.ETag).String() + `"`
}

// fromIfMatch reads the versions that the client acts on (RFC 9110, section 13.1.1). Tags are
// compared strongly, so a weak tag is kept as it is and matches no version.
func (in *requestInput) fromIfMatch(p *stored.Parameter, lines []string) {
	if len(lines) == 0 {
		return
	}
	tags := []any{}
	for _, line := range lines {
		if msg := stored.TextError(line); msg != "" {
			in.invalid = append(in.invalid, stored.At(stored.InHeader, "If-Match")("value_error", msg))
			return
		}
		for tag := range strings.SplitSeq(line, ",") {
			tags = append(tags, strings.Trim(strings.TrimSpace(tag), `"`))
		}
	}
	in.values[p.Name] = tags
}
