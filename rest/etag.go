package rest

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/platform/web"
	"rostrum/rest/stored"
)

// bodyTag returns the validator of a body that is sent as text: the version member that the rule
// names, or else a hash of the text.
func bodyTag(r stored.Rule, body, text []byte) string {
	if r.ETag == "" {
		return web.EntityTag(text)
	}
	return `"` + gjson.GetBytes(body, r.ETag).String() + `"`
}

// anyVersion is the If-Match that every version of a resource matches.
const anyVersion = "*"

// fromIfMatch reads the versions that the client acts on (RFC 9110, section 13.1.1). Tags are
// compared strongly, so a weak tag is kept as it is and matches no version. It returns
// errs.PreconditionFailed for a write whose resource has no versions, because it cannot hold.
func (in *requestInput) fromIfMatch(op *stored.Operation, lines []string) error {
	if len(lines) == 0 || op.IfMatch == nil && op.Definition.Operation != ast.Mutation {
		return nil
	}
	tags := []any{}
	for _, line := range lines {
		if msg := stored.TextError(line); msg != "" {
			return errs.Invalid(stored.At(stored.InHeader, "If-Match")("value_error", msg))
		}
		for tag := range strings.SplitSeq(line, ",") {
			tags = append(tags, strings.Trim(strings.TrimSpace(tag), `"`))
		}
	}
	if op.IfMatch != nil {
		in.values[op.IfMatch.Name] = tags
	} else if !slices.Contains(tags, anyVersion) {
		return errs.New(errs.PreconditionFailed, "this operation compares no entity tags, so nothing was changed: leave out If-Match")
	}
	return nil
}
