package rest

import (
	"maps"
	"net/http"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// handler is a route that is no operation of the graph: it has code of its own, and here what the OpenAPI document says of it.
type handler struct {
	method, path                string
	name, tag, summary, details string
	status                      int
	request, response           *openapi3.Schema // nil: no body
	media                       []string         // of the request, where JSON is not all that is read
	page                        bool             // success and bad fields are also told by a web page
	limited                     bool             // a request takes a turn of its address
	parameters                  []*openapi3.Parameter
	security                    openapi3.SecurityRequirement // nil: open to anyone
	fails                       []int
	serve                       func(w http.ResponseWriter, r *http.Request) error
	described                   *openapi3.Operation
}

// own serves a handler; a failure is answered as any route's.
func (a *Adapter) own(h *handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		var err error
		if h.limited {
			err = a.config.Limit(r.Context(), w.Header(), r)
		}
		if err == nil {
			err = h.serve(w, r)
		}
		if err != nil {
			a.fail(w, r, err)
		}
	}
}

// handler describes a route that is no operation.
func (b *builder) handler(h *handler) *openapi3.Operation {
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
	success := openapi3.NewResponse().WithDescription(sentence(h.summary))
	if h.response != nil {
		success.Content = openapi3.NewContentWithSchema(h.response, []string{mediaJSON})
	}
	if h.status == http.StatusSeeOther {
		success.Headers = headers("Location", "Where the browser goes on.")
	}
	if h.page {
		success.Content[mediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	}
	out.Responses = openapi3.NewResponsesWithCapacity(8)
	out.AddResponse(h.status, success)
	b.failures(out, func(status int) bool {
		return status == http.StatusInternalServerError || status == http.StatusServiceUnavailable || slices.Contains(h.fails, status)
	})
	if h.page {
		b.refusedPage(out)
	}
	return out
}

// refusedPage says that bad fields may be told by the page that they were sent from.
func (b *builder) refusedPage(out *openapi3.Operation) {
	known := b.doc.Components.Responses[problemName(http.StatusUnprocessableEntity)].Value
	response := openapi3.NewResponse().WithDescription(*known.Description).WithContent(maps.Clone(known.Content))
	response.Content[mediaPage] = openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema())
	out.AddResponse(http.StatusUnprocessableEntity, response)
}

// object is a schema of an object whose members are all required.
func object(members openapi3.Schemas) *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Properties = members
	for name := range members {
		s.Required = append(s.Required, name)
	}
	slices.Sort(s.Required)
	return s
}

func text(description string) *openapi3.SchemaRef {
	s := openapi3.NewStringSchema()
	s.Description = description
	return s.NewRef()
}

func words(description string, values ...any) *openapi3.SchemaRef {
	s := openapi3.NewStringSchema().WithEnum(values...)
	s.Description = description
	return s.NewRef()
}

func list(description string, item *openapi3.Schema) *openapi3.SchemaRef {
	s := openapi3.NewArraySchema().WithItems(item)
	s.Description = description
	return s.NewRef()
}
