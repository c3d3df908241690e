package compile

import (
	"context"
	"reflect"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/generated"
)

// rowsPlan writes the selected fields of rows. It is an objectPlan if all rows have one type, else
// an abstractPlan.
type rowsPlan interface {
	appendTo(r *planRun, b []byte, row reflect.Value) ([]byte, bool)
	// load calls the batch resolvers of the rows and of the rows within them. It reports false if a
	// resolver or a method failed.
	load(ctx context.Context, r *planRun, rows []reflect.Value) bool
	needsLoad() bool
	dependsOnContext() bool
}

// abstractPlan writes rows of an interface or union, each with its type's plan. A type's plan is
// compiled when its first row is written, because the Go types are not known before.
type abstractPlan struct {
	schema    *ast.Schema
	def       *ast.Definition
	selection ast.SelectionSet

	mu     sync.RWMutex
	byType map[reflect.Type]*objectPlan // nil for a type that cannot be compiled
}

func (c compiler) compileAbstract(def *ast.Definition, selection ast.SelectionSet) (appender, rowsPlan) {
	p := &abstractPlan{schema: c.schema, def: def, selection: selection, byType: map[reflect.Type]*objectPlan{}}
	return p.appendTo, p
}

// compilePossible compiles the object of an interface or union that has a Go type.
func (c compiler) compilePossible(def *ast.Definition, row reflect.Type, selection ast.SelectionSet) *objectPlan {
	for _, possible := range c.schema.GetPossibleTypes(def) {
		if generated.ObjectTypes[possible.Name] != row {
			continue
		}
		plan := c.compileObject(possible, row, selection)
		if plan != nil {
			plan.behind = possible.Name
		}
		return plan
	}
	return nil
}

// planOf returns the plan for the rows of a Go type; nil if they cannot be compiled.
func (p *abstractPlan) planOf(ctx context.Context, row reflect.Type) *objectPlan {
	p.mu.RLock()
	known, ok := p.byType[row]
	p.mu.RUnlock()
	if ok {
		return known
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.byType[row]; ok {
		return known // another request has compiled it
	}
	plan := compiler{p.schema, graphql.GetOperationContext(ctx)}.compilePossible(p.def, row, p.selection)
	p.byType[row] = plan
	return plan
}

// needsLoad implements rowsPlan: a type that has not been seen yet may have batch resolvers.
func (*abstractPlan) needsLoad() bool { return true }

// dependsOnContext implements rowsPlan, for the same reason.
func (*abstractPlan) dependsOnContext() bool { return true }

// load implements rowsPlan. Each type's rows keep their order, because a type's plan consumes its
// values in that order.
func (p *abstractPlan) load(ctx context.Context, r *planRun, rows []reflect.Value) bool {
	byType := map[reflect.Type][]reflect.Value{}
	var types []reflect.Type
	for _, row := range rows {
		if byType[row.Type()] == nil {
			types = append(types, row.Type())
		}
		byType[row.Type()] = append(byType[row.Type()], row)
	}
	return r.together(ctx, len(types), func(ctx context.Context, i int) bool {
		object := p.planOf(ctx, types[i])
		return object != nil && object.load(ctx, r, byType[types[i]])
	})
}

// appendTo implements rowsPlan; the value is what an interface holds.
func (p *abstractPlan) appendTo(r *planRun, b []byte, v reflect.Value) ([]byte, bool) {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return b, false
	}
	object := p.planOf(r.ctx, v.Elem().Type())
	if object == nil {
		return b, false
	}
	return object.appendTo(r, b, v.Elem())
}
