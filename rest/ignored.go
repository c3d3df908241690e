package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

const (
	maxIgnored     = 20  // names in a header
	maxIgnoredName = 100 // bytes of a name in a header
)

// setIgnored sets openapi.IgnoredParameters if the request has query parameters that the route does
// not describe. With `Prefer: handling=strict` (RFC 7240) it returns an error that names them.
func setIgnored(header http.Header, described *openapi3.Operation, r *http.Request) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	var unknown []errs.Field
	for name := range r.URL.Query() {
		if described.Parameters.GetByInAndName(stored.InQuery, name) == nil {
			unknown = append(unknown, errs.QueryField(unknownKind, "is no parameter of this operation", name))
		}
	}
	return refuseIgnored(header, openapi.IgnoredParameters, unknown, r)
}

// unknownKind is the type of the error of a parameter or member that an operation does not know.
const unknownKind = "extra_forbidden"

// unknownMembers returns the paths of the members of an object that its schema does not have.
func unknownMembers[V any](schema *openapi3.Schema, members map[string]V) (paths [][]any) {
	for name := range members {
		if schema.Properties[name] == nil {
			paths = append(paths, []any{name})
		}
	}
	return paths
}

// setIgnoredMembers sets openapi.IgnoredMembers if a body has members that its operation does not
// know, at paths of names and indexes. With `Prefer: handling=strict` it returns an error that names
// them.
func setIgnoredMembers(header http.Header, paths [][]any, r *http.Request) error {
	unknown := make([]errs.Field, len(paths))
	for i, path := range paths {
		unknown[i] = errs.BodyField(unknownKind, "cannot be set by this operation", path...)
	}
	return refuseIgnored(header, openapi.IgnoredMembers, unknown, r)
}

// strictKey marks the context of a request that must not have what its operation does not know.
type strictKey struct{}

// markStrict marks a request to a route that can be tried with dry_run: with a misspelled filter it
// would change or delete other rows than its sender means.
func markStrict(route *stored.Route, r *http.Request) *http.Request {
	if !route.HasTrial() {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), strictKey{}, true))
}

// refuseIgnored names what is ignored in a header, in alphabetical order and percent-encoded, or
// returns it as an error if the client prefers that or the request is marked strict.
func refuseIgnored(header http.Header, name string, unknown []errs.Field, r *http.Request) error {
	strict := prefersStrict(r.Header)
	if strict {
		header.Set("Preference-Applied", "handling=strict")
	}
	strict = strict || r.Context().Value(strictKey{}) != nil
	if len(unknown) == 0 {
		return nil
	}
	slices.SortFunc(unknown, func(a, b errs.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
	if strict {
		return errs.Invalid(unknown...)
	}
	names := make([]string, 0, maxIgnored)
	for _, field := range unknown[:min(len(unknown), maxIgnored)] {
		var path []string
		for _, part := range field.Loc[1:] {
			text := fmt.Sprint(part)
			path = append(path, url.QueryEscape(text[:min(len(text), maxIgnoredName)]))
		}
		names = append(names, strings.Join(path, "/"))
	}
	header.Set(name, strings.Join(names, ", "))
	return nil
}

// prefersStrict reports whether a request has the preference handling=strict.
func prefersStrict(header http.Header) bool {
	for _, line := range header.Values("Prefer") {
		for preference := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(preference), "=")
			value, _, _ = strings.Cut(value, ";")
			if strings.EqualFold(name, "handling") && strings.EqualFold(strings.Trim(value, `" `), "strict") {
				return true
			}
		}
	}
	return false
}
