package bulk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"rostrum/errs"
)

// The response keys of what a job adds to a query: the id of the parent of a nested connection, and
// the place of a page. The lines do not have them.
const (
	addedPrefix = "_bulk"
	idKey       = addedPrefix + "_id"
	pageKey     = addedPrefix + "_page"
)

// pageArguments are those that read a part of a connection.
var pageArguments = []string{"first", "last", "after", "before"}

// queryPlan is how a query is read.
type queryPlan struct {
	page          string // the text of a page: variables first, after, and nested if it nests
	count         string // the text that counts the rows; empty if nothing does
	root          string // the response key of the connection
	list, element string // the response keys of the nodes; element is empty unless they are in edges
	node          *shape // of a node
	nests         bool
}

// variables returns those of a page.
func (p *queryPlan) variables(size pageSizes, after *string) map[string]any {
	out := map[string]any{"first": size.first}
	if after != nil {
		out["after"] = *after
	}
	if p.nests {
		out["nested"] = size.nested
	}
	return out
}

// shape is what a line must change in the value of a field: nothing if it is nil.
type shape struct {
	members map[string]*shape // by response key
	paged   *pagedList        // nil unless it is a connection whose further pages are read
}

// pagedList is a nested connection.
type pagedList struct {
	path   string
	lists  []string // the response keys of its nodes and edges
	text   string   // reads a page from the parent: variables id, first, after, and nested if it nests
	key    string   // the response key below the parent
	parent string   // its type
	fields []*ast.Field
	nests  bool
}

// planQuery returns how to read a query, or errs.ValidationFailed if it is no list.
func planQuery(schema *ast.Schema, text string) (*queryPlan, error) {
	op, err := loadOperation(schema, text, ast.Query, "query")
	if err != nil {
		return nil, err
	}
	if len(op.VariableDefinitions) > 0 {
		return nil, refuse("query", "must have no variables: write the values into the text")
	}
	b := &planner{schema: schema}
	root, err := b.rootOf(op)
	if err != nil {
		return nil, err
	}
	p := &queryPlan{root: root.Alias}
	if err := b.planRoot(p, root); err != nil {
		return nil, err
	}
	p.nests = len(b.paged) > 0
	page := *root
	page.Arguments = append(slices.Clone(root.Arguments), variable("first"), variable("after"))
	p.page = printQuery(p.nests, pageVariables(root.Definition), &page)
	if connection := schema.Types[root.Definition.Type.Name()]; connection.Fields.ForName("totalCount") != nil {
		total := *root
		total.SelectionSet = ast.SelectionSet{&ast.Field{Alias: "totalCount", Name: "totalCount"}}
		p.count = printQuery(false, nil, &total)
	}
	for _, list := range b.paged {
		list.print()
	}
	return p, nil
}

// loadOperation returns the only operation of a text of a kind. field is the input's name for errors.
func loadOperation(schema *ast.Schema, text string, kind ast.Operation, field string) (*ast.OperationDefinition, error) {
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if failure, ok := errors.AsType[*gqlerror.Error](err); ok {
		return nil, refuse(field, "is no operation: "+failure.Message)
	}
	if invalid := validator.ValidateWithSources(schema, doc); len(invalid) > 0 {
		return nil, refuse(field, "is not valid: "+invalid[0].Message)
	}
	if len(doc.Operations) != 1 {
		return nil, refuse(field, fmt.Sprintf("must have one operation; it has %d", len(doc.Operations)))
	}
	op := doc.Operations[0]
	if op.Operation != kind {
		return nil, refuse(field, fmt.Sprintf("must be a %s; it is a %s", kind, op.Operation))
	}
	return op, nil
}

func refuse(field, message string) error {
	return errs.Invalid(errs.BodyField("value_error", message, field))
}

// planner changes the selections of a query, of which it makes copies.
type planner struct {
	schema *ast.Schema
	paged  []*pagedList
}

// rootOf returns the root field, which must be a connection that is read from its start.
func (b *planner) rootOf(op *ast.OperationDefinition) (*ast.Field, error) {
	root, err := b.only(op.SelectionSet, b.schema.Query.Name, "the query")
	if err != nil {
		return nil, err
	}
	if !b.isConnection(root) {
		return nil, refuse("query", fmt.Sprintf("must have a connection as its root field: %s is none, so its pages cannot be read", root.Name))
	}
	for _, name := range append([]string{"page", "perPage"}, pageArguments...) {
		if root.Arguments.ForName(name) != nil {
			return nil, refuse("query", fmt.Sprintf("must not give %s to %s: the job reads all pages", name, root.Name))
		}
	}
	return root, nil
}

