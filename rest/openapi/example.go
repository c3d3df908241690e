package openapi

import (
	"bytes"
	_ "embed" // examples.json
	"encoding/json"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/rest/stored"
)

// exampleFile has the examples by the name of their operation. A test of package rest writes it
// from the steps of scenarios.
//
//go:embed examples.json
var exampleFile []byte

// Example is a request to an operation and its responses, as JSON.
type Example struct {
	// Step is the scenario and the step that sends the request.
	Step       string                     `json:"step"`
	Parameters map[string]json.RawMessage `json:"parameters,omitempty"`
	Request    json.RawMessage            `json:"request,omitempty"`
	// Responses are the bodies by status and media type. The text of a stream is a JSON string.
	Responses map[string]map[string]json.RawMessage `json:"responses,omitempty"`
}

// addExamples adds the examples to the operations. It returns an error when they are not those of
// the document.
func (b *builder) addExamples(routes []*stored.Route) error {
	var examples map[string]Example
	if err := json.Unmarshal(exampleFile, &examples); err != nil {
		return fmt.Errorf("read the examples of operations: %w", err)
	}
	for _, item := range b.doc.Paths.Map() {
		for _, operation := range item.Operations() {
			if example, ok := examples[operation.OperationID]; ok {
				addExample(operation, example)
			}
		}
	}
	for _, route := range routes {
		renderExamples(b.doc.Paths.Value(route.Path).GetOperation(route.Method), route)
	}
	return nil
}

// renderExamples adds the examples of the further media types, made of the JSON ones.
func renderExamples(operation *openapi3.Operation, route *stored.Route) {
	for _, op := range route.Plain() {
		content := operation.Responses.Status(op.Rule.Status).Value.Content
		for _, r := range op.Renderings {
			body, _ := content[stored.MediaJSON].Example.(json.RawMessage)
			var compact bytes.Buffer
			if json.Compact(&compact, body) == nil {
				content[r.Media].Example = string(r.Render(compact.Bytes()))
			}
		}
	}
}

func addExample(operation *openapi3.Operation, example Example) {
	for i, ref := range operation.Parameters {
		if value, ok := example.Parameters[ref.Value.Name]; ok {
			own := *ref.Value
			own.Example = value
			operation.Parameters[i] = &openapi3.ParameterRef{Value: &own}
		}
	}
	if example.Request != nil {
		if media := RequestMedia(operation); media != nil {
			media.Example = example.Request
		}
	}
	for status, bodies := range example.Responses {
		response := operation.Responses.Value(status)
		for name, body := range bodies {
			if response != nil && response.Value.Content[name] != nil {
				response.Value.Content[name].Example = body
			}
		}
	}
}

// RequestMedia returns the media type of an operation's request that has the example: JSON, or the
// form of an operation that takes only forms. It is nil without a request body.
func RequestMedia(operation *openapi3.Operation) *openapi3.MediaType {
	if operation.RequestBody == nil {
		return nil
	}
	content := operation.RequestBody.Value.Content
	if media := content[stored.MediaJSON]; media != nil {
		return media
	}
	return content[stored.MediaForm]
}
