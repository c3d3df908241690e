package graph

import (
	"strings"

	"github.com/vektah/gqlparser/v2/formatter"

	"rostrum/graph/generated"
)

// SDL is the schema as text, in the schema definition language.
func SDL() string {
	var b strings.Builder
	formatter.NewFormatter(&b).FormatSchema(generated.NewExecutableSchema(generated.Config{}).Schema())
	return b.String()
}
