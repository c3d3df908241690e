package policy

import (
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Analysis holds the properties of an operation that all of its runs share. It assumes that every
// @skip and @include selects its field.
type Analysis struct {
	Deferred      bool     // has a @defer
	Conditions    []string // the variables of @skip and @include
	shape         shape
	scopes        []fieldScope
	rootKeys      []string // the response keys of the root fields that do not describe the schema
	isRemote      bool     // waits for a text model
	returnsFile   bool     // a root field returns a file, or a payload with one
	malformed     string   // why the operation cannot run; empty when it can
	cost          cost
	introspection []*ast.Field // the root fields that describe the schema
	// fields below them that do not depend on variables, at most one more than the limit
	described int
	arguments []*ast.Field // the fields with arguments
	// the deprecated fields, arguments and input fields of its text, as Type.field and Type.field(argument:)
	deprecated []string

	inputVariables ast.VariableDefinitionList // variables that may have deprecated fields

	walked      map[string]bool // see [Analysis.Part]
	attachments *sync.Map       // by key
}

// Part returns the analysis of a part of the operation, which runs by itself. The fields at the walked
// positions (see [AliasPath]) are not compiled, nor are the fields above them.
func (a *Analysis) Part(walked map[string]bool) *Analysis {
	part := *a
	part.Deferred, part.walked, part.attachments = false, walked, &sync.Map{}
	return &part
}

// IsWalked reports whether gqlgen walks the value of a field, so that every field below it is
// intercepted.
func (a *Analysis) IsWalked(field *graphql.FieldContext) bool {
	return len(a.walked) > 0 && a.walked[AliasPath(field)]
}

// AttachTo makes the analysis that of an operation's context.
func (a *Analysis) AttachTo(op *graphql.OperationContext) { op.Stats.SetExtension(analysisKey, a) }

// Attachment returns what create returned on the first call with the key. It lives as long as the
// analysis.
func (a *Analysis) Attachment(key any, create func() any) any {
	if known, ok := a.attachments.Load(key); ok {
		return known
	}
	attached, _ := a.attachments.LoadOrStore(key, create())
	return attached
}

// analysisKey names the analysis among the extensions of gqlgen's operation context.
const analysisKey = "Policy"

// AnalysisOf returns the analysis of an operation that has passed the policy.
func AnalysisOf(op *graphql.OperationContext) *Analysis {
	a, _ := op.Stats.GetExtension(analysisKey).(*Analysis)
	return a
}

// analyzeOperation returns the analysis of a validated operation and adds it to its context. It
// keeps the analyses of stored operations and of operations in the document cache.
func (p *Policy) analyzeOperation(op *graphql.OperationContext) *Analysis {
	a, ok := p.analyses.Get(op.Operation)
	if !ok {
		a = p.analyze(op.Doc, op.Operation)
		if p.documents.kept[op.RawQuery] || p.cache.holds(op.RawQuery, op.Doc) {
			p.analyses.Add(op.Operation, a)
		}
	}
	a.AttachTo(op)
	return a
}

func (p *Policy) analyze(doc *ast.QueryDocument, op *ast.OperationDefinition) *Analysis {
	a := &Analysis{shape: newShapeMeter(p.limits, doc).measure(op.SelectionSet), attachments: &sync.Map{}}
	if p.limits.checkShape(a.shape) != nil {
		return a
	}
	a.inputVariables = p.inputs.inputVariables(op)
	recorder := fieldRecorder{a, p.inputs, map[string]bool{}}
	recorder.recordSelection(op.SelectionSet)
	for _, f := range flattenFields(op.SelectionSet) {
		switch {
		case f.Name == "__schema" || f.Name == "__type":
			a.introspection = append(a.introspection, f)
		case f.Name != typenameField:
			a.scopes = append(a.scopes, newFieldScope(op.Operation, f.Definition))
			a.rootKeys = append(a.rootKeys, f.Alias)
			a.returnsFile = a.returnsFile || returnsFile(f)
			a.isRemote = a.isRemote || f.Definition.Directives.ForName("remote") != nil
		}
		if op.Operation == ast.Subscription && len(f.Directives) > 0 {
			a.malformed = "the root field of a subscription must not have directives"
		}
	}
	if a.Deferred && op.Operation != ast.Query {
		a.malformed = "@defer is supported in queries only"
	}
	a.cost = selectionCost(op.SelectionSet, nil)
	a.described = countDescribed(p.schema, constantFields(a.introspection), nil, p.limits.Introspection)
	return a
}

// typenameField is the field that every object has.
const typenameField = "__typename"

// fieldRecorder records directives, arguments and deprecated elements. It visits each fragment
// once.
type fieldRecorder struct {
	found  *Analysis
	inputs deprecatedInputs
	seen   map[string]bool
}

func (r fieldRecorder) recordSelection(selection ast.SelectionSet) {
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			r.recordDirectives(sel.Directives)
			if strings.HasPrefix(sel.Name, "__") {
				r.recordSelection(sel.SelectionSet)
				continue
			}
			if sel.Definition.Directives.ForName("scope") != nil {
				r.found.scopes = append(r.found.scopes, newFieldScope(ast.Query, sel.Definition))
			}
			if len(sel.Arguments) > 0 {
				r.found.arguments = append(r.found.arguments, sel)
			}
			r.recordDeprecation(sel)
			r.recordSelection(sel.SelectionSet)
		case *ast.InlineFragment:
			r.recordDirectives(sel.Directives)
			r.recordSelection(sel.SelectionSet)
		case *ast.FragmentSpread:
			r.recordDirectives(sel.Directives)
			if !r.seen[sel.Name] {
				r.seen[sel.Name] = true
				r.recordSelection(sel.Definition.SelectionSet)
			}
		}
	}
}

// recordDirectives records @defer and the variables of conditions. Both change the response's
// shape.
func (r fieldRecorder) recordDirectives(directives ast.DirectiveList) {
	for _, d := range directives {
		r.found.Deferred = r.found.Deferred || d.Name == "defer"
		condition := d.Arguments.ForName("if")
		if condition != nil && condition.Value.Kind == ast.Variable &&
			!slices.Contains(r.found.Conditions, condition.Value.Raw) {
			r.found.Conditions = append(r.found.Conditions, condition.Value.Raw)
		}
	}
}

// fileType is the type of a field with a file as its value.
const fileType = "FileDownload"

// returnsFile reports whether a root field returns a file, or an object with one.
func returnsFile(root *ast.Field) bool {
	isFile := func(f *ast.Field) bool { return f.Definition.Type.Name() == fileType }
	return isFile(root) || slices.ContainsFunc(flattenFields(root.SelectionSet), isFile)
}

// flattenFields returns the fields of a valid selection and of its fragments, each fragment once.
func flattenFields(selection ast.SelectionSet) []*ast.Field {
	return appendFields(nil, selection, map[string]bool{},
		func(spread *ast.FragmentSpread) ast.SelectionSet { return spread.Definition.SelectionSet })
}

// appendFields appends the fields of a selection and of its fragments. seen holds the fragments
// that are appended already.
func appendFields(
	fields []*ast.Field, selection ast.SelectionSet, seen map[string]bool,
	selectionOf func(*ast.FragmentSpread) ast.SelectionSet,
) []*ast.Field {
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			fields = append(fields, sel)
		case *ast.InlineFragment:
			fields = appendFields(fields, sel.SelectionSet, seen, selectionOf)
		case *ast.FragmentSpread:
			if !seen[sel.Name] {
				seen[sel.Name] = true
				fields = appendFields(fields, selectionOf(sel), seen, selectionOf)
			}
		}
	}
	return fields
}
