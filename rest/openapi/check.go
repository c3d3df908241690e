package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/rest/stored"
)

// CheckResponse validates a response to a method of a path against the document. It returns an
// error when its status, media type or body is not described. A path that is not in the document is
// an error, except with status 404 or 405.
func (d Document) CheckResponse(method, path string, status int, header http.Header, body []byte) error {
	described := d.Operation(strings.Replace(method, http.MethodHead, http.MethodGet, 1), path)
	if described == nil {
		if status == http.StatusNotFound || status == http.StatusMethodNotAllowed {
			return checkProblem(d.T, method, header, body)
		}
		return fmt.Errorf("%s %s is not in the document", method, path)
	}
	response := described.Responses.Value(strconv.Itoa(status))
	if response == nil {
		return fmt.Errorf("%s does not describe the status %d", described.OperationID, status)
	}
	if len(response.Value.Content) == 0 || method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("%s answers %d with a body of %d bytes where none is described", described.OperationID,
				status, len(body))
		}
		return nil
	}
	if err := checkContent(d.T, response.Value.Content, header, body); err != nil {
		return fmt.Errorf("%s %d: %w", described.OperationID, status, err)
	}
	return nil
}

func checkProblem(doc *openapi3.T, method string, header http.Header, body []byte) error {
	if method == http.MethodHead && len(body) == 0 {
		return nil
	}
	content := openapi3.NewContentWithSchemaRef(doc.Components.Schemas["Problem"], []string{MediaProblem})
	return checkContent(doc, content, header, body)
}

func checkContent(doc *openapi3.T, content openapi3.Content, header http.Header, body []byte) error {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return err
	}
	described, ok := content[media]
	if content[stored.MediaFile] != nil {
		return nil
	}
	if !ok {
		return fmt.Errorf("the media type %s is not described", media)
	}
	if media != stored.MediaStream && strings.HasPrefix(media, "text/") {
		return nil
	}
	if media != stored.MediaStream {
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
