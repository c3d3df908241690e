package compile

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/api"
	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/principal"
)

// Encoded events are kept for subscribers that have not received them yet.
const (
	cachedEvents     = 256
	cachedEventBytes = 16 << 20
)

// eventKey identifies the encoding of an event that all subscribers with the same selection share.
type eventKey struct {
	plan       *plan
	lowerEnums bool
	caller     string // see callerOf; empty if the plan does not depend on the context
	event      any    // a pointer, which the event's feed shares among all subscribers of the process
}

type eventCache = live.SizedCache[eventKey, *sharedEvent]

// sharedEvent is an event that the first subscriber to receive it encodes; the others wait for it.
type sharedEvent struct {
	done     chan struct{} // closed when the event is encoded or could not be
	reads    model.ReadSet // the texts that were read to encode it
	data     encoded       // nil if the event could not be encoded
	failures gqlerror.List // the errors of its fields
}

// encodeEvents encodes each event of a subscription once for all subscribers with the same
// selection, in a slot of the workspace.
func (e *Extension) encodeEvents(ctx context.Context, field *graphql.FieldContext, channel any) any {
	switch events := channel.(type) {
	case <-chan *model.Event:
		return encodeChannel(ctx, e, field, events)
	case <-chan *model.JobEvent:
		return encodeChannel(ctx, e, field, events)
	case <-chan *model.Job:
		return encodeChannel(ctx, e, field, events)
	case <-chan *model.DocumentEvent:
		return encodeChannel(ctx, e, field, events)
	case <-chan *model.DocumentChange:
		return encodeChannel(ctx, e, field, events)
	case <-chan model.WorkspaceEvent:
		return encodeChannel(ctx, e, field, events)
	case <-chan *api.ContentEvent:
		return encodeChannel(ctx, e, field, events)
	case <-chan *api.InteractEvent:
		return encodeChannel(ctx, e, field, events)
	}
	return channel
}

// encodeChannel returns the events of a channel as JSON. Events of an interface have a plan per
// type.
func encodeChannel[E any](ctx context.Context, e *Extension, field *graphql.FieldContext, events <-chan E) any {
	isAbstract := reflect.TypeFor[E]().Kind() == reflect.Interface
	plan := e.planOf(ctx, field, reflect.TypeFor[E]())
	stream, lowerEnums, caller := streamOf(ctx), model.LowerEnums(ctx), callerOf(ctx)
	prefix := append(appendString([]byte{'{'}, field.Field.Alias), ':')
	next, execution := &nextEvent[E]{events: events}, policy.ExecutionOf(ctx)
	stream.await = func(ctx context.Context) {
		execution.Written() // the transport asks for the next response when it has written the last one
		next.receive(ctx)
	}
	return func(ctx context.Context) graphql.Marshaler {
		stream.await(ctx)
		event, ok := next.take(ctx)
		if !ok {
			return nil
		}
		stream.more = len(events) > 0
		model.NoteEvent(ctx, event)
		if isAbstract {
			plan = e.planOf(ctx, field, reflect.TypeOf(event))
		}
		key := eventKey{plan: plan, lowerEnums: lowerEnums, event: event}
		if plan == nil || plan.write == nil || plan.rows.dependsOnContext() {
			key.caller = caller
		}
		encode := func(ctx context.Context, own *sharedEvent) { encodeEvent(ctx, e, field, key, prefix, event, own) }
		return e.shareEvent(ctx, key, encode)
	}
}

// callerOf returns what edges depend on: the caller's workspace, scopes and variables.
func callerOf(ctx context.Context) string {
	p, err := principal.From(ctx)
	if err != nil {
		return ""
	}
	text, err := json.Marshal([]any{p.WorkspaceID, p.Scopes, graphql.GetOperationContext(ctx).Variables})
	if err != nil {
		return p.WorkspaceID + rand.Text() // shared with nobody
	}
	return string(text)
}

// shareEvent returns the response data of one event and adds its errors to the response. It returns
// nil if the subscription has ended.
func (e *Extension) shareEvent(ctx context.Context, key eventKey,
	encode func(ctx context.Context, own *sharedEvent)) graphql.Marshaler {
	for ctx.Err() == nil {
		own := &sharedEvent{done: make(chan struct{})}
		known, shared := own, false
		if key.plan != nil { // which identifies the selection
			known, shared = e.events.GetOrAdd(key, own)
		}
		if shared {
			select {
			case <-ctx.Done():
				return nil
			case <-known.done:
			}
		} else {
			e.encodeOwn(ctx, key, own, encode)
		}
		if known.data == nil && shared {
			continue // its subscriber left before it was encoded
		}
		if known.data == nil || shared && policy.ExecutionOf(ctx).Hold(ctx, len(known.data)) != nil {
			return nil
		}
		model.NoteReads(ctx, &known.reads)
		for _, failure := range known.failures {
			graphql.AddError(ctx, failure)
		}
		return known.data
	}
	return nil
}

// encodeOwn encodes an event that others may wait for, in a slot of the workspace.
func (e *Extension) encodeOwn(ctx context.Context, key eventKey, own *sharedEvent,
	encode func(ctx context.Context, own *sharedEvent)) {
	defer func() {
		if own.data == nil || key.plan == nil {
			e.events.Remove(key)
		} else {
			e.events.Add(key, own, len(own.data))
		}
		close(own.done)
	}()
	_, err := policy.ExecutionOf(ctx).Compute(ctx, func() []byte {
		encode(model.WithReads(ctx, &own.reads), own)
		return own.data
	})
	if err != nil {
		own.data = nil
	}
}

// encodeEvent encodes one event by its plan, or by gqlgen where the plan cannot write it.
func encodeEvent[E any](ctx context.Context, e *Extension, field *graphql.FieldContext, key eventKey, prefix encoded,
	event E, own *sharedEvent) {
	if key.plan != nil && key.plan.write != nil {
		value, ok := e.execute(graphql.WithFieldContext(ctx, field), key.plan, slices.Clone(prefix),
			reflect.ValueOf(event))
		if ok {
			own.data = append(value, '}')
			return
		}
	}
	if resp := interpretEvent(ctx, e, event); resp != nil && ctx.Err() == nil {
		own.data, own.failures = encoded(resp.Data), resp.Errors
	}
}

// replacementKey is the context key of the channel that replaces a subscription's own.
type replacementKey struct{}

// interpretEvent returns gqlgen's response to one event, or nil if the subscription has ended.
func interpretEvent[E any](ctx context.Context, e *Extension, event E) *graphql.Response {
	channel := make(chan E, 1)
	channel <- event
	ctx = context.WithValue(ctx, replacementKey{}, (<-chan E)(channel))
	responses, inner := e.executor.DispatchOperation(ctx, graphql.GetOperationContext(ctx))
	return responses(inner)
}
