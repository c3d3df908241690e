package rest_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph"
)

// notInLists are the filter fields and orders of lists that no query parameter reaches, by operation,
// and the reason.
var notInLists = map[string]string{
	"listJobs filter.jobType":                   "job_type has it, also for types of later versions",
	"listWebhookDeliveries filter.webhookId":    "it is in the path",
	"listDocumentReactions filter.documentIds":  "the document is in the path",
	"listCommunications filter.company":         "deprecated: companies",
	"listCommunications filter.executive":       "deprecated: executives",
	"listSourceDocuments filter.company":        "deprecated: companies",
	"listSourceDocuments filter.executive":      "deprecated: executives",
	"listSavedSearchDocuments filter.company":   "deprecated: companies",
	"listSavedSearchDocuments filter.executive": "deprecated: executives",
}

// TestLists_reachable walks the lists of all queries that REST reads. Each field of the graph's
// filter and each order can be asked for by a query parameter, or has a reason why not.
func TestLists_reachable(t *testing.T) {
	t.Parallel()
	adapter := newAdapter(t, new(graphCalls))
	used := map[string]bool{}
	for name, op := range adapter.Stored() {
		if op.Definition.Operation != ast.Query {
			continue
		}
		for _, list := range filteredFields(op.Root) {
			for _, path := range unreachable(list) {
				if notInLists[name+" "+path] != "" {
					used[name+" "+path] = true
					continue
				}
				t.Errorf("%s: no query parameter reaches %s of %s", name, path, list.Name)
			}
		}
	}
	for key := range notInLists {
		if !used[key] {
			t.Errorf("%q is reachable: take it out of notInLists", key)
		}
	}
}

// filteredFields returns the fields with the argument filter or orderBy, from the root down.
func filteredFields(field *ast.Field) []*ast.Field {
	var found []*ast.Field
	if field.Definition.Arguments.ForName("filter") != nil || field.Definition.Arguments.ForName("orderBy") != nil {
		found = append(found, field)
	}
	for _, inner := range selectedFields(field.SelectionSet) {
		found = append(found, filteredFields(inner)...)
	}
	return found
}

func selectedFields(set ast.SelectionSet) []*ast.Field {
	var found []*ast.Field
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			found = append(found, s)
		case *ast.InlineFragment:
			found = append(found, selectedFields(s.SelectionSet)...)
		case *ast.FragmentSpread:
			found = append(found, selectedFields(s.Definition.SelectionSet)...)
		}
	}
	return found
}

// unreachable returns the paths of the list's filter and order that no variable fills.
func unreachable(list *ast.Field) []string {
	filled := map[string]bool{}
	for _, argument := range list.Arguments {
		markFilled(argument.Name, argument.Value, filled)
	}
	var missing []string
	if list.Definition.Arguments.ForName("orderBy") != nil && !filled["orderBy"] {
		missing = append(missing, "orderBy")
	}
	if filter := list.Definition.Arguments.ForName("filter"); filter != nil {
		for _, path := range leaves("filter", graph.Schema().Types[filter.Type.Name()]) {
			if !filled[path] {
				missing = append(missing, path)
			}
		}
	}
	return missing
}

// leaves returns the paths of the fields of an input type that clients see. A list is one of them,
// also one of objects.
func leaves(path string, input *ast.Definition) []string {
	var out []string
	for _, field := range input.Fields {
		inner := path + "." + field.Name
		definition := graph.Schema().Types[field.Type.Name()]
		if field.Type.Elem == nil && definition.Kind == ast.InputObject {
			out = append(out, leaves(inner, definition)...)
			continue
		}
		out = append(out, inner)
	}
	return out
}

func markFilled(path string, value *ast.Value, filled map[string]bool) {
	if value.Kind == ast.Variable {
		filled[path] = true
	}
	for _, child := range value.Children {
		markFilled(path+"."+child.Name, child.Value, filled)
	}
}
