package compile

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	lru "github.com/hashicorp/golang-lru/v2"

	"rostrum/model"
	"rostrum/platform/principal"
)

// cachedEvents is how many encoded events are kept for subscribers that have not received them yet.
const cachedEvents = 256

// eventKey identifies the encoding of an event that all subscribers with the same selection share.
type eventKey struct {
	plan       *plan
	lowerEnums bool
	caller     string // see callerOf; empty if the plan does not depend on the context
	event      any    // a pointer, which the event's feed shares among all subscribers of the process
}

type eventCache = lru.Cache[eventKey, *sharedEvent]

// sharedEvent is an event that the first subscriber to receive it encodes; the others wait for it.
type sharedEvent struct {
	done  chan struct{} // closed when data is set
	reads model.ReadSet // the texts that were read to encode it
	data  encoded       // nil if the event could not be written
}

// encodeEvents encodes each event of a subscription once for all subscribers with the same
// selection. It returns the channel itself if its events cannot be compiled.
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
	}
	return channel
}

// encodeChannel returns the events of a channel as JSON. Events of an interface have a plan per
// type.
func encodeChannel[E any](ctx context.Context, e *Extension, field *graphql.FieldContext, events <-chan E) any {
	isAbstract := reflect.TypeFor[E]().Kind() == reflect.Interface
	plan := e.planOf(ctx, field, reflect.TypeFor[E]())
	if plan == nil || plan.write == nil {
		return events
	}
	stream, lowerEnums, caller := streamOf(ctx), model.LowerEnums(ctx), callerOf(ctx)
	prefix := append(appendString([]byte{'{'}, field.Field.Alias), ':')
	next := &nextEvent[E]{events: events}
	stream.await = next.receive
	return func(ctx context.Context) graphql.Marshaler {
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
		if plan.rows.dependsOnContext() {
			key.caller = caller
		}
		if data := e.encodeEvent(ctx, field, key, prefix); data != nil {
			return data
		}
		return interpretEvent(ctx, e, event)
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

// encodeEvent returns the response data of one event, or nil if its plan could not write it.
func (e *Extension) encodeEvent(ctx context.Context, field *graphql.FieldContext, key eventKey,
	prefix encoded) encoded {
	if key.plan.write == nil {
		return nil
	}
	own := &sharedEvent{done: make(chan struct{})}
	if known, ok, _ := e.events.PeekOrAdd(key, own); ok {
		select {
		case <-ctx.Done():
		case <-known.done:
		}
		model.NoteReads(ctx, &known.reads)
		return known.result()
	}
	defer close(own.done)
	inner := graphql.WithFieldContext(model.WithReads(ctx, &own.reads), field)
	value, ok := e.execute(inner, key.plan, slices.Clone(prefix),
		reflect.ValueOf(key.event))
	if !ok {
		e.events.Remove(key)
		return nil
	}
	own.data = append(value, '}')
	model.NoteReads(ctx, &own.reads)
	return own.data
}

// result returns the encoded event, or nil if it could not be written or is not written yet.
func (s *sharedEvent) result() encoded {
	select {
	case <-s.done:
		return s.data
	default:
		return nil
	}
}

// replacementKey is the context key of the channel that replaces a subscription's own.
type replacementKey struct{}

// interpretEvent returns gqlgen's encoding of an event that its plan could not write. It adds
// gqlgen's errors to the response.
func interpretEvent[E any](ctx context.Context, e *Extension, event E) graphql.Marshaler {
	channel := make(chan E, 1)
	channel <- event
	ctx = context.WithValue(ctx, replacementKey{}, (<-chan E)(channel))
	responses, inner := e.executor.DispatchOperation(ctx, graphql.GetOperationContext(ctx))
	resp := responses(inner)
	if resp == nil {
		return nil // the subscription has ended
	}
	for _, err := range resp.Errors {
		graphql.AddError(ctx, err)
	}
	return encoded(resp.Data)
}
