package rest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/platform/idempotency"
)

const responsePrefix = "#/components/responses/"

// addProblems adds the Problem component and a response for each status of the error codes.
func (b *documentBuilder) addProblems() {
	b.doc.Components.Schemas["Problem"] = problemSchema().NewRef()
	content := openapi3.NewContentWithSchemaRef(openapi3.NewSchemaRef(componentPrefix+"Problem", problemSchema()),
		[]string{mediaProblem})
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
	text := func(description string) *openapi3.SchemaRef {
		s := openapi3.NewStringSchema()
		s.Description = description
		return s.NewRef()
	}
	codes := openapi3.NewStringSchema()
	codes.Description = "The error code, the same as in GraphQL errors."
	for _, code := range errs.Codes() {
		codes.Enum = append(codes.Enum, string(code))
	}
	status := openapi3.NewIntegerSchema()
	status.Description = "The response's status."
	list := openapi3.NewArraySchema()
	list.Description = "Every invalid field."
	list.Items = fieldSchema(text).NewRef()
	s := openapi3.NewObjectSchema().WithRequired([]string{"code", "detail", "request_id", "status", "title", "type"})
	s.Description = "The error of a request (RFC 9457). Some codes add members of their own."
	s.Properties = openapi3.Schemas{
		"type": text("Always about:blank; code identifies the error."), "title": text("The status as text."),
		"detail": text("An explanation for the client."), "instance": text("The request's path."),
		"request_id": text("The request's ID in the server's log."),
		"code":       codes.NewRef(), "status": status.NewRef(), "errors": list.NewRef(),
	}
	return s
}

func fieldSchema(text func(string) *openapi3.SchemaRef) *openapi3.Schema {
	loc := openapi3.NewArraySchema()
	loc.Description = "The part of the request and the path within it."
	loc.Items = (&openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString, openapi3.TypeInteger}}).NewRef()
	s := openapi3.NewObjectSchema().WithRequired([]string{"loc", "msg", "pointer", "type"})
	s.Properties = openapi3.Schemas{
		"pointer": text("The field as a JSON pointer, such as #/tags/0."), "loc": loc.NewRef(),
		"msg": text("The reason."), "type": text("The type of error."),
	}
	return s
}

func newHeaders(pairs ...string) openapi3.Headers {
	out := openapi3.Headers{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Description: pairs[i+1], Schema: openapi3.NewStringSchema().NewRef(),
		}}}
	}
	return out
}

// addResponses describes the successes of the route's operations, one for each status, and the
// errors that they can return.
func (b *documentBuilder) addResponses(out *openapi3.Operation, route *apiRoute) {
	out.Responses = openapi3.NewResponsesWithCapacity(16)
	for _, op := range route.operations {
		b.addSuccess(out, route, op)
	}
	if route.method == http.MethodGet {
		out.AddResponse(http.StatusNotModified, openapi3.NewResponse().
			WithDescription("Not changed since the entity tag in If-None-Match."))
	}
	b.addFailures(out, route.canFail)
}

// addSuccess describes the success of an operation, as an alternative to that of other operations
// with the same status.
func (b *documentBuilder) addSuccess(out *openapi3.Operation, route *apiRoute, op *storedOperation) {
	if known := out.Responses.Status(op.rule.Status); known != nil {
		known.Value.Content[op.mediaType()] = anyOfMedia(known.Value.Content[op.mediaType()], b.successMedia(op))
		return
	}
	success := openapi3.NewResponse().WithDescription(withFullStop(op.rule.Summary))
	if op.rule.Status != http.StatusNoContent {
		success.Content = openapi3.Content{op.mediaType(): b.successMedia(op)}
	}
	success.Headers = successHeaders(op)
	for _, h := range op.headers {
		success.Headers = mergeHeaders(success.Headers, newHeaders(h.name, h.description))
	}
	if route.operations[0].rule.canFail(http.StatusPaymentRequired) {
		success.Headers = mergeHeaders(success.Headers, newHeaders(runsLeft...))
	}
	if op.definition.Operation == ast.Mutation {
		success.Headers = mergeHeaders(success.Headers,
			newHeaders(idempotency.ReplayedHeader, "`true` on the stored response of an earlier request."))
	}
	out.AddResponse(op.rule.Status, success)
}

