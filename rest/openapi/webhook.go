package openapi

import (
	"reflect"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/domain/webhook"
	"rostrum/model"
)

// addWebhooks describes the requests that are sent to webhooks.
func (b *builder) addWebhooks() {
	b.doc.Webhooks = map[string]*openapi3.PathItem{}
	for _, kind := range webhook.Kinds() {
		b.doc.Webhooks[string(kind.Event)] = webhookItem(kind)
	}
}

// webhookBody returns the schema of the body of a request.
func webhookBody(kind webhook.Kind) *openapi3.Schema {
	name := openapi3.NewStringSchema().WithEnum(string(kind.Event))
	name.Description = "The type of event."
	test := openapi3.NewBoolSchema()
	test.Description = "True on test events; absent otherwise."
	at := openapi3.NewStringSchema().WithFormat("date-time")
	at.Description = "The time of the event: ISO 8601 in UTC."
	body := openapi3.NewObjectSchema()
	body.Properties = openapi3.Schemas{"event": name.NewRef(), "timestamp": at.NewRef(), "test": test.NewRef()}
	if !kind.IsOfLink() {
		body.Properties["data"] = structSchema(reflect.TypeOf(kind.Body), "What the event is about.").NewRef()
		return body.WithRequired([]string{"data", "event", "timestamp"})
	}
	body.Properties["link"] = structSchema(reflect.TypeFor[model.LinkSummary](), "The link at the time of the event.").NewRef()
	body.Properties["viewer"] = structSchema(reflect.TypeOf(kind.Body), "The viewer.").NewRef()
	return body.WithRequired([]string{"event", "link", "timestamp", "viewer"})
}

// webhookItem returns the description of the request that is sent for an event.
func webhookItem(kind webhook.Kind) *openapi3.PathItem {
	body := webhookBody(kind)
	op := openapi3.NewOperation()
	op.OperationID, op.Summary, op.Tags = string(kind.Event), kind.Summary, []string{"webhooks"}
	op.Description = kind.When + " A team chat receives a message of blocks instead. A delivery without a 2xx response is retried with the same webhook-id."
	op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithJSONSchema(body)}
	for _, header := range [][2]string{
		{"webhook-id", "The event's ID, the same on every attempt."},
		{"webhook-timestamp", "The time of this attempt in seconds since 1970; with a signature only."},
		{"webhook-signature", "Standard Webhooks signatures, if signing is enabled."},
	} {
		op.AddParameter(openapi3.NewHeaderParameter(header[0]).WithDescription(header[1]).
			WithSchema(openapi3.NewStringSchema()))
	}
	op.Responses = openapi3.NewResponses(openapi3.WithName("2XX",
		openapi3.NewResponse().WithDescription("The event was received.")))
	return &openapi3.PathItem{Post: op}
}

// structSchema returns the schema of a struct of strings, numbers, booleans, times and objects; its tags
// name and describe the members.
func structSchema(t reflect.Type, description string) *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Description, s.Properties = description, openapi3.Schemas{}
	for field := range t.Fields() {
		name, optional := strings.CutSuffix(field.Tag.Get("json"), ",omitempty")
		member := memberSchema(field.Type)
		member.Description = field.Tag.Get("doc")
		s.Properties[name] = member.NewRef()
		if !optional {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// memberSchema returns the schema of a member of such a struct. A pointer is an optional value.
func memberSchema(t reflect.Type) *openapi3.Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return openapi3.NewDateTimeSchema()
	case t.Kind() == reflect.Bool:
		return openapi3.NewBoolSchema()
	case t.Kind() == reflect.Int:
		return openapi3.NewIntegerSchema()
	case t.Kind() == reflect.Map:
		return openapi3.NewObjectSchema().WithAnyAdditionalProperties()
	case t.Kind() == reflect.Struct:
		return structSchema(t, "")
	}
	return openapi3.NewStringSchema()
}
