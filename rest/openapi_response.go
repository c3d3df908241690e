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
	"rostrum/replay"
)

const responsePrefix = "#/components/responses/"

// problems makes the Problem component and one response for each status of the table of failures.
func (b *builder) problems() {
	b.doc.Components.Schemas["Problem"] = problemSchema().NewRef()
	content := openapi3.NewContentWithSchemaRef(openapi3.NewSchemaRef(componentPrefix+"Problem", problemSchema()), []string{mediaProblem})
	b.doc.Components.Responses = openapi3.ResponseBodies{}
	for _, status := range failures() {
		var lines []string
		for _, code := range errs.Codes() {
			if row := errs.Lookup(code); row.Status == status {
				lines = append(lines, fmt.Sprintf("`%s`: %s", code, row.When))
			}
		}
		response := openapi3.NewResponse().WithDescription(strings.Join(lines, " ")).WithContent(content)
		switch status {
		case http.StatusUnauthorized:
			response.Headers = headers("WWW-Authenticate", "Where a key goes.")
		case http.StatusTooManyRequests:
			response.Headers = headers("Retry-After", "Seconds until the next request is taken.",
				"RateLimit-Limit", "Requests that are taken at once when none were sent for a minute.",
				"RateLimit-Remaining", "Requests that are taken at once now.",
				"RateLimit-Reset", "Seconds until as many as the limit are taken again.")
		case http.StatusPaymentRequired:
			response.Headers = headers(runsLeft...)
		}
		b.doc.Components.Responses[problemName(status)] = &openapi3.ResponseRef{Value: response}
	}
}

func problemName(status int) string { return "Problem" + strconv.Itoa(status) }

// failures lists the statuses of the table of failures in order.
func failures() []int {
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
	codes.Description = "The reason as a word, the same that GraphQL errors carry."
	for _, code := range errs.Codes() {
		codes.Enum = append(codes.Enum, string(code))
	}
	status := openapi3.NewIntegerSchema()
	status.Description = "The response's status."
	list := openapi3.NewArraySchema()
	list.Description = "Every bad field at once."
	list.Items = fieldSchema(text).NewRef()
	s := openapi3.NewObjectSchema().WithRequired([]string{"code", "detail", "request_id", "status", "title", "type"})
	s.Description = "Why a request failed (RFC 9457). What else a failure carries stands beside these members."
	s.Properties = openapi3.Schemas{
		"type": text("Always about:blank: code tells problems apart."), "title": text("The status in words."),
		"detail": text("What the caller can act on."), "instance": text("The request's path."),
		"request_id": text("Finds the request in the server's log."),
		"code":       codes.NewRef(), "status": status.NewRef(), "errors": list.NewRef(),
	}
	return s
}

func fieldSchema(text func(string) *openapi3.SchemaRef) *openapi3.Schema {
	loc := openapi3.NewArraySchema()
	loc.Description = "The part of the request and the path in it."
	loc.Items = (&openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString, openapi3.TypeInteger}}).NewRef()
	s := openapi3.NewObjectSchema().WithRequired([]string{"loc", "msg", "pointer", "type"})
	s.Properties = openapi3.Schemas{
		"pointer": text("The field as a JSON pointer, such as #/tags/0."), "loc": loc.NewRef(),
		"msg": text("What is wrong with it."), "type": text("The kind of mistake."),
	}
	return s
}

func headers(pairs ...string) openapi3.Headers {
	out := openapi3.Headers{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Description: pairs[i+1], Schema: openapi3.NewStringSchema().NewRef(),
		}}}
	}
	return out
}

// responses describes the success of each of the route's operations and the failures that they can have.
func (b *builder) responses(out *openapi3.Operation, route *route) {
	out.Responses = openapi3.NewResponsesWithCapacity(16)
	for _, op := range route.operations {
		b.success(out, route, op)
	}
	if route.method == http.MethodGet {
		out.AddResponse(http.StatusNotModified, openapi3.NewResponse().WithDescription("The caller has it already."))
	}
	b.failures(out, route.mayFail)
}

