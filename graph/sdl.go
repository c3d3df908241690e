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

// SDL returns the schema that clients see in the schema definition language.
func SDL() string {
	var b strings.Builder
	formatter.NewFormatter(&b).FormatSchema(Schema())
	return b.String()
}
