package rest

import (
	"reflect"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/model"
)

// webhooks describes what is posted to the addresses of webhooks (link-webhooks.md, "Events").
func (b *builder) webhooks() {
	b.doc.Webhooks = map[string]*openapi3.PathItem{
		model.EventLinkOpened: posted(model.EventLinkOpened, "A person's new session on a link",
			"Once for each new viewer session, of redirects, files and hosted pages; programs count nothing.", model.OpenedViewer{}),
		model.EventConversion: posted(model.EventConversion, "A conversion on a link",
			"A click on a call to action, a depth of scrolling or one of the page's own; the same one once in a session.", model.ConversionViewer{}),
		model.EventFormSubmitted: posted(model.EventFormSubmitted, "A form that was filled in",
			"When the form of a hosted page was submitted.", model.FormViewer{}),
	}
}

// posted is the request that a webhook's address gets for an event.
func posted(event, summary, when string, viewer any) *openapi3.PathItem {
	name := openapi3.NewStringSchema().WithEnum(event)
	name.Description = "What happened."
	test := openapi3.NewBoolSchema()
	test.Description = "True on what was asked for to try the webhook, absent on all else."
	at := openapi3.NewStringSchema().WithFormat("date-time")
	at.Description = "When it happened: ISO 8601 with the offset of UTC."
	body := openapi3.NewObjectSchema().WithRequired([]string{"event", "link", "timestamp", "viewer"})
	body.Properties = openapi3.Schemas{
		"event": name.NewRef(), "link": documented(reflect.TypeFor[model.LinkSummary](), "The link that it happened on, as it was then.").NewRef(),
		"viewer": documented(reflect.TypeOf(viewer), "Who did it.").NewRef(), "timestamp": at.NewRef(), "test": test.NewRef(),
	}
	op := openapi3.NewOperation()
	op.OperationID, op.Summary, op.Tags = event, summary, []string{"webhooks"}
	op.Description = when + " An address of a team chat gets a message of blocks instead. What is not answered with 2xx is sent again with the same webhook-id."
	op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithJSONSchema(body)}
	for _, header := range [][2]string{
		{"webhook-id", "The event's id, the same on every attempt."},
		{"webhook-timestamp", "When this attempt was made, in seconds since 1970; beside a signature only."},
		{"webhook-signature", "Signatures as Standard Webhooks has them; only of webhooks whose owner asked for signing."},
	} {
		op.AddParameter(openapi3.NewHeaderParameter(header[0]).WithDescription(header[1]).WithSchema(openapi3.NewStringSchema()))
	}
	op.Responses = openapi3.NewResponses(openapi3.WithName("2XX", openapi3.NewResponse().WithDescription("The event has arrived.")))
	return &openapi3.PathItem{Post: op}
}

// documented is the schema of a struct of texts and objects, whose tags name and describe its members.
func documented(t reflect.Type, description string) *openapi3.Schema {
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