// success describes what an operation answers, beside what those of the same status do.
func (b *builder) success(out *openapi3.Operation, route *route, op *operation) {
	if known := out.Responses.Status(op.rule.Status); known != nil {
		known.Value.Content[op.media()] = either(known.Value.Content[op.media()], b.media(op))
		return
	}
	success := openapi3.NewResponse().WithDescription(sentence(op.rule.Summary))
	if op.rule.Status != http.StatusNoContent {
		success.Content = openapi3.Content{op.media(): b.media(op)}
	}
	success.Headers = successHeaders(op)
	if route.operations[0].rule.fails(http.StatusPaymentRequired) {
		success.Headers = merged(success.Headers, headers(runsLeft...))
	}
	if op.definition.Operation == ast.Mutation {
		success.Headers = merged(success.Headers, headers(replay.ReplayedHeader, "`true` on the stored answer of an earlier request."))
	}
	out.AddResponse(op.rule.Status, success)
}

// failures adds the responses of the statuses that the operation may fail with.
func (b *builder) failures(out *openapi3.Operation, may func(status int) bool) {
	for _, status := range failures() {
		if may(status) {
			name := problemName(status)
			out.Responses.Set(strconv.Itoa(status), &openapi3.ResponseRef{
				Ref: responsePrefix + name, Value: b.doc.Components.Responses[name].Value,
			})
		}
	}
}

// runsLeft describes the header of model-backed answers.
var runsLeft = []string{"X-Run-Budget-Remaining", "Runs that the workspace has left."}

func merged(some, more openapi3.Headers) openapi3.Headers {
	if some == nil {
		return more
	}
	maps.Copy(some, more)
	return some
}

func successHeaders(op *operation) openapi3.Headers {
	r := op.rule
	switch {
	case op.isFile():
		return headers("Content-Disposition", "The file's name, in ASCII as `filename` and in its own script as `filename*` (RFC 6266).",
			fileWarningHeader, "Which characters the file shows as boxes, for want of a font; absent for none.")
	case r.Status == http.StatusAccepted:
		return headers("Location", "Where to watch the job.", "Retry-After", "Seconds until it is worth looking.")
	case r.Location != "":
		return headers("Location", "The new resource.")
	case r.Method == http.MethodGet && r.ETag == "":
		return headers("ETag", "Send it in If-None-Match to get 304 while nothing changed.")
	case r.ETag != "":
		return headers("ETag", "The version: send it in If-None-Match to get 304 while it is the present one, in If-Match to change no other.")
	}
	return nil
}

// either is one of two answers of the same media type.
func either(known, other *openapi3.MediaType) *openapi3.MediaType {
	if known == nil {
		return other
	}
	both := openapi3.NewAnyOfSchema()
	both.AnyOf = openapi3.SchemaRefs{known.Schema, other.Schema}
	return openapi3.NewMediaType().WithSchema(both)
}

func (b *builder) media(op *operation) *openapi3.MediaType {
	media := openapi3.NewMediaType()
	if op.isFile() {
		file := openapi3.NewStringSchema().WithFormat("binary")
		file.Description = "The file, with the media type that it has."
		return media.WithSchema(file)
	}
	body := b.body(op)
	if op.media() == mediaJSON {
		media.Schema = body
		return media
	}
	media.Schema = openapi3.NewStringSchema().NewRef()
	media.Schema.Value.Description = "Server-sent events; the data of each is JSON as `x-event-data` says, " +
		"but an event named error carries a Problem and is the last."
	media.Extensions = map[string]any{"x-event-data": body}
	if names := b.eventNames(op); len(names) > 0 {
		media.Extensions["x-event-names"] = names
	}
	return media
}

// eventNames lists what the events of a stream can be called, where that is a closed set.
func (b *builder) eventNames(op *operation) []any {
	if op.rule.Event == "" {
		return nil
	}
	event := collectFields(op.root.SelectionSet, false, nil).member(op.rule.Event)
	return scalarSchema(b.schema.Types[event.definition.Type.Name()]).Enum
}

// mayFail says which failures a route can have: those that it names, and those that follow from what it reads.
func (r *route) mayFail(status int) bool {
	main := r.operations[0]
	reads := main.body != nil || main.file != nil
	changes := main.definition.Operation == ast.Mutation
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotAcceptable, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable:
		return true
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
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
	return slices.ContainsFunc(r.operations, func(op *operation) bool { return op.rule.fails(status) })
}
