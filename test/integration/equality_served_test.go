package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
	"rostrum/test/kit"
)

// servedDocuments holds the document that each app serves, read from its JSON: a client resolves
// references by names, and the program by pointers.
var servedDocuments sync.Map // *app.App → openapi.Document

// checkServed checks the response of a stored operation against the served document.
func (s *state) checkServed(t *testing.T, name string, answer *kit.Response) {
	t.Helper()
	document, ok := servedDocuments.Load(s.app.App)
	if !ok {
		document, _ = servedDocuments.LoadOrStore(s.app.App, readServed(t, s.app))
	}
	rule := s.app.Stored()[name].Rule
	path := rule.Path
	if rule.When != "" {
		path = stored.SelectedPath(path, rule.When)
	}
	if err := document.(openapi.Document).CheckResponse(rule.Method, path, answer.Status, answer.Header,
		answer.Body); err != nil {
		t.Errorf("the served document has another response of %s: %v\n%.500s", name, err, answer.Body)
	}
}

// readServed reads the document as a client does. The schemas of events are in an extension, so they
// become components first.
func readServed(t *testing.T, a *kit.App) openapi.Document {
	t.Helper()
	var tree map[string]any
	served := a.Do(t, http.MethodGet, "/openapi/openapi.json", nil, "")
	if err := json.Unmarshal(served.Body, &tree); err != nil {
		t.Fatal(err)
	}
	schemas := tree["components"].(map[string]any)["schemas"].(map[string]any)
	events := 0
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			if data, ok := v["x-event-data"]; ok {
				name := fmt.Sprint("EventData", events)
				events++
				schemas[name], v["x-event-data"] = data, name
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(tree["paths"])
	document, err := openapi3.NewLoader().LoadFromData(encoded(t, tree))
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range document.Paths.Map() {
		for _, operation := range item.Operations() {
			for _, response := range operation.Responses.Map() {
				for _, media := range response.Value.Content {
					if name, ok := media.Extensions["x-event-data"].(string); ok {
						media.Extensions["x-event-data"] = document.Components.Schemas[name]
					}
				}
			}
		}
	}
	return openapi.Document{T: document}
}
