package openapi

import (
	"reflect"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/model"
	"rostrum/model/eventviewer"
)

// addWebhooks describes the requests that are sent to webhooks.
func (b *builder) addWebhooks() {
	b.doc.Webhooks = map[string]*openapi3.PathItem{
		model.EventLinkOpened: webhookItem(model.EventLinkOpened, "A person opened a link",
			"Sent once for each new viewer session of redirects, files and hosted pages; bots are not counted.",
			eventviewer.Opened{}),
		model.EventConversion: webhookItem(model.EventConversion, "A conversion on a link",
			"A click on a call to action, a scroll depth or a conversion of the page; each once per session.",
			eventviewer.Conversion{}),
		model.EventFormSubmitted: webhookItem(model.EventFormSubmitted, "A form was submitted",
			"Sent when the form of a hosted page was submitted.", eventviewer.Form{}),
	}
}

// webhookItem returns the description of the request that is sent for an event.
func webhookItem(event, summary, when string, viewer any) *openapi3.PathItem {
	name := openapi3.NewStringSchema().WithEnum(event)
	name.Description = "The type of event."
	test := openapi3.NewBoolSchema()
	test.Description = "True on test events; absent otherwise."
	at := openapi3.NewStringSchema().WithFormat("date-time")
	at.Description = "The time of the event: ISO 8601 in UTC."
	body := openapi3.NewObjectSchema().WithRequired([]string{"event", "link", "timestamp", "viewer"})
	body.Properties = openapi3.Schemas{
		"event": name.NewRef(), "link": structSchema(reflect.TypeFor[model.LinkSummary](),
			"The link at the time of the event.").NewRef(),
		"viewer": structSchema(reflect.TypeOf(viewer), "The viewer.").NewRef(), "timestamp": at.NewRef(),
		"test": test.NewRef(),
	}
	op := openapi3.NewOperation()
	op.OperationID, op.Summary, op.Tags = event, summary, []string{"webhooks"}
	op.Description = when + " A team chat receives a message of blocks instead. A delivery without a 2xx response is retried with the same webhook-id."
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

// structSchema returns the schema of a struct of strings and objects; its tags name and describe
// the members.
func structSchema(t reflect.Type, description string) *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Description, s.Properties = description, openapi3.Schemas{}
	for field := range t.Fields() {
		name, optional := strings.CutSuffix(field.Tag.Get("json"), ",omitempty")
		member := openapi3.NewStringSchema()
		if field.Type.Kind() == reflect.Map {
			member = openapi3.NewObjectSchema().WithAnyAdditionalProperties()
		}
		member.Description = field.Tag.Get("doc")
		s.Properties[name] = member.NewRef()
		if !optional {
			s.Required = append(s.Required, name)
		}
	}
	return s
}
