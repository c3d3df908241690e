package stored

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// Rule holds the arguments of an operation's @rest directive, which the schema describes.
type Rule struct {
	Method, Path            string
	Status                  int
	Location, NotFound      string
	Tag, Summary            string
	Wrap, Unwrap, ID, Event string
	ETag                    string   // the body's member with its entity tag
	When                    string   // the query parameter that selects the operation when it is true
	Fails                   []string // values of the schema's ErrorCode
	Cookie                  bool
	OptionalBody            bool
	IfMatch                 string            // the member of $body that receives If-Match
	Files                   string            // the member of $body that receives the files of a form
	Set                     map[string]any    // members of $body with a fixed value
	pathMembers             map[string]string // names in the path that the path itself assigns to members of $body
}

// CanFail reports whether the rule lists an error with the status.
func (r Rule) CanFail(status int) bool {
	return slices.ContainsFunc(r.Fails, func(name string) bool {
		return errs.Lookup(errs.Code(strings.ToLower(name))).Status == status
	})
}

// extractRule parses the operation's @rest and removes it from the operation, because the graph
// does not use it. It returns an error when the directive is missing or its path is not under
// /api/.
func extractRule(definition *ast.OperationDefinition) (Rule, error) {
	var r Rule
	directive := definition.Directives.ForName("rest")
	if directive == nil {
		return r, fmt.Errorf("it has no @rest")
	}
	definition.Directives = slices.DeleteFunc(definition.Directives,
		func(d *ast.Directive) bool { return d == directive })
	arguments, err := json.Marshal(directive.ArgumentMap(nil))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(arguments, &r); err != nil {
		return r, err
	}
	if !strings.HasPrefix(r.Path, "/api/") {
		return r, fmt.Errorf("its path %q is not under /api/", r.Path)
	}
	r.parsePath()
	return r, nil
}

// parsePath removes the members of $body from the path: {doc_id=documentId} becomes {doc_id}.
func (r *Rule) parsePath() {
	r.pathMembers = map[string]string{}
	r.Path = bracesPattern.ReplaceAllStringFunc(r.Path, func(part string) string {
		name, member, ok := strings.Cut(part[1:len(part)-1], "=")
		if ok {
			r.pathMembers[name] = member
		}
		return "{" + name + "}"
	})
}

// pathNames returns the names in the path in their order.
func (r Rule) pathNames() []string {
	var names []string
	for _, match := range bracesPattern.FindAllStringSubmatch(r.Path, -1) {
		names = append(names, match[1])
	}
	return names
}

// inPath reports whether the variable is part of the path.
func (r Rule) inPath(variable string) bool { return strings.Contains(r.Path, "{"+variable+"}") }

var bracesPattern = regexp.MustCompile(`\{([^}]+)\}`)

// LocationOf returns the Location header: the rule's template, such as /api/v1/jobs/{job_id}, with
// members of the body. A dot separates nested names.
func (r Rule) LocationOf(body []byte) string {
	return bracesPattern.ReplaceAllStringFunc(r.Location, func(name string) string {
		return url.PathEscape(gjson.GetBytes(body, name[1:len(name)-1]).String())
	})
}

// WithFullStop returns the text with a full stop at its end.
func WithFullStop(text string) string { return strings.TrimSuffix(text, ".") + "." }
