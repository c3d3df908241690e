package openapi

import (
	"maps"
	"net/http"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/rest/stored"
)

// SessionOnly is the security of handlers for signed-in users.
var SessionOnly = openapi3.NewSecurityRequirement().Authenticate("SessionCookie")

// Handler describes a route with its own handler instead of a stored operation.
type Handler struct {
	Method, Path                string
	Name, Tag, Summary, Details string
	Status                      int
	Request, Response           *openapi3.Schema // nil: no body
	File                        string           // what the file of the response is; empty: no file
	Media                       []string         // request types accepted in addition to JSON
	Pages                       []int            // statuses that may also be shown as a web page
	Parameters                  []*openapi3.Parameter
	Security                    openapi3.SecurityRequirements // one of them; nil: public
	Fails                       []int
}

// describeHandler describes a handler.
func (b *builder) describeHandler(h *Handler) *openapi3.Operation {
	out := openapi3.NewOperation()
	out.OperationID, out.Summary, out.Description, out.Tags = h.Name, h.Summary, h.Details, []string{h.Tag}
	out.Security = openapi3.NewSecurityRequirements()
	for _, one := range h.Security {
		out.Security.With(one)
	}
	for _, p := range h.Parameters {
		out.AddParameter(p)
	}
	if h.Request != nil {
		out.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).
			WithContent(openapi3.NewContentWithSchema(h.Request, append([]string{stored.MediaJSON}, h.Media...)))}
	}
	out.Responses = openapi3.NewResponsesWithCapacity(8)
	success := openapi3.NewResponse().WithDescription(stored.WithFullStop(h.Summary))
	if h.Response != nil {
		success.Content = openapi3.NewContentWithSchema(h.Response, []string{stored.MediaJSON})
	}
	if h.File != "" {
		addFile(out, success, h.File)
	}
	if h.Status == http.StatusSeeOther {
		success.Headers = newHeaders("Location", "The address to continue at.")
	}
	if slices.Contains(h.Pages, h.Status) {
		success.Content[MediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	}
	out.AddResponse(h.Status, success)
	b.addFailures(out, func(status int) bool {
		switch status {
		case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable:
			return true
		}
		return slices.Contains(h.Fails, status)
	})
	for _, status := range h.Pages {
		if status != h.Status {
			b.addErrorPage(out, status)
		}
	}
	return out
}

// addFile describes the file of a success, and what a request for a range or for a change gets.
func addFile(out *openapi3.Operation, success *openapi3.Response, description string) {
	file := openapi3.NewStringSchema().WithFormat("binary")
	file.Description = description
	success.Content = openapi3.Content{stored.MediaFile: openapi3.NewMediaType().WithSchema(file)}
	success.Headers = newHeaders("Content-Disposition", "The file's name, in ASCII as `filename` and in its own script as `filename*` (RFC 6266).",
		"ETag", "Send it in If-None-Match to receive 304, and in If-Range with a range.")
	out.AddResponse(http.StatusPartialContent, openapi3.NewResponse().
		WithDescription("The range that the request asks for.").WithContent(success.Content))
	out.AddResponse(http.StatusRequestedRangeNotSatisfiable, openapi3.NewResponse().
		WithDescription("The file ends before the range begins.").
		WithContent(openapi3.NewContentWithSchema(openapi3.NewStringSchema(), []string{"text/plain"})))
	out.AddResponse(http.StatusNotModified, openapi3.NewResponse().
		WithDescription("Not changed since the entity tag in If-None-Match."))
}

// addErrorPage documents that a browser may receive the error as a page, for example invalid fields
// on the page that sent them.
func (b *builder) addErrorPage(out *openapi3.Operation, status int) {
	known := b.doc.Components.Responses[problemName(status)].Value
	response := openapi3.NewResponse().WithDescription(*known.Description).WithContent(maps.Clone(known.Content))
	response.Content[MediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	out.AddResponse(status, response)
}
