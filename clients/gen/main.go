// Command gen writes what the clients' types are generated from: schema.graphql, in which fields
// that are null only together with an error are not nullable, as a client fails on any error. It
// also writes the types of the Python client, for which no generator is packaged.
//
//	rostrum schema | go run ./clients/gen FOLDER
//
// FOLDER has operations.graphql and gets schema.graphql and python/rostrum_client/operations.py.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string) error {
	printed, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: string(printed)})
	if err != nil {
		return err
	}
	makeStrict(schema)
	var strict strings.Builder
	formatter.NewFormatter(&strict, formatter.WithIndent("  ")).FormatSchema(schema)
	if err := os.WriteFile(filepath.Join(folder, "schema.graphql"), []byte(strict.String()), 0o600); err != nil {
		return err
	}
	operations, err := os.ReadFile(filepath.Join(folder, "operations.graphql"))
	if err != nil {
		return err
	}
	types, err := pythonTypes(schema, string(operations))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "python/rostrum_client/operations.py"), []byte(types), 0o600)
}

// makeStrict makes the fields with @semanticNonNull not nullable.
func makeStrict(schema *ast.Schema) {
	for _, definition := range schema.Types {
		for _, field := range definition.Fields {
			if field.Directives.ForName("semanticNonNull") != nil {
				field.Type.NonNull = true
			}
		}
	}
}
