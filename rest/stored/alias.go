package stored

import (
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"
)

// addAliases adds an alias in snake_case to every field without an alias, so that responses need no
// renaming per request.
func addAliases(doc *ast.QueryDocument) {
	for _, op := range doc.Operations {
		aliasSelections(op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		aliasSelections(fragment.SelectionSet)
	}
}

func aliasSelections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias == s.Name {
				s.Alias = snakeCase(s.Name)
			}
			aliasSelections(s.SelectionSet)
		case *ast.InlineFragment:
			aliasSelections(s.SelectionSet)
		}
	}
}

// snakeCase returns a camelCase name in snake_case: wordCount becomes word_count.
func snakeCase(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