// only returns the one field of a selection.
func (b *planner) only(set ast.SelectionSet, parent, what string) (*ast.Field, error) {
	var fields []string
	var found *ast.Field
	for _, selected := range inline(set, parent) {
		f, ok := selected.(*ast.Field)
		if !ok {
			return nil, refuse("query", what+" must select a field without a fragment that has a condition")
		}
		fields, found = append(fields, f.Name), f
	}
	if len(fields) != 1 {
		return nil, refuse("query", fmt.Sprintf("%s must have one field; it has %d: %s", what, len(fields), strings.Join(fields, ", ")))
	}
	return found, nil
}

// isConnection reports whether a field has pages of nodes.
func (b *planner) isConnection(f *ast.Field) bool {
	of := b.schema.Types[f.Definition.Type.Name()]
	return of != nil && of.Fields.ForName("nodes") != nil && of.Fields.ForName("pageInfo") != nil &&
		f.Definition.Arguments.ForName("first") != nil && f.Definition.Arguments.ForName("after") != nil
}

// planRoot plans the nodes of the root connection.
func (b *planner) planRoot(p *queryPlan, root *ast.Field) error {
	list, err := b.only(root.SelectionSet, root.Definition.Type.Name(), root.Name)
	if err != nil {
		return err
	}
	node := list
	if list.Name == "edges" {
		if node, err = b.only(list.SelectionSet, list.Definition.Type.Name(), root.Name+".edges"); err != nil {
			return err
		}
		p.element = node.Alias
	}
	if list.Name != "nodes" && node.Name != "node" {
		return refuse("query", fmt.Sprintf("must select nodes of %s, or edges with their node: a line is a node", root.Name))
	}
	p.list = list.Alias
	node.SelectionSet, p.node, err = b.object(node.SelectionSet, node.Definition.Type.Name(), root.Name+"."+list.Name)
	if err != nil {
		return err
	}
	if list != node {
		list.SelectionSet = ast.SelectionSet{node}
	}
	root.SelectionSet = ast.SelectionSet{list, pageInfo()}
	return nil
}

// object returns the selection of an object with what the job adds, and its shape.
func (b *planner) object(set ast.SelectionSet, of, path string) (ast.SelectionSet, *shape, error) {
	var out ast.SelectionSet
	var found *shape
	needsID := false
	for _, selected := range inline(set, of) {
		switch one := selected.(type) {
		case *ast.InlineFragment:
			inner, below, err := b.object(one.SelectionSet, cmp.Or(one.TypeCondition, of), path)
			if err != nil {
				return nil, nil, err
			}
			one.SelectionSet, found = inner, merge(found, below)
		case *ast.Field:
			below, err := b.field(one, path)
			if err != nil {
				return nil, nil, err
			}
			if below != nil {
				found = merge(found, &shape{members: map[string]*shape{one.Alias: below}})
			}
			needsID = needsID || below != nil && below.paged != nil
		}
		out = append(out, selected)
	}
	if needsID {
		out = append(out, &ast.Field{Alias: idKey, Name: "id"})
	}
	return out, found, nil
}

// field plans a field, whose selection it changes.
func (b *planner) field(f *ast.Field, path string) (*shape, error) {
	path += "." + f.Name
	switch {
	case strings.HasPrefix(f.Alias, addedPrefix):
		return nil, refuse("query", fmt.Sprintf("must not have the alias %s: the job uses it", f.Alias))
	case f.Directives.ForName("defer") != nil:
		return nil, refuse("query", "must not have @defer")
	case len(f.SelectionSet) == 0:
		return nil, nil
	}
	reads := slices.ContainsFunc(pageArguments, func(name string) bool { return f.Arguments.ForName(name) != nil })
	if b.isConnection(f) && !reads {
		return b.connection(f, path)
	}
	var found *shape
	var err error
	f.SelectionSet, found, err = b.object(f.SelectionSet, f.Definition.Type.Name(), path)
	return found, err
}

// connection plans a nested connection that is read to its end.
func (b *planner) connection(f *ast.Field, path string) (*shape, error) {
	if parent := f.ObjectDefinition; parent.Name != "Node" && !slices.Contains(parent.Interfaces, "Node") {
		return nil, refuse("query", fmt.Sprintf("must give first to %s: its further pages cannot be read, because %s is no Node", path, parent.Name))
	}
	list := &pagedList{path: path, key: f.Alias, parent: f.ObjectDefinition.Name, fields: []*ast.Field{f}}
	found := &shape{members: map[string]*shape{}, paged: list}
	inside := len(b.paged)
	selection := inline(f.SelectionSet, f.Definition.Type.Name())
	for _, selected := range selection {
		member, ok := selected.(*ast.Field)
		if !ok || !slices.Contains([]string{"nodes", "edges", "totalCount", "__typename"}, member.Name) {
			return nil, refuse("query", fmt.Sprintf("may select nodes, edges and totalCount of %s: the job reads its pages", path))
		}
		if len(member.SelectionSet) == 0 {
			continue
		}
		below, err := b.field(member, path)
		if err != nil {
			return nil, err
		}
		list.lists = append(list.lists, member.Alias)
		found.members[member.Alias] = merge(found.members[member.Alias], below)
	}
	list.nests = len(b.paged) > inside
	b.paged = append(b.paged, list)
	f.SelectionSet = append(selection, pageInfo())
	f.Arguments = append(slices.Clone(f.Arguments), &ast.Argument{Name: "first", Value: variableValue("nested")})
	return found, nil
}

