package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
)

// CheckResponse validates a response of the API against the OpenAPI document and returns an error
// when its status, media type or body is not described. Tests call it for every response. A path
// that is not in the document is an error, except with status 404 or 405.
func (a *Adapter) CheckResponse(r *http.Request, status int, header http.Header, body []byte) error {
	described := a.describedRoute(r)
	if described == nil {
		if status == http.StatusNotFound || status == http.StatusMethodNotAllowed {
			return checkProblem(a.document, r.Method, header, body)
		}
		return fmt.Errorf("%s %s is not in the document", r.Method, r.URL.Path)
	}
	response := described.Responses.Value(strconv.Itoa(status))
	if response == nil {
		return fmt.Errorf("%s does not describe the status %d", described.OperationID, status)
	}
	if len(response.Value.Content) == 0 || r.Method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("%s answers %d with a body of %d bytes where none is described", described.OperationID,
				status, len(body))
		}
		return nil
	}
	if err := checkContent(a.document, response.Value.Content, header, body); err != nil {
		return fmt.Errorf("%s %d: %w", described.OperationID, status, err)
	}
	return nil
}

func (a *Adapter) describedRoute(r *http.Request) *openapi3.Operation {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	found := chi.NewRouteContext()
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), "/api")
	if !ok || !a.mux.Match(found, method, path) {
		return nil
	}
	pattern := "/api" + found.RoutePattern()
	for _, route := range a.routes {
		if route.method == method && route.path == pattern {
			return route.described
		}
	}
	for _, h := range a.handlers {
		if h.method == method && h.path == pattern {
			return h.described
		}
	}
	return nil
}

func checkProblem(doc *openapi3.T, method string, header http.Header, body []byte) error {
	if method == http.MethodHead && len(body) == 0 {
		return nil
	}
	content := openapi3.NewContentWithSchemaRef(doc.Components.Schemas["Problem"], []string{mediaProblem})
	return checkContent(doc, content, header, body)
}

func checkContent(doc *openapi3.T, content openapi3.Content, header http.Header, body []byte) error {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return err
	}
	described, ok := content[media]
	if content[mediaAny] != nil {
		return nil
	}
	if !ok {
		return fmt.Errorf("the media type %s is not described", media)
	}
	if media == mediaPage {
		return nil
	}
	if media != mediaStream {
		return checkValue(described.Schema, body)
	}
	schema, _ := described.Extensions["x-event-data"].(*openapi3.SchemaRef)
	for event := range bytes.SplitSeq(body, []byte("\n\n")) {
		expected := schema
		if bytes.Contains(event, []byte("event: error\n")) {
			expected = doc.Components.Schemas["Problem"]
		}
		if _, data, ok := bytes.Cut(event, []byte("data: ")); ok {
			if err := checkValue(expected, data); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkValue(schema *openapi3.SchemaRef, text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return schema.Value.VisitJSON(value, openapi3.MultiErrors(), openapi3.VisitAsResponse())
}
