package openapi

import (
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/rest/stored"
)

// describeSample returns the document of the operations that rest/stored tests.
func describeSample(t *testing.T) Document {
	t.Helper()
	text, err := os.ReadFile("../stored/testdata/schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: string(text)})
	set, err := stored.Load(schema, os.DirFS("../stored/testdata"))
	if err != nil {
		t.Fatal(err)
	}
	document, err := New(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func bodyOf(described *openapi3.Operation) *openapi3.Schema {
	return described.Responses.Status(200).Value.Content[stored.MediaJSON].Schema.Value
}

func TestResponse(t *testing.T) {
	t.Parallel()
	body := bodyOf(describeSample(t).Operation("POST", "/api/v1/notes/{id}"))
	if got := strings.Join(body.Required, " "); got != "message notes other" {
		t.Errorf("the required members are %s", got)
	}
	if body.Properties["message"].Value.Enum[0] != "Saved" || !body.Properties["tags"].Value.Type.Is("string") ||
		body.Properties["note_id"] == nil {
		t.Errorf("the members are %v", body.Properties)
	}
}

func TestResponse_keyed(t *testing.T) {
	t.Parallel()
	properties := bodyOf(describeSample(t).Operation("POST", "/api/v1/notes")).Properties
	rest := properties["notes"].Value.AdditionalProperties.Schema.Value
	if text := properties["texts"].Value.AdditionalProperties.Schema.Value; !text.Type.Is("string") &&
		!text.Type.Includes("null") || len(rest.Properties) != 2 {
		t.Errorf("the members are %v and %v", text, rest.Properties)
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	described := describeSample(t).Operation("POST", "/api/v1/notes/{id}")
	if p := described.Parameters[0].Value; p.Name != "id" || p.Description != "The note's id." {
		t.Errorf("the parameters are %v", p)
	}
	if body := described.RequestBody.Value; body.Required || len(body.Content[stored.MediaJSON].Schema.Value.Properties) != 1 {
		t.Errorf("the request body is %v", body)
	}
}
