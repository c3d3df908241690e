package rest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph"
)

// shapeSchema is a schema with the directives of stored operations and few fields.
func shapeSchema(t *testing.T) *ast.Schema {
	t.Helper()
	full := graph.FullSchema()
	var text strings.Builder
	text.WriteString("scalar JSON scalar JSONObject enum ErrorCode { CONFLICT }\n" + restMethods)
	for _, name := range []string{"rest", "lift", "constant", "jsonText", "keyed", "nonNull", "inaccessible"} {
		if full.Directives[name] == nil {
			t.Fatalf("the schema has no @%s", name)
		}
	}
	text.WriteString(`
		directive @rest(method: RestMethod!, path: String!, status: Int = 200, wrap: String, unwrap: String, optionalBody: Boolean = false,
			ifMatch: String, set: JSONObject) on QUERY | MUTATION
		directive @lift on FIELD
		directive @constant(value: JSON!) on FIELD
		directive @jsonText on FIELD
		directive @keyed(by: String!, value: String) on FIELD
		directive @inaccessible on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
		"A note." type Note { id: ID! tags: [String!]! text: String secret: String @inaccessible }
		type SavePayload { note: Note other: Note! notes: [Note!]! }
		"The note." input SaveInput { "The note's id." noteId: ID! "The text." text: String "The version." ifVersion: [String!] "Whether to try." dryRun: Boolean }
		"Which note." input DropInput { "The note's id." id: ID! }
		type Query { note(secret: String @inaccessible): Note }
		type Mutation { save("The note." input: SaveInput!): SavePayload drop("Which note." input: DropInput!): SavePayload }`)
	return gqlparser.MustLoadSchema(&ast.Source{Input: text.String()})
}

const restMethods = "enum RestMethod { GET POST PUT PATCH DELETE }\n"

func prepare(t *testing.T, text string) (*storedOperation, error) {
	t.Helper()
	operations, err := prepareOperations(shapeSchema(t), fstest.MapFS{"operations/a.graphql": {Data: []byte(text)}})
	if err != nil {
		return nil, err
	}
	return operations[0], nil
}

const saveNote = `mutation saveNote($body: SaveInput!)
	@rest(method: POST, path: "/api/v1/notes/{id=noteId}", optionalBody: true, ifMatch: "ifVersion", set: {dryRun: true}) {
	save(input: $body) {
		message: __typename @constant(value: "Saved")
		note @lift { note_id: id ...Tags }
		other { id count: __typename @constant(value: 3) }
		notes { note_text: text tags_json: tags @jsonText }
	}
}
fragment Tags on Note { tags @jsonText secret }`

func TestReshape(t *testing.T) {
	t.Parallel()
	op, err := prepare(t, saveNote)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		`{"save":{"message":"SavePayload","note":{"note_id":"n_1","tags":["a","\"b\""],"secret":null},"other":{"id":"n_2","count":"Note"},"notes":[{"note_text":null,"tags_json":[]},{"note_text":"é","tags_json":null}]}}`: `{"message":"Saved","note_id":"n_1","tags":"[\"a\",\"\\\"b\\\"\"]","secret":null,"other":{"id":"n_2","count":3},"notes":[{"note_text":null,"tags_json":"[]"},{"note_text":"é","tags_json":null}]}`,
		`{"save":{"message":"SavePayload","note":null,"other":{"id":"n_2","count":"Note"},"notes":[]}}`:                                                                                                                     `{"message":"Saved","other":{"id":"n_2","count":3},"notes":[]}`,
	} {
		got, err := op.successBody(&graphql.Response{Data: []byte(given)})
		if err != nil || string(got) != want {
			t.Errorf("%s is written as\n%s (%v), want\n%s", given, got, err, want)
		}
	}
	const client = "mutation saveNote ($body: SaveInput!) {\n  save(input: $body) {\n    note {\n      note_id: id\n      ... Tags\n    }\n" +
		"    other {\n      id\n    }\n    notes {\n      note_text: text\n      tags_json: tags\n    }\n  }\n}\nfragment Tags on Note {\n  tags\n}\n"
	if op.clientText != client {
		t.Errorf("clients see\n%s", op.clientText)
	}
}

// TestReshape_keyed writes lists as objects, also in an object that is lifted.
func TestReshape_keyed(t *testing.T) {
	t.Parallel()
	op, err := prepare(t, `mutation saveNotes($body: SaveInput!) @rest(method: POST, path: "/api/v1/notes") {
		save(input: $body) { texts: notes @keyed(by: "name", value: "text") { name: id text } notes @keyed(by: "id") { id ...Rest } }
	}
	fragment Rest on Note { text tags @jsonText }`)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		`{"save":{"texts":[{"name":"a & b","text":"<é>"},{"name":"c","text":null}],"notes":[{"id":"n_1","text":"t","tags":["x"]}]}}`: `{"texts":{"a \u0026 b":"\u003cé\u003e","c":null},"notes":{"n_1":{"text":"t","tags":"[\"x\"]"}}}`,
		`{"save":{"texts":[],"notes":null}}`: `{"texts":{},"notes":null}`,
	} {
		got, err := op.successBody(&graphql.Response{Data: []byte(given)})
		if err != nil || string(got) != want {
			t.Errorf("%s is written as\n%s (%v), want\n%s", given, got, err, want)
		}
	}
	if strings.Contains(op.clientText, "keyed") || !strings.Contains(op.clientText, "name: id") {
		t.Errorf("clients see\n%s", op.clientText)
	}
	properties := newBuilder(shapeSchema(t)).bodySchema(op).Value.Properties
	rest := properties["notes"].Value.AdditionalProperties.Schema.Value
	if text := properties["texts"].Value.AdditionalProperties.Schema.Value; !text.Type.Is("string") &&
		!text.Type.Includes("null") || len(rest.Properties) != 2 {
		t.Errorf("the members are %v and %v", text, rest.Properties)
	}
}

