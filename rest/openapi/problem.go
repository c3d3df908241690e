package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/rest/stored"
)

// addProblems adds the Problem component and a response for each status of the error codes.
func (b *builder) addProblems() {
	b.doc.Components.Schemas["Problem"] = problemSchema().NewRef()
	content := openapi3.NewContentWithSchemaRef(openapi3.NewSchemaRef(stored.ComponentPrefix+"Problem", problemSchema()),
		[]string{MediaProblem})
	b.doc.Components.Responses = openapi3.ResponseBodies{}
	for _, status := range failureStatuses() {
		if status == http.StatusMethodNotAllowed {
			continue // the response of a method that the document does not have
		}
		var lines []string
		for _, code := range errs.Codes() {
			if row := errs.Lookup(code); row.Status == status {
				lines = append(lines, fmt.Sprintf("`%s`: %s", code, row.Description))
			}
		}
		response := openapi3.NewResponse().WithDescription(strings.Join(lines, " ")).WithContent(content)
		switch status {
		case http.StatusUnauthorized:
			response.Headers = newHeaders("WWW-Authenticate", "The header that carries the key.")
		case http.StatusTooManyRequests:
			response.Headers = newHeaders("Retry-After", "Seconds until the next request is accepted.",
				"RateLimit-Limit", "Requests that are accepted at once after a minute without requests.",
				"RateLimit-Remaining", "Requests that are accepted at once now.",
				"RateLimit-Reset", "Seconds until the full limit is available again.")
		case http.StatusServiceUnavailable:
			response.Headers = newHeaders("Retry-After", "Seconds until the request should be sent again.")
		case http.StatusPaymentRequired:
			response.Headers = newHeaders(runsLeft...)
		}
		b.doc.Components.Responses[problemName(status)] = &openapi3.ResponseRef{Value: response}
	}
}

func problemName(status int) string { return "Problem" + strconv.Itoa(status) }

// failureStatuses returns the statuses of the error codes in ascending order.
func failureStatuses() []int {
	set := map[int]bool{}
	for _, code := range errs.Codes() {
		set[errs.Lookup(code).Status] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func problemSchema() *openapi3.Schema {
	codes := openapi3.NewStringSchema()
	codes.Description = "The error code, the same as in GraphQL errors."
	for _, code := range errs.Codes() {
		codes.Enum = append(codes.Enum, string(code))
	}
	status := openapi3.NewIntegerSchema()
	status.Description = "The response's status."
	list := openapi3.NewArraySchema()
	list.Description = "Every invalid field."
	list.Items = fieldSchema().NewRef()
	s := openapi3.NewObjectSchema().WithRequired([]string{"code", "detail", "request_id", "status", "title", "type"})
	s.Description = "The error of a request (RFC 9457). Some codes add members of their own."
	s.Properties = openapi3.Schemas{
		"type": Text("Always about:blank; code identifies the error."), "title": Text("The status as text."),
		"detail": Text("An explanation for the client."), "instance": Text("The request's path."),
		"request_id": Text("The request's ID in the server's log."),
		"code":       codes.NewRef(), "status": status.NewRef(), "errors": list.NewRef(),
	}
	return s
}

func fieldSchema() *openapi3.Schema {
	loc := openapi3.NewArraySchema()
	loc.Description = "The part of the request and the path within it."
	loc.Items = openapi3.NewAnyOfSchema(openapi3.NewStringSchema(), openapi3.NewIntegerSchema()).NewRef()
	s := openapi3.NewObjectSchema().WithRequired([]string{"loc", "msg", "pointer", "type"})
	s.Properties = openapi3.Schemas{
		"pointer": Text("The field as a JSON pointer, such as #/tags/0."), "loc": loc.NewRef(),
		"msg": Text("The reason."), "type": Text("The type of error."),
	}
	return s
}
