package policy

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// maxSuggestedName is the number of bytes of a name up to which errors suggest similar names. The
// time to compare two names grows with the product of their lengths.
const maxSuggestedName = 64

// plainRules returns the validation rules without suggestions of names. The executor itself
// replaces two further rules.
func plainRules() *rules.Rules {
	plain := rules.NewDefaultRules()
	for _, r := range []struct{ with, without core.Rule }{
		{rules.KnownArgumentNamesRule, rules.KnownArgumentNamesRuleWithoutSuggestions},
		{rules.KnownTypeNamesRule, rules.KnownTypeNamesRuleWithoutSuggestions},
		{rules.ValuesOfCorrectTypeRule, rules.ValuesOfCorrectTypeRuleWithoutSuggestions},
	} {
		plain.RemoveRule(r.with.Name)
		plain.AddRule(r.without.Name, r.without.RuleFunc)
	}
	return plain
}

// DescribeErrors returns the errors of a rejected operation. It names every invalid variable if
// variables caused them, and suggests similar names if the text did.
func (p *Policy) DescribeErrors(op *graphql.OperationContext, variables map[string]any,
	list gqlerror.List) gqlerror.List {
	if isVariableError(list[0]) {
		if err := p.checkVariables(op.Operation, variables); err != nil {
			return gqlerror.List{toGraphError(err)}
		}
	}
	return p.addSuggestions(op.RawQuery, list)
}

// addSuggestions adds similar names to the errors of an invalid text. It returns the list itself if
// the errors are not the validator's, the schema is hidden, or there are many errors or long names.
func (p *Policy) addSuggestions(text string, list gqlerror.List) gqlerror.List {
	if p.config.HideSchema || list[0].Rule == "" || len(list) > p.limits.Errors || hasLongName(text) {
		return list
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, p.limits.Tokens)
	if err != nil {
		return list
	}
	detailed := validator.ValidateWithRules(p.schema, doc, rules.NewDefaultRules())
	for _, err := range detailed {
		errcode.Set(err, errcode.ValidationFailed)
	}
	return detailed
}

// hasLongName reports whether a name or string of the text is too long for suggestions.
func hasLongName(text string) bool {
	l := lexer.New(&ast.Source{Input: text})
	for {
		token, err := l.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return err != nil
		}
		if len(token.Value) > maxSuggestedName && token.Kind != lexer.Comment {
			return true
		}
	}
}
