package stored

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// sampleSchema is a schema with the directives of stored operations and few fields.
func sampleSchema(t *testing.T) *ast.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	return gqlparser.MustLoadSchema(&ast.Source{Input: string(text)})
}

// sample returns the operation with a name in testdata/operations.
func sample(t *testing.T, name string) *Operation {
	t.Helper()
	set, err := Load(sampleSchema(t), os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(set.Operations, func(op *Operation) bool { return op.Name == name })
	return set.Operations[i]
}

func load(t *testing.T, text string) (*Operation, error) {
	t.Helper()
	set, err := Load(sampleSchema(t), fstest.MapFS{"operations/a.graphql": {Data: []byte(text)}})
	if err != nil {
		return nil, err
	}
	return set.Operations[0], nil
}

func TestReshape(t *testing.T) {
	t.Parallel()
	op := sample(t, "saveNote")
	for given, want := range map[string]string{
		`{"save":{"message":"SavePayload","note":{"note_id":"n_1","tags":["a","\"b\""],"secret":null},"other":{"id":"n_2","count":"Note"},"notes":[{"note_text":null,"tags_json":[]},{"note_text":"é","tags_json":null}]}}`: `{"message":"Saved","note_id":"n_1","tags":"[\"a\",\"\\\"b\\\"\"]","secret":null,"other":{"id":"n_2","count":3},"notes":[{"note_text":null,"tags_json":"[]"},{"note_text":"é","tags_json":null}]}`,
		`{"save":{"message":"SavePayload","note":null,"other":{"id":"n_2","count":"Note"},"notes":[]}}`:                                                                                                                     `{"message":"Saved","other":{"id":"n_2","count":3},"notes":[]}`,
	} {
		got, err := op.ResponseBody([]byte(given))
		if err != nil || string(got) != want {
			t.Errorf("%s is written as\n%s (%v), want\n%s", given, got, err, want)
		}
	}
	const client = "mutation saveNote ($body: SaveInput!) {\n  save(input: $body) {\n    note {\n      note_id: id\n      ... Tags\n    }\n" +
		"    other {\n      id\n    }\n    notes {\n      note_text: text\n      tags_json: tags\n    }\n  }\n}\nfragment Tags on Note {\n  tags\n}\n"
	if op.ClientText != client {
		t.Errorf("clients see\n%s", op.ClientText)
	}
}

// TestReshape_keyed writes lists as objects, also in an object that is lifted.
func TestReshape_keyed(t *testing.T) {
	t.Parallel()
	op := sample(t, "saveNotes")
	for given, want := range map[string]string{
		`{"save":{"texts":[{"name":"a & b","text":"<é>"},{"name":"c","text":null}],"notes":[{"id":"n_1","text":"t","tags":["x"]}]}}`: `{"texts":{"a \u0026 b":"\u003cé\u003e","c":null},"notes":{"n_1":{"text":"t","tags":"[\"x\"]"}}}`,
		`{"save":{"texts":[],"notes":null}}`: `{"texts":{},"notes":null}`,
	} {
		got, err := op.ResponseBody([]byte(given))
		if err != nil || string(got) != want {
			t.Errorf("%s is written as\n%s (%v), want\n%s", given, got, err, want)
		}
	}
	if strings.Contains(op.ClientText, "keyed") || !strings.Contains(op.ClientText, "name: id") {
		t.Errorf("clients see\n%s", op.ClientText)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	op := sample(t, "saveNote")
	if p := op.Parameters[0]; op.Rule.Path != "/api/v1/notes/{id}" || p.Name != "id" || p.Description != "The note's id." {
		t.Errorf("the parameters of %s are %v", op.Rule.Path, p)
	}
	if properties := op.Body.Schema.Value.Properties; len(properties) != 1 || properties["text"] == nil {
		t.Errorf("the body has the members %v", properties)
	}
	body, bad := op.Body.Decode(map[string]any{"text": "t", "note_id": "n_9", "dry_run": false})
	id, alsoBad := op.Parameters[0].Parse(op.Parameters[0].At, "n_1")
	if len(bad)+len(alsoBad) > 0 {
		t.Fatal(bad, alsoBad)
	}
	values := map[string]any{bodyVariable: body, "id": id, op.IfMatch.Name: []any{"v1"}}
	op.MoveMembers(values)
	sent, _ := values[bodyVariable].(map[string]any)
	if len(values) != 1 || len(sent) != 4 || sent["noteId"] != "n_1" || sent["dryRun"] != true || sent["text"] != "t" {
		t.Errorf("the variables are %v", values)
	}
	if field := op.locateField("missing", "is required", []any{"input", "noteId"}); field.Loc[0] != InPath {
		t.Errorf("the field is %v", field)
	}
}

// TestLocateField_free_object leaves the keys of free JSON objects as the request spells them.
func TestLocateField_free_object(t *testing.T) {
	t.Parallel()
	op := &Operation{Body: &Parameter{In: InBody, decoder: &decoder{fields: map[string]inputField{
		"free_map": {name: "freeMap"}, "all_rows": {name: "allRows",
			decoder: &decoder{fields: map[string]inputField{"row_id": {name: "rowId"}}}},
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
	op, err := load(t, `mutation dropNote($body: DropInput!) @rest(method: DELETE, path: "/api/v1/notes/{id}", status: 204) {
		drop(input: $body) { removed: __typename @constant(value: true) } }`)
	if err != nil {
		t.Fatal(err)
	}
	if op.Body != nil || len(op.Parameters) != 1 || !strings.Contains(op.ClientText, "__typename\n") {
		t.Errorf("the operation has the body %v and the text %s", op.Body, op.ClientText)
	}
	values := map[string]any{"id": "n_1"}
	op.MoveMembers(values)
	if body, _ := values[bodyVariable].(map[string]any); body["id"] != "n_1" {
		t.Errorf("the variables are %v", values)
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
		if _, err := load(t, text); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
