package compile

import (
	"context"
	"reflect"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/policy"
)

// maxPlans limits the plans of one operation, for its fields and the values of its conditions.
const maxPlans = 32

// plan writes one field of an operation under one set of conditions. write is nil if the selection
// cannot be compiled.
type plan struct {
	write appender
	rows  rowsPlan
}

// operationPlans caches an operation's plans. It is attached to the operation's analysis and lives
// as long.
type operationPlans struct {
	mu    sync.RWMutex
	byKey map[planKey]*plan
}

// plansKey is the key of the plans among the attachments of an analysis.
type plansKey struct{}

type planKey struct {
	position   string
	conditions uint8
	from       reflect.Type // differs between runs for an interface or union
}

// planOf returns the plan of a field and compiles it on the first call. It is nil if the operation
// is not compiled at all.
func (e *Extension) planOf(ctx context.Context, field *graphql.FieldContext, from reflect.Type) *plan {
	op := graphql.GetOperationContext(ctx)
	analysis := policy.AnalysisOf(op)
	conditions, ok := analysis.ConditionBits(op.Variables)
	if !ok || analysis.IsWalked(field) {
		return nil
	}
	plans, _ := analysis.Attachment(plansKey{}, func() any { return &operationPlans{} }).(*operationPlans)
	key := planKey{string(policy.AppendPosition(nil, field)), conditions, from}
	plans.mu.RLock()
	known := plans.byKey[key]
	plans.mu.RUnlock()
	if known != nil {
		return known
	}
	compiled := &plan{}
	compiled.write, compiled.rows = compiler{e.schema, op}.compileValue(field.Field.Definition.Type, from,
		field.Field.Selections)
	plans.addPlan(key, compiled)
	if compiled.write != nil {
		e.compiled.Add(1)
	} else {
		e.interpreted.Add(1)
	}
	return compiled
}

// addPlan caches a plan; a full cache is emptied first.
func (p *operationPlans) addPlan(key planKey, compiled *plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.byKey) >= maxPlans || p.byKey == nil {
		p.byKey = map[planKey]*plan{}
	}
	p.byKey[key] = compiled
}

// CountPlans returns the numbers of selections that were compiled and that were left to gqlgen.
func (e *Extension) CountPlans() (compiled, interpreted int64) {
	return e.compiled.Load(), e.interpreted.Load()
}

// CountEvents returns the number of cached encoded events.
func (e *Extension) CountEvents() int { return e.events.Len() }
