package graph

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// mutationVerbs are the first words of mutations.
var mutationVerbs = []string{
	"accept", "add", "apply", "approve", "ask", "build", "cancel", "change", "check", "compare", "confirm", "correct", "create", "delete", "draft",
	"dismiss", "end", "enhance", "erase", "exclude", "export",
	"extract", "generate", "import", "ingest", "invite", "link", "mark", "merge", "mint", "poll", "preview", "publish", "rate", "register", "reject", "remove", "rename", "renew", "reopen", "replace", "replay", "reply", "request", "reset",
	"resolve", "restore", "retire", "retry", "return", "revoke", "rewrite", "rotate", "save", "set",
	"start", "test", "toggle", "undo", "unhide", "unlink", "update", "withdraw",
}

// TestMutations checks every mutation's shape. Its name is a verb and a noun, and it takes one
// input and possibly a file. It returns a payload of its own, or null if it fails.
func TestMutations(t *testing.T) {
	t.Parallel()
	api := Schema()
	for _, field := range api.Mutation.Fields {
		if strings.HasPrefix(field.Name, "__") {
			continue
		}
		checkMutationName(t, field)
		checkMutationInput(t, field)
		checkMutationPayload(t, api, field)
	}
}

var firstWord = regexp.MustCompile(`^[a-z]+`)

func checkMutationName(t *testing.T, field *ast.FieldDefinition) {
	t.Helper()
	verb := firstWord.FindString(field.Name)
	if !slices.Contains(mutationVerbs, verb) || verb == field.Name {
		t.Errorf("the name of %s is not a verb and a noun", field.Name)
	}
}

func checkMutationInput(t *testing.T, field *ast.FieldDefinition) {
	t.Helper()
	for _, argument := range field.Arguments {
		if argument.Name != "input" && (argument.Name != "file" || argument.Type.Name() != "Upload") {
			t.Errorf("%s has the argument %s, which belongs to its input", field.Name, argument.Name)
		}
	}
	input := field.Arguments.ForName("input")
	if input == nil || !input.Type.NonNull || !strings.HasSuffix(input.Type.Name(), "Input") {
		t.Errorf("%s has no input", field.Name)
	}
}

func checkMutationPayload(t *testing.T, api *ast.Schema, field *ast.FieldDefinition) {
	t.Helper()
	want := strings.ToUpper(field.Name[:1]) + field.Name[1:] + "Payload"
	if field.Type.String() != want {
		t.Errorf("%s returns %s, not a nullable %s", field.Name, field.Type, want)
	}
	payload := api.Types[field.Type.Name()]
	if payload == nil || payload.Kind != ast.Object {
		t.Errorf("%s returns no object", field.Name)
		return
	}
	if payload.Fields.ForName("message") != nil {
		t.Errorf("%s has a message for people", payload.Name)
	}
	if id := payload.Fields.ForName("id"); id != nil {
		t.Errorf("%s has the id of a node that it does not name: deletedId, or the node", payload.Name)
	}
}
