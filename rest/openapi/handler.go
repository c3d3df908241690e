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
	Media                       []string         // request types accepted in addition to JSON
	Pages                       []int            // statuses that may also be shown as a web page
	Parameters                  []*openapi3.Parameter
	Security                    openapi3.SecurityRequirement // nil: public
	Fails                       []int
}

// describeHandler describes a handler.
func (b *builder) describeHandler(h *Handler) *openapi3.Operation {
	out := openapi3.NewOperation()
	out.OperationID, out.Summary, out.Description, out.Tags = h.Name, h.Summary, h.Details, []string{h.Tag}
	out.Security = openapi3.NewSecurityRequirements()
	if h.Security != nil {
		out.Security = out.Security.With(h.Security)
	}
	for _, p := range h.Parameters {
		out.AddParameter(p)
	}
	if h.Request != nil {
		out.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).
			WithContent(openapi3.NewContentWithSchema(h.Request, append([]string{stored.MediaJSON}, h.Media...)))}
	}
	success := openapi3.NewResponse().WithDescription(stored.WithFullStop(h.Summary))
	if h.Response != nil {
		success.Content = openapi3.NewContentWithSchema(h.Response, []string{stored.MediaJSON})
	}
	if h.Status == http.StatusSeeOther {
		success.Headers = newHeaders("Location", "The address to continue at.")
	}
	if slices.Contains(h.Pages, h.Status) {
		success.Content[MediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	}
	out.Responses = openapi3.NewResponsesWithCapacity(8)
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

// addErrorPage documents that a browser may receive the error as a page, for example invalid fields
// on the page that sent them.
func (b *builder) addErrorPage(out *openapi3.Operation, status int) {
	known := b.doc.Components.Responses[problemName(status)].Value
	response := openapi3.NewResponse().WithDescription(*known.Description).WithContent(maps.Clone(known.Content))
	response.Content[MediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	out.AddResponse(status, response)
}