func TestReshape_described(t *testing.T) {
	t.Parallel()
	op, err := prepare(t, saveNote)
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(shapeSchema(t))
	body := b.bodySchema(op).Value
	if got := strings.Join(body.Required, " "); got != "message notes other" {
		t.Errorf("the required members are %s", got)
	}
	if body.Properties["message"].Value.Enum[0] != "Saved" || !body.Properties["tags"].Value.Type.Is("string") ||
		body.Properties["note_id"] == nil {
		t.Errorf("the members are %v", body.Properties)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	op, err := prepare(t, saveNote)
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(shapeSchema(t))
	route := &apiRoute{method: "POST", path: op.rule.Path, operations: []*storedOperation{op}}
	described := b.describeOperation(route)
	if op.rule.Path != "/api/v1/notes/{id}" || described.Parameters[0].Value.Name != "id" ||
		described.Parameters[0].Value.Description != "The note's id." {
		t.Errorf("the parameters are %v", described.Parameters[0].Value)
	}
	if media := described.RequestBody.Value; media.Required || len(op.body.schema.Value.Properties) != 1 ||
		op.body.schema.Value.Properties["text"] == nil {
		t.Errorf("the body has the members %v", op.body.schema.Value.Properties)
	}
	in := &requestInput{values: map[string]any{}}
	in.values[bodyVariable] = op.body.coder.decodeValue(map[string]any{"text": "t", "note_id": "n_9", "dry_run": false})
	in.addValue(op.parameters[0], fieldAt(inPath, "id"), "n_1")
	in.fromIfMatch(op.ifMatch, []string{`"v1"`})
	in.moveMembers(op)
	body, _ := in.values[bodyVariable].(map[string]any)
	if len(in.values) != 1 || len(body) != 4 || body["noteId"] != "n_1" || body["dryRun"] != true ||
		body["text"] != "t" {
		t.Errorf("the variables are %v", in.values)
	}
	if field := op.locateField("missing", "is required", []any{"input", "noteId"}); field.Loc[0] != inPath {
		t.Errorf("the field is %v", field)
	}
}

// TestLocateField_free_object leaves the keys of free JSON objects as the request spells them.
func TestLocateField_free_object(t *testing.T) {
	t.Parallel()
	op := &storedOperation{body: &parameter{in: inBody, coder: &inputDecoder{fields: map[string]inputField{
		"free_map": {name: "freeMap"}, "all_rows": {name: "allRows",
			coder: &inputDecoder{fields: map[string]inputField{"row_id": {name: "rowId"}}}},
	}}}}
	for want, path := range map[string][]any{
		"#/free_map/A.B/0/~0my~1Tag": {"freeMap", "A.B", 0, "~my/Tag"}, "#/all_rows/3/row_id": {"allRows", 3, "rowId"},
		"#/other_field/some_member": {"otherField", "someMember"},
	} {
		if field := op.locateField("missing", "is required", path); field.Pointer != want {
			t.Errorf("%v is located at %s, want %s", path, field.Pointer, want)
		}
	}
}

func TestMembers_without_body(t *testing.T) {
	t.Parallel()
	op, err := prepare(t, `mutation dropNote($body: DropInput!) @rest(method: DELETE, path: "/api/v1/notes/{id}", status: 204) {
		drop(input: $body) { removed: __typename @constant(value: true) } }`)
	if err != nil {
		t.Fatal(err)
	}
	if op.body != nil || len(op.parameters) != 1 || !strings.Contains(op.clientText, "__typename\n") {
		t.Errorf("the operation has the body %v and the text %s", op.body, op.clientText)
	}
	in := &requestInput{values: map[string]any{"id": "n_1"}}
	in.moveMembers(op)
	if body, _ := in.values[bodyVariable].(map[string]any); body["id"] != "n_1" {
		t.Errorf("the variables are %v", in.values)
	}
}

func TestOperation_refused(t *testing.T) {
	t.Parallel()
	const head = `mutation x($body: SaveInput!) @rest(method: POST, path: "/api/v1/notes/{id=noteId}"`
	for name, text := range map[string]string{
		"lift of a list":        head + `) { save(input: $body) { notes @lift { id } } }`,
		"keyed by no member":    head + `) { save(input: $body) { notes @keyed(by: "id") { text } } }`,
		"keyed object":          head + `) { save(input: $body) { other @keyed(by: "id") { id } } }`,
		"constant on a field":   head + `) { save(input: $body) { other { id @constant(value: 1) } } }`,
		"two members of a name": head + `) { save(input: $body) { note @lift { id } other @lift { id } } }`,
		"unknown member": strings.Replace(head, "noteId", "nobody", 1) +
			`) { save(input: $body) { other { id } } }`,
		"unknown set": head + `, set: {nobody: 1}) { save(input: $body) { other { id } } }`,
		"no body":     `query x @rest(method: GET, path: "/api/v1/notes/{id}") { note { id } }`,
	} {
		if _, err := prepare(t, text); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
