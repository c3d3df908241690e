package openapi

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// IgnoredHeader names the query parameters of a request that its route does not know, in
// alphabetical order.
const IgnoredHeader = "Ignored-Parameters"

// describeIgnored adds IgnoredHeader to the components, and to the successes of every operation.
func (b *builder) describeIgnored() {
	described := newHeaders(IgnoredHeader, "The query parameters that the operation does not know, separated by commas. They have no effect. "+
		"Absent if there are none.")
	b.doc.Components.Headers = described
	for _, path := range b.doc.Paths.Map() {
		for _, operation := range path.Operations() {
			for status, response := range operation.Responses.Map() {
				if strings.HasPrefix(status, "2") && response.Ref == "" {
					response.Value.Headers = mergeHeaders(response.Value.Headers,
						openapi3.Headers{IgnoredHeader: &openapi3.HeaderRef{
							Ref: "#/components/headers/" + IgnoredHeader, Value: described[IgnoredHeader].Value,
						}})
				}
			}
		}
	}
}
