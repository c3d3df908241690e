package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// ignoredHeader names the query parameters of a request that its route does not know, in
// alphabetical order.
const ignoredHeader = "Ignored-Parameters"

const (
	maxIgnored     = 20  // names in the header
	maxIgnoredName = 100 // bytes of a name in the header
)

// setIgnored sets ignoredHeader if the request has query parameters that the route does not
// describe. Names are percent-encoded.
func setIgnored(header http.Header, described *openapi3.Operation, r *http.Request) {
	if r.URL.RawQuery == "" {
		return
	}
	var unknown []string
	for name := range r.URL.Query() {
		if described.Parameters.GetByInAndName(inQuery, name) == nil {
			unknown = append(unknown, url.QueryEscape(name[:min(len(name), maxIgnoredName)]))
		}
	}
	if len(unknown) == 0 {
		return
	}
	slices.Sort(unknown)
	header.Set(ignoredHeader, strings.Join(unknown[:min(len(unknown), maxIgnored)], ", "))
}

// describeIgnored adds ignoredHeader to the components, and to the successes of every operation.
func (b *documentBuilder) describeIgnored() {
	described := newHeaders(ignoredHeader, "The query parameters that the operation does not know, separated by commas. They have no effect. "+
		"Absent if there are none.")
	b.doc.Components.Headers = described
	for _, path := range b.doc.Paths.Map() {
		for _, operation := range path.Operations() {
			for status, response := range operation.Responses.Map() {
				if strings.HasPrefix(status, "2") && response.Ref == "" {
					response.Value.Headers = mergeHeaders(response.Value.Headers,
						openapi3.Headers{ignoredHeader: &openapi3.HeaderRef{
							Ref: "#/components/headers/" + ignoredHeader, Value: described[ignoredHeader].Value,
						}})
				}
			}
		}
	}
}