// print sets the text that reads further pages of a nested connection.
func (l *pagedList) print() {
	selection := ast.SelectionSet{}
	for _, f := range l.fields {
		page := *f
		page.Arguments = append(slices.Clone(f.Arguments[:len(f.Arguments)-1]), variable("first"), variable("after"))
		selection = append(selection, &page)
	}
	node := &ast.Field{Alias: "node", Name: "node", Arguments: ast.ArgumentList{variable("id")},
		SelectionSet: ast.SelectionSet{&ast.InlineFragment{TypeCondition: l.parent, SelectionSet: selection}}}
	l.text = printQuery(l.nests, append([]string{"id: ID!"}, pageVariables(l.fields[0].Definition)...), node)
}

// merge returns a shape with what both have, for fields that are selected twice.
func merge(x, y *shape) *shape {
	if x == nil || y == nil {
		if x == nil {
			return y
		}
		return x
	}
	for key, below := range y.members {
		if x.members == nil {
			x.members = map[string]*shape{}
		}
		x.members[key] = merge(x.members[key], below)
	}
	if x.paged != nil && y.paged != nil && x.paged != y.paged {
		x.paged.fields = append(x.paged.fields, y.paged.fields...)
		x.paged.lists = append(x.paged.lists, y.paged.lists...)
		x.paged.nests = x.paged.nests || y.paged.nests
	}
	return x
}

// inline returns a copy of a selection without fragments, but for those with a condition.
func inline(set ast.SelectionSet, of string) ast.SelectionSet {
	var out ast.SelectionSet
	for _, selected := range set {
		switch one := selected.(type) {
		case *ast.Field:
			field := *one
			out = append(out, &field)
		case *ast.InlineFragment:
			out = append(out, inlineFragment(one.TypeCondition, one.Directives, one.SelectionSet, of)...)
		case *ast.FragmentSpread:
			out = append(out, inlineFragment(one.Definition.TypeCondition, one.Directives, one.Definition.SelectionSet, of)...)
		}
	}
	return out
}

func inlineFragment(condition string, directives ast.DirectiveList, set ast.SelectionSet, of string) ast.SelectionSet {
	if (condition == "" || condition == of) && len(directives) == 0 {
		return inline(set, of)
	}
	return ast.SelectionSet{&ast.InlineFragment{TypeCondition: condition, Directives: directives,
		SelectionSet: set}}
}

func variableValue(name string) *ast.Value { return &ast.Value{Kind: ast.Variable, Raw: name} }

func variable(name string) *ast.Argument {
	return &ast.Argument{Name: name, Value: variableValue(name)}
}

// pageVariables returns the variables of a page of a connection: after is of a type of its own in some.
func pageVariables(connection *ast.FieldDefinition) []string {
	return []string{"first: Int!", "after: " + connection.Arguments.ForName("after").Type.Name()}
}

func pageInfo() *ast.Field {
	return &ast.Field{Alias: pageKey, Name: "pageInfo", SelectionSet: ast.SelectionSet{
		&ast.Field{Alias: "hasNextPage", Name: "hasNextPage"}, &ast.Field{Alias: "endCursor", Name: "endCursor"}}}
}

// printQuery returns the text of a query with a root field and variables.
func printQuery(nests bool, variables []string, root *ast.Field) string {
	if nests {
		variables = append(variables, "nested: Int!")
	}
	op := &ast.OperationDefinition{Operation: ast.Query, Name: "Bulk", SelectionSet: ast.SelectionSet{root}}
	for _, v := range variables {
		name, of, _ := strings.Cut(v, ": ")
		kind := ast.NamedType(strings.TrimSuffix(of, "!"), nil)
		kind.NonNull = strings.HasSuffix(of, "!")
		op.VariableDefinitions = append(op.VariableDefinitions, &ast.VariableDefinition{Variable: name, Type: kind})
	}
	var text bytes.Buffer
	formatter.NewFormatter(&text, formatter.WithCompacted()).
		FormatQueryDocument(&ast.QueryDocument{Operations: ast.OperationList{op}})
	return text.String()
}
