package graph

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"rostrum/graph/generated"
)

// FullSchema returns the schema that stored operations are written for, without a server.
func FullSchema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }

// Schema returns the schema that clients see, without a server.
func Schema() *ast.Schema { return apiSchema(FullSchema()) }

// SDL returns the schema that clients see in the schema definition language. It declares @defer,
// which compilers of clients do not know by themselves.
func SDL() string {
	schema := Schema()
	declared := *schema.Directives["defer"]
	declared.Position = &ast.Position{Src: &ast.Source{}} // the formatter leaves out built-in directives
	schema.Directives["defer"] = &declared
	var b strings.Builder
	formatter.NewFormatter(&b).FormatSchema(schema)
	return b.String()
}
