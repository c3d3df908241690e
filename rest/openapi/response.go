package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/platform/idempotency"
	"rostrum/rest/stored"
)

// FileWarningHeader lists in ASCII the characters that a file could not represent.
const FileWarningHeader = "X-Export-Warning"

const responsePrefix = "#/components/responses/"

// addResponses describes the successes of the route's operations, one for each status, and the
// errors that they can return.
func (b *builder) addResponses(out *openapi3.Operation, route *stored.Route) {
	out.Responses = openapi3.NewResponsesWithCapacity(16)
	for _, op := range route.Plain() {
		b.addSuccess(out, route, op)
	}
	if route.Method == http.MethodGet {
		out.AddResponse(http.StatusNotModified, openapi3.NewResponse().
			WithDescription("Not changed since the entity tag in If-None-Match."))
	}
	b.addFailures(out, func(status int) bool { return canFail(route, status) })
}

// addSuccess describes the success of an operation, as an alternative to that of other operations
// with the same status.
func (b *builder) addSuccess(out *openapi3.Operation, route *stored.Route, op *stored.Operation) {
	if known := out.Responses.Status(op.Rule.Status); known != nil {
		known.Value.Content[op.MediaType()] = anyOfMedia(known.Value.Content[op.MediaType()], b.successMedia(op))
		addRenderings(known.Value, op)
		return
	}
	success := openapi3.NewResponse().WithDescription(stored.WithFullStop(op.Rule.Summary))
	if op.Rule.Status != http.StatusNoContent {
		success.Content = openapi3.Content{op.MediaType(): b.successMedia(op)}
	}
	success.Headers = successHeaders(op)
	for _, h := range op.Headers {
		success.Headers = mergeHeaders(success.Headers, newHeaders(h.Name, h.Description))
	}
	if route.Operations[0].Rule.CanFail(http.StatusPaymentRequired) {
		success.Headers = mergeHeaders(success.Headers, newHeaders(runsLeft...))
	}
	if op.Definition.Operation == ast.Mutation {
		success.Headers = mergeHeaders(success.Headers,
			newHeaders(idempotency.ReplayedHeader, "`true` on the stored response of an earlier request."))
	}
	addRenderings(success, op)
	out.AddResponse(op.Rule.Status, success)
}

// TotalCount is the header with the number of rows of all pages of a table.
const TotalCount = "Total-Count"

// addRenderings describes the further media types of an operation's success.
func addRenderings(success *openapi3.Response, op *stored.Operation) {
	for _, r := range op.Renderings {
		text := openapi3.NewStringSchema()
		text.Description = "The text alone, in UTF-8."
		if r.Table != nil {
			text.Description = "The list as lines of comma-separated cells in UTF-8, after a line with the names of the columns. " +
				"A dot separates the names of an object's members; lists are JSON. A text that begins with =, +, -, @, a tab or a " +
				"carriage return has an apostrophe before it, so that no spreadsheet runs it."
			success.Headers = mergeHeaders(success.Headers, newHeaders(
				"Content-Disposition", "The file's name, of text/csv only.",
				"Link", "The address of the next page as `<…>; rel=\"next\"`, of text/csv only; absent on the last page.",
				TotalCount, "The number of rows of all pages, of text/csv only; absent where it is not counted."))
		}
		success.Content[r.Media] = openapi3.NewMediaType().WithSchema(text)
	}
}

// addFailures adds the error responses of the statuses that may returns true for.
func (b *builder) addFailures(out *openapi3.Operation, may func(status int) bool) {
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

func newHeaders(pairs ...string) openapi3.Headers {
	out := openapi3.Headers{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Description: pairs[i+1], Schema: openapi3.NewStringSchema().NewRef(),
		}}}
	}
	return out
}

func mergeHeaders(some, more openapi3.Headers) openapi3.Headers {
	if some == nil {
		return more
	}
	maps.Copy(some, more)
	return some
}

func successHeaders(op *stored.Operation) openapi3.Headers {
	r := op.Rule
	switch {
	case op.IsFile():
		return newHeaders("Content-Disposition", "The file's name, in ASCII as `filename` and in its own script as `filename*` (RFC 6266).",
			FileWarningHeader, "The characters that the file shows as boxes because no font has them; absent if there are none.")
	case r.Status == http.StatusAccepted && r.Location == "":
		return newHeaders("Retry-After", "Seconds until the jobs should be polled.")
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

func (b *builder) successMedia(op *stored.Operation) *openapi3.MediaType {
	media := openapi3.NewMediaType()
	if op.IsFile() {
		file := openapi3.NewStringSchema().WithFormat("binary")
		file.Description = "The file with its own media type."
		return media.WithSchema(file)
	}
	body := b.bodySchema(op)
	if op.MediaType() == stored.MediaJSON {
		media.Schema, b.bodies[op.Name] = body, body
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
func (b *builder) eventNames(op *stored.Operation) []any {
	if op.Rule.Event == "" {
		return nil
	}
	event := stored.Members(op.Root.SelectionSet).ForKey(op.Rule.Event)
	return stored.ScalarSchema(b.schema.Types[event.Type.Name()], false).Enum
}

// canFail reports whether the route can return an error status, because an operation lists it or
// the route's input can cause it.
func canFail(route *stored.Route, status int) bool {
	main := route.Operations[0]
	reads := main.Body != nil || main.File != nil
	changes := main.Definition.Operation == ast.Mutation
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotAcceptable,
		http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable:
		return true
	case http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
		return reads
	case http.StatusNotFound:
		if strings.Contains(main.Rule.Path, "{") {
			return true
		}
	case http.StatusUnprocessableEntity:
		return reads || changes || len(main.Parameters) > 0
	case http.StatusConflict, http.StatusPreconditionFailed:
		if changes {
			return true
		}
	}
	return slices.ContainsFunc(route.Operations, func(op *stored.Operation) bool { return op.Rule.CanFail(status) })
}
