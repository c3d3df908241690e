package graph

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"rostrum/graph/generated"
)

// Schema returns the schema without a server, to describe it.
func Schema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }

// SDL returns the schema in the schema definition language.
func SDL() string {
	var b strings.Builder
	formatter.NewFormatter(&b).FormatSchema(Schema())
	return b.String()
}
