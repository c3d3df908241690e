package rest

import (
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"
)

// addAliases gives every field without an alias its snake_case name, so that answers leave in REST's spelling at no cost per request.
func addAliases(doc *ast.QueryDocument) {
	for _, op := range doc.Operations {
		aliasAll(op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		aliasAll(fragment.SelectionSet)
	}
}

func aliasAll(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias == s.Name {
				s.Alias = snake(s.Name)
			}
			aliasAll(s.SelectionSet)
		case *ast.InlineFragment:
			aliasAll(s.SelectionSet)
		}
	}
}

// snake spells a camelCase name as REST does: wordCount is word_count.
func snake(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