// addFailures adds the error responses of the statuses that may returns true for.
func (b *documentBuilder) addFailures(out *openapi3.Operation, may func(status int) bool) {
	for _, status := range failureStatuses() {
		if may(status) {
			name := problemName(status)
			out.Responses.Set(strconv.Itoa(status), &openapi3.ResponseRef{
				Ref: responsePrefix + name, Value: b.doc.Components.Responses[name].Value,
			})
		}
	}
}

// runsLeft describes the header of responses that a model produced.
var runsLeft = []string{"X-Run-Budget-Remaining", "Remaining runs of the workspace."}

func mergeHeaders(some, more openapi3.Headers) openapi3.Headers {
	if some == nil {
		return more
	}
	maps.Copy(some, more)
	return some
}

func successHeaders(op *storedOperation) openapi3.Headers {
	r := op.rule
	switch {
	case op.isFile():
		return newHeaders("Content-Disposition", "The file's name, in ASCII as `filename` and in its own script as `filename*` (RFC 6266).",
			fileWarningHeader, "The characters that the file shows as boxes because no font has them; absent if there are none.")
	case r.Status == http.StatusAccepted:
		return newHeaders("Location", "The job's address.", "Retry-After", "Seconds until the job should be polled.")
	case r.Location != "":
		return newHeaders("Location", "The new resource.")
	case r.Method == http.MethodGet && r.ETag == "":
		return newHeaders("ETag", "Send it in If-None-Match to receive 304 if nothing has changed.")
	case r.ETag != "":
		return newHeaders("ETag", "The version. Send it in If-None-Match to receive 304 if it is current, and in If-Match to change this version only.")
	}
	return nil
}

// anyOfMedia returns the media type with both schemas as alternatives.
func anyOfMedia(known, other *openapi3.MediaType) *openapi3.MediaType {
	if known == nil {
		return other
	}
	both := openapi3.NewAnyOfSchema()
	both.AnyOf = openapi3.SchemaRefs{known.Schema, other.Schema}
	return openapi3.NewMediaType().WithSchema(both)
}

func (b *documentBuilder) successMedia(op *storedOperation) *openapi3.MediaType {
	media := openapi3.NewMediaType()
	if op.isFile() {
		file := openapi3.NewStringSchema().WithFormat("binary")
		file.Description = "The file with its own media type."
		return media.WithSchema(file)
	}
	body := b.bodySchema(op)
	if op.mediaType() == mediaJSON {
		media.Schema = body
		return media
	}
	media.Schema = openapi3.NewStringSchema().NewRef()
	media.Schema.Value.Description = "Server-sent events; the data of each is JSON with the schema in `x-event-data`, " +
		"but an event named error has a Problem and is the last."
	media.Extensions = map[string]any{"x-event-data": body}
	if names := b.eventNames(op); len(names) > 0 {
		media.Extensions["x-event-names"] = names
	}
	return media
}

// eventNames returns the event names of a stream when they are an enum.
func (b *documentBuilder) eventNames(op *storedOperation) []any {
	if op.rule.Event == "" {
		return nil
	}
	event := collectFields(op.root.SelectionSet, false, nil).fieldByKey(op.rule.Event)
	return scalarSchema(b.schema.Types[event.definition.Type.Name()]).Enum
}

// canFail reports whether the route can return an error status: those that its operations list, and
// those that follow from its input.
func (r *apiRoute) canFail(status int) bool {
	main := r.operations[0]
	reads := main.body != nil || main.file != nil
	changes := main.definition.Operation == ast.Mutation
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotAcceptable,
		http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable:
		return true
	case http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
		return reads
	case http.StatusNotFound:
		if strings.Contains(main.rule.Path, "{") {
			return true
		}
	case http.StatusUnprocessableEntity:
		return reads || changes || len(main.parameters) > 0
	case http.StatusConflict:
		if changes {
			return true
		}
	}
	return slices.ContainsFunc(r.operations, func(op *storedOperation) bool { return op.rule.canFail(status) })
}
