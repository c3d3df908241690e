package graph

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// TestConsoleOperations runs the console's queries as its client sends them, with a gateway's
// limits. A change of the schema or the limits that breaks a screen fails here, without npm.
func TestConsoleOperations(t *testing.T) {
	t.Parallel()
	doc, errs := gqlparser.LoadQueryWithRules(Schema(), readConsoleOperations(t), nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	b := newTestBundle(t)
	for _, op := range doc.Operations {
		if op.Operation != ast.Query {
			continue
		}
		t.Run(op.Name, func(t *testing.T) {
			body, err := json.Marshal(map[string]any{"query": printOperation(op),
				"variables": sampleVariables(op)})
			if err != nil {
				t.Fatal(err)
			}
			r := b.do(t, http.MethodPost, "", string(body), "Content-Type", typeJSON, keyHeader, adminKey)
			for _, code := range []string{"limit_exceeded", "bad_request"} {
				if strings.Contains(r.body, code) {
					t.Error(r.body)
				}
			}
		})
	}
}

func readConsoleOperations(t *testing.T) string {
	t.Helper()
	var texts strings.Builder
	files := os.DirFS("../console/src")
	count := 0
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".graphql") {
			return err
		}
		text, err := fs.ReadFile(files, name)
		texts.Write(append(text, '\n'))
		count++
		return err
	})
	if err != nil || count < 10 {
		t.Fatalf("%d files: %v", count, err)
	}
	return texts.String()
}

// printOperation returns an operation with its fragments. Each object also has __typename, which
// clients with a cache add.
func printOperation(op *ast.OperationDefinition) string {
	one := &ast.QueryDocument{Operations: ast.OperationList{op}}
	nameTypes(one, op.SelectionSet)
	var text strings.Builder
	formatter.NewFormatter(&text).FormatQueryDocument(one)
	return text.String()
}

// nameTypes adds __typename to the objects below a selection, and its fragments to the document.
func nameTypes(doc *ast.QueryDocument, set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if len(s.SelectionSet) > 0 {
				nameTypes(doc, s.SelectionSet)
				s.SelectionSet = append(s.SelectionSet, &ast.Field{Name: "__typename", Alias: "__typename"})
			}
		case *ast.InlineFragment:
			nameTypes(doc, s.SelectionSet)
		case *ast.FragmentSpread:
			if doc.Fragments.ForName(s.Name) == nil {
				doc.Fragments = append(doc.Fragments, s.Definition)
				nameTypes(doc, s.Definition.SelectionSet)
			}
		}
	}
}

// sampleVariables returns a value for each variable that must have one.
func sampleVariables(op *ast.OperationDefinition) map[string]any {
	values := map[string]any{}
	for _, v := range op.VariableDefinitions {
		if v.Type.NonNull {
			values[v.Variable] = "doc_none"
		}
	}
	return values
}
