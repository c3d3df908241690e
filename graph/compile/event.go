package compile

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"
	lru "github.com/hashicorp/golang-lru/v2"

	"rostrum/api"
	"rostrum/model"
)

// cachedEvents is the number of encoded events that are kept for subscribers that have not yet received them.
const cachedEvents = 256

// eventKey identifies the encoding of an event that all subscribers with the same selection share.
type eventKey struct {
	plan       *plan
	lowerEnums bool
	event      any // a pointer, which the event's feed shares among all subscribers of the process
}

type eventCache = lru.Cache[eventKey, encoded]

// encodeEvents encodes the events of a subscription, each once for all subscribers with the same selection. It returns the channel
// itself if its events cannot be compiled.
func (e *Extension) encodeEvents(ctx context.Context, field *graphql.FieldContext, channel any) any {
	switch events := channel.(type) {
	case <-chan *model.Event:
		return encodeChannel(ctx, e, field, events)
	case <-chan *model.JobEvent:
		return encodeChannel(ctx, e, field, events)
	case <-chan *model.Job:
		return encodeChannel(ctx, e, field, events)
	case <-chan *api.DocumentEvent:
		return encodeChannel(ctx, e, field, events)
	}
	return channel
}

func encodeChannel[E any](ctx context.Context, e *Extension, field *graphql.FieldContext, events <-chan *E) any {
	p := e.planOf(ctx, field, reflect.TypeFor[*E]())
	if p == nil || p.write == nil || p.rows.dependsOnContext() {
		return events
	}
	pending, lowerEnums := pendingOf(ctx), model.LowerEnums(ctx)
	prefix := append(appendString([]byte{'{'}, field.Field.Alias), ':')
	return func(ctx context.Context) graphql.Marshaler {
		select {
		case <-ctx.Done():
			return nil
		case event, open := <-events:
			if !open {
				return nil
			}
			*pending = len(events) > 0
			return e.encodeEvent(ctx, eventKey{p, lowerEnums, event}, prefix)
		}
	}
}

// encodeEvent returns the response data of one event.
func (e *Extension) encodeEvent(ctx context.Context, key eventKey, prefix encoded) graphql.Marshaler {
	if known, ok := e.events.Get(key); ok {
		return known
	}
	value, ok := e.execute(ctx, key.plan, prefix, reflect.ValueOf(key.event))
	if !ok {
		return e.interpretEvent(ctx, key.event)
	}
	out := append(value, '}')
	e.events.Add(key, out)
	return out
}

// replacementKey is the context key of the channel that a subscription receives in place of its resolver's.
type replacementKey struct{}

// interpretEvent returns gqlgen's encoding of an event that its plan could not write, and adds gqlgen's errors to the response.
func (e *Extension) interpretEvent(ctx context.Context, event any) graphql.Marshaler {
	channel := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, reflect.TypeOf(event)), 1)
	channel.Send(reflect.ValueOf(event))
	receiver := channel.Convert(reflect.ChanOf(reflect.RecvDir, reflect.TypeOf(event)))
	ctx = context.WithValue(ctx, replacementKey{}, receiver.Interface())
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

// pendingKey is the context key of the flag that [WithPending] returns.
type pendingKey struct{}

// WithPending returns a context for a subscription and a flag that is true while the event after the current one is already available, so
// that a transport can send both together.
func WithPending(ctx context.Context) (context.Context, *bool) {
	pending := new(bool)
	return context.WithValue(ctx, pendingKey{}, pending), pending
}

func pendingOf(ctx context.Context) *bool {
	if pending, ok := ctx.Value(pendingKey{}).(*bool); ok {
		return pending
	}
	return new(bool)
}
