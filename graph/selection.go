package graph

import (
	"context"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/policy"
)

// maxSelections limits how many selections of an operation have cached properties.
const maxSelections = 200

// selectionCache caches what resolvers derive from an operation's selections. It is attached to the
// operation's analysis.
type selectionCache struct {
	mu         sync.RWMutex
	byPosition map[string]*sync.Map
}

// selectionsKey is the key of the cache among the attachments of an analysis.
type selectionsKey struct{}

// keepForSelection caches what derive returns for the key and the current field's selection. The
// value must depend on nothing else.
func keepForSelection[V any](ctx context.Context, key any,
	derive func(*graphql.OperationContext, *graphql.FieldContext) V) V {
	op, field := graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx)
	kept := keptFor(op, field)
	if kept == nil {
		return derive(op, field)
	}
	if known, ok := kept.Load(key); ok {
		return known.(V) //nolint:forcetypeassert // stored below
	}
	value := derive(op, field)
	kept.Store(key, value)
	return value
}

// keptFor returns the values cached for a field's selection; nil if the operation has no cache.
func keptFor(op *graphql.OperationContext, field *graphql.FieldContext) *sync.Map {
	analysis := policy.AnalysisOf(op)
	if analysis == nil {
		return nil
	}
	bits, ok := analysis.ConditionBits(op.Variables)
	if !ok {
		return nil
	}
	cache, _ := analysis.Attachment(selectionsKey{}, func() any { return &selectionCache{} }).(*selectionCache)
	var buffer [256]byte
	position := policy.AppendPosition(append(buffer[:0], bits), field)
	cache.mu.RLock()
	kept := cache.byPosition[string(position)]
	cache.mu.RUnlock()
	if kept == nil {
		kept = cache.addPosition(string(position))
	}
	return kept
}

// addPosition returns the values of a position; a full cache is emptied first.
func (c *selectionCache) addPosition(position string) *sync.Map {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byPosition[position]; known != nil {
		return known
	}
	if len(c.byPosition) >= maxSelections || c.byPosition == nil {
		c.byPosition = map[string]*sync.Map{}
	}
	c.byPosition[position] = &sync.Map{}
	return c.byPosition[position]
}

// fieldAt is a selected field and its position.
type fieldAt struct {
	graphql.CollectedField
	position string
}

// fieldsAt returns the fields of the rows that the paths lead to. Without paths the field is the
// row.
func fieldsAt(op *graphql.OperationContext, field *graphql.FieldContext, paths []string) []fieldAt {
	row := fieldAt{field.Field, string(policy.AppendPosition(nil, field))}
	if len(paths) == 0 {
		return appendFieldsAt(nil, op, row, nil)
	}
	var found []fieldAt
	for _, path := range paths {
		found = appendFieldsAt(found, op, row, strings.Split(path, "."))
	}
	return found
}

func appendFieldsAt(found []fieldAt, op *graphql.OperationContext, at fieldAt, path []string) []fieldAt {
	for _, f := range graphql.CollectFields(op, at.Selections, nil) {
		inner := fieldAt{f, string(policy.AppendStep(nil, f.ObjectDefinition.Name, f.Alias)) + at.position}
		switch {
		case len(path) == 0:
			found = append(found, inner)
		case f.Name == path[0]:
			found = appendFieldsAt(found, op, inner, path[1:])
		}
	}
	return found
}
