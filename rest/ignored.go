package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

const (
	maxIgnored     = 20  // names in the header
	maxIgnoredName = 100 // bytes of a name in the header
)

// setIgnored sets openapi.IgnoredHeader if the request has query parameters that the route does not
// describe. Names are percent-encoded.
func setIgnored(header http.Header, described *openapi3.Operation, r *http.Request) {
	if r.URL.RawQuery == "" {
		return
	}
	var unknown []string
	for name := range r.URL.Query() {
		if described.Parameters.GetByInAndName(stored.InQuery, name) == nil {
			unknown = append(unknown, url.QueryEscape(name[:min(len(name), maxIgnoredName)]))
		}
	}
	if len(unknown) == 0 {
		return
	}
	slices.Sort(unknown)
	header.Set(openapi.IgnoredHeader, strings.Join(unknown[:min(len(unknown), maxIgnored)], ", "))
}
