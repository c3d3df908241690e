package openapi

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// The headers that name what a request has and its operation does not know, in alphabetical order.
const (
	IgnoredParameters = "Ignored-Parameters"
	IgnoredMembers    = "Ignored-Members"
)

const asStrict = " They have no effect. Absent if there are none. With the request header `Prefer: handling=strict` " +
	"(RFC 7240) they are refused with 422."

// describeIgnored adds the headers to the components, and to the successes of every operation that
// may send them.
func (b *builder) describeIgnored() {
	described := newHeaders(
		IgnoredParameters, "The query parameters that the operation does not know, separated by commas."+asStrict,
		IgnoredMembers, "The members of the body that the operation does not know or cannot change, separated by commas, "+
			"each as its names and indexes with slashes between them."+asStrict)
	b.doc.Components.Headers = described
	for _, path := range b.doc.Paths.Map() {
		for _, operation := range path.Operations() {
			names := []string{IgnoredParameters}
			if operation.RequestBody != nil {
				names = append(names, IgnoredMembers)
			}
			describeHeaders(operation, names, described)
		}
	}
}

// describeHeaders adds references to the named headers to the successes of an operation.
func describeHeaders(operation *openapi3.Operation, names []string, described openapi3.Headers) {
	for status, response := range operation.Responses.Map() {
		if !strings.HasPrefix(status, "2") || response.Ref != "" {
			continue
		}
		for _, name := range names {
			response.Value.Headers = mergeHeaders(response.Value.Headers, openapi3.Headers{
				name: &openapi3.HeaderRef{Ref: "#/components/headers/" + name, Value: described[name].Value},
			})
		}
	}
}
