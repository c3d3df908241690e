package compile

import (
	"context"
	"reflect"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/policy"
)

const (
	maxPlans      = 32 // plans of one operation, for its fields and the values of its conditions
	maxConditions = 8  // variables in conditions above which an operation is not compiled
)

// plan writes one field of an operation under one set of conditions; write is nil when the selection cannot be compiled.
type plan struct {
	write appender
	rows  rowsPlan
}

// operationPlans caches the plans of an operation. It is attached to the operation's analysis and kept as long.
type operationPlans struct {
	mu    sync.RWMutex
	byKey map[planKey]*plan
}

type planKey struct {
	position   string
	conditions uint8
	from       reflect.Type // differs between runs for an interface or union
}

// planOf returns the plan of a field, which it compiles on the first call; nil when the operation is not compiled at all.
func (e *Extension) planOf(ctx context.Context, field *graphql.FieldContext, from reflect.Type) *plan {
	op := graphql.GetOperationContext(ctx)
	analysis := policy.AnalysisOf(op)
	if analysis.Deferred || len(analysis.Conditions) > maxConditions {
		return nil
	}
	plans, _ := analysis.Attachment(func() any { return &operationPlans{} }).(*operationPlans)
	key := planKey{fieldPosition(field), conditionBits(analysis.Conditions, op.Variables), from}
	plans.mu.RLock()
	known := plans.byKey[key]
	plans.mu.RUnlock()
	if known != nil {
		return known
	}
	compiled := &plan{}
	compiled.write, compiled.rows = compiler{e.schema, op}.compileValue(field.Field.Definition.Type, from, field.Field.Selections)
	plans.add(key, compiled)
	if compiled.write != nil {
		e.compiled.Add(1)
	} else {
		e.interpreted.Add(1)
	}
	return compiled
}

// add caches a plan; a full cache is emptied first.
func (p *operationPlans) add(key planKey, compiled *plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.byKey) >= maxPlans || p.byKey == nil {
		p.byKey = map[planKey]*plan{}
	}
	p.byKey[key] = compiled
}

// fieldPosition returns the types and aliases on the path to a field, which determine the selection below it.
func fieldPosition(field *graphql.FieldContext) string {
	var name []byte
	for at := field; at != nil; at = at.Parent {
		if at.Field.Field != nil {
			name = append(append(append(append(name, at.Object...), '.'), at.Field.Alias...), ' ')
		}
	}
	return string(name)
}

// conditionBits returns the values of the condition variables, one bit each.
func conditionBits(conditions []string, variables map[string]any) uint8 {
	var bits uint8
	for i, name := range conditions {
		if variables[name] == true {
			bits |= 1 << i
		}
	}
	return bits
}

// CountPlans returns the numbers of selections that were compiled and that were left to gqlgen.
func (e *Extension) CountPlans() (compiled, interpreted int64) {
	return e.compiled.Load(), e.interpreted.Load()
}

// CountEvents returns the number of cached encoded events.
func (e *Extension) CountEvents() int { return e.events.Len() }
