package graph

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"
	lru "github.com/hashicorp/golang-lru/v2"

	"rostrum/model"
)

// sharedTexts is how many events' texts are kept for those subscribers who have yet to be sent them.
const sharedTexts = 256

// textKey names the text that an event has for all who select the same of it.
type textKey struct {
	plan  *plan
	lower bool
	event any // the pointer to it, which its feed gives to every reader of the process
}

// texts are those of the latest events.
type texts = lru.Cache[textKey, text]

func newTexts() *texts {
	cache, err := lru.New[textKey, text](sharedTexts)
	if err != nil {
		panic(err) // only a size below one fails
	}
	return cache
}

// follow writes the events of a subscription from their rows, and each of them once for all subscribers with the same selection; what a plan cannot write
// is left to gqlgen.
func (c compiled) follow(ctx context.Context, field *graphql.FieldContext, value any) any {
	switch events := value.(type) {
	case <-chan *model.Event:
		return follow(ctx, c, field, events)
	case <-chan *model.JobEvent:
		return follow(ctx, c, field, events)
	case <-chan *model.Job:
		return follow(ctx, c, field, events)
	case <-chan *model.DocumentEvent:
		return follow(ctx, c, field, events)
	}
	return value
}

func follow[E any](ctx context.Context, c compiled, field *graphql.FieldContext, events <-chan *E) any {
	p := c.plan(ctx, field, reflect.TypeFor[*E]())
	if p == nil || p.write == nil || p.from != reflect.TypeFor[*E]() || p.object.own() {
		return events
	}
	more, lower := moreOf(ctx), model.LowerEnums(ctx)
	before := append(appendString([]byte{'{'}, field.Field.Alias), ':')
	return func(ctx context.Context) graphql.Marshaler {
		select {
		case <-ctx.Done():
			return nil
		case e, open := <-events:
			if !open {
				return nil
			}
			*more = len(events) > 0
			return c.event(ctx, textKey{p, lower, e}, before)
		}
	}
}

// event is the answer for one event of a subscription.
func (c compiled) event(ctx context.Context, key textKey, before text) graphql.Marshaler {
	if known, ok := c.s.texts.Get(key); ok {
		return known
	}
	value, ok := c.run(ctx, key.plan, before, reflect.ValueOf(key.event))
	if !ok {
		return c.interpreted(ctx, key.event)
	}
	out := append(value, '}')
	c.s.texts.Add(key, out)
	return out
}

// insteadKey is where a context has the events that a subscription is given in place of its resolver's.
type insteadKey struct{}

// interpreted lets gqlgen write an event that a plan gave up on, with the errors that it finds.
func (c compiled) interpreted(ctx context.Context, e any) graphql.Marshaler {
	one := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, reflect.TypeOf(e)), 1)
	one.Send(reflect.ValueOf(e))
	ctx = context.WithValue(ctx, insteadKey{}, one.Convert(reflect.ChanOf(reflect.RecvDir, reflect.TypeOf(e))).Interface())
	responses, inner := c.s.exec.DispatchOperation(ctx, graphql.GetOperationContext(ctx))
	resp := responses(inner)
	if resp == nil {
		return nil // the subscription has ended meanwhile
	}
	for _, err := range resp.Errors {
		graphql.AddError(ctx, err)
	}
	return text(resp.Data)
}

// moreKey is where a context has whether the next event of its subscription is there already.
type moreKey struct{}

// withMore lets who writes a subscription's answers see whether another follows at once.
func withMore(ctx context.Context) (context.Context, *bool) {
	more := new(bool)
	return context.WithValue(ctx, moreKey{}, more), more
}

func moreOf(ctx context.Context) *bool {
	if more, ok := ctx.Value(moreKey{}).(*bool); ok {
		return more
	}
	return new(bool)
}
