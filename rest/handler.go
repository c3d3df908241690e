package rest

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/platform/web"
)

// handlerRoute is a route with its own handler instead of a stored operation, and its description
// for the OpenAPI document.
type handlerRoute struct {
	method, path                string
	name, tag, summary, details string
	status                      int
	request, response           *openapi3.Schema // nil: no body
	media                       []string         // request types accepted in addition to JSON
	page                        bool             // success and invalid fields may also be shown as a web page
	parameters                  []*openapi3.Parameter
	security                    openapi3.SecurityRequirement // nil: public
	fails                       []int
	serve                       func(w http.ResponseWriter, r *http.Request) error
	described                   *openapi3.Operation
}

// handlerTime limits a request to a handlerRoute.
const handlerTime = 30 * time.Second

// serveHandler returns the HTTP handler of a route; its errors become problem documents as on any
// route.
func (a *Adapter) serveHandler(h *handlerRoute) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		setIgnored(w.Header(), h.described, r)
		ctx, cancel := context.WithTimeout(r.Context(), handlerTime)
		defer cancel()
		r = r.WithContext(ctx)
		err := a.config.Limit(r.Context(), w.Header(), r) // of the client's address
		if err == nil && h.request != nil {
			err = web.CheckEncoding(r.Header)
		}
		if err == nil {
			err = h.serve(w, r)
		}
		if err != nil {
			a.writeProblem(w, r, err)
		}
	}
}

// describeHandler describes a handlerRoute.
func (b *documentBuilder) describeHandler(h *handlerRoute) *openapi3.Operation {
	out := openapi3.NewOperation()
	out.OperationID, out.Summary, out.Description, out.Tags = h.name, h.summary, h.details, []string{h.tag}
	out.Security = openapi3.NewSecurityRequirements()
	if h.security != nil {
		out.Security = out.Security.With(h.security)
	}
	for _, p := range h.parameters {
		out.AddParameter(p)
	}
	if h.request != nil {
		out.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).
			WithContent(openapi3.NewContentWithSchema(h.request, append([]string{mediaJSON}, h.media...)))}
	}
	success := openapi3.NewResponse().WithDescription(withFullStop(h.summary))
	if h.response != nil {
		success.Content = openapi3.NewContentWithSchema(h.response, []string{mediaJSON})
	}
	if h.status == http.StatusSeeOther {
		success.Headers = newHeaders("Location", "The address to continue at.")
	}
	if h.page {
		success.Content[mediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	}
	out.Responses = openapi3.NewResponsesWithCapacity(8)
	out.AddResponse(h.status, success)
	b.addFailures(out, func(status int) bool {
		switch status {
		case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable:
			return true
		}
		return slices.Contains(h.fails, status)
	})
	if h.page {
		b.addErrorPage(out)
	}
	return out
}

// addErrorPage documents that invalid fields may be shown on the page that sent them.
func (b *documentBuilder) addErrorPage(out *openapi3.Operation) {
	known := b.doc.Components.Responses[problemName(http.StatusUnprocessableEntity)].Value
	response := openapi3.NewResponse().WithDescription(*known.Description).WithContent(maps.Clone(known.Content))
	response.Content[mediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	out.AddResponse(http.StatusUnprocessableEntity, response)
}

// objectSchema returns the schema of an object with required members only.
func objectSchema(members openapi3.Schemas) *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Properties = members
	for name := range members {
		s.Required = append(s.Required, name)
	}
	slices.Sort(s.Required)
	return s
}

func textSchema(description string) *openapi3.SchemaRef {
	s := openapi3.NewStringSchema()
	s.Description = description
	return s.NewRef()
}

func enumSchema(description string, values ...any) *openapi3.SchemaRef {
	s := openapi3.NewStringSchema().WithEnum(values...)
	s.Description = description
	return s.NewRef()
}

func listSchema(description string, item *openapi3.Schema) *openapi3.SchemaRef {
	s := openapi3.NewArraySchema().WithItems(item)
	s.Description = description
	return s.NewRef()
}
