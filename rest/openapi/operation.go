package openapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/platform/idempotency"
	"rostrum/rest/stored"
)

// describeOperation describes one method of one path.
func (b *builder) describeOperation(route *stored.Route) *openapi3.Operation {
	main := route.Operations[0]
	out := openapi3.NewOperation()
	out.OperationID, out.Summary, out.Tags = main.Name, main.Rule.Summary, []string{main.Rule.Tag}
	out.Description = main.Root.Definition.Description
	out.Extensions = map[string]any{"x-graphql": routeText(route)}
	out.Deprecated = main.Root.Definition.Directives.ForName("deprecated") != nil
	for _, op := range route.Operations {
		if op.When != nil {
			addSelector(out, route, op.When)
			continue
		}
		for _, p := range op.Parameters {
			addParameter(out, p)
		}
		b.addRequestBody(out, op)
	}
	if slices.ContainsFunc(route.Operations, func(op *stored.Operation) bool {
		return op.MediaType() == stored.MediaStream && op.Resume() != nil
	}) {
		out.AddParameter(openapi3.NewHeaderParameter("Last-Event-ID").
			WithDescription("The ID of the last event that was received; overrides `after`. Streams only.").
			WithSchema(openapi3.NewStringSchema()))
	}
	if main.IfMatch != nil {
		out.AddParameter(openapi3.NewHeaderParameter("If-Match").
			WithDescription("The ETag that was read. The response is 412 when the stored version has changed.").
			WithSchema(openapi3.NewStringSchema()))
	}
	if main.Rule.Cookie {
		out.Security = openapi3.NewSecurityRequirements().
			With(openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth")).With(SessionOnly)
	}
	if main.Definition.Operation == ast.Mutation {
		out.AddParameter(openapi3.NewHeaderParameter(idempotency.Header).
			WithDescription("Executes the request once. For 24 hours the same key and body return the stored response.").
			WithSchema(openapi3.NewStringSchema().WithMinLength(1).WithMaxLength(255)))
	}
	b.addResponses(out, route)
	return out
}

// routeText returns the GraphQL document of the route's operations.
func routeText(route *stored.Route) string {
	operations := route.Plain()
	if len(operations) == 1 {
		return operations[0].ClientText
	}
	doc := &ast.QueryDocument{}
	for _, op := range operations {
		doc.Operations = append(doc.Operations, op.Client.Operations...)
		for _, fragment := range op.Client.Fragments {
			if doc.Fragments.ForName(fragment.Name) == nil {
				doc.Fragments = append(doc.Fragments, fragment)
			}
		}
	}
	return stored.FormatDocument(doc)
}

// addSelector adds the parameter that selects an operation, which is described at its own path.
func addSelector(out *openapi3.Operation, route *stored.Route, p *stored.Parameter) {
	own := *p
	own.Description = p.Description + " With true the answer is that of " + route.Method + " " +
		stored.SelectedPath(route.Path, p.Name) + "."
	addParameter(out, &own)
}

func addParameter(out *openapi3.Operation, p *stored.Parameter) {
	if out.Parameters.GetByInAndName(p.In, p.Name) != nil {
		return
	}
	parameter := &openapi3.Parameter{Name: p.Name, In: p.In, Description: p.Description, Schema: p.Schema,
		Required: p.Required}
	if p.IsList {
		parameter.Explode = openapi3.Ptr(false)
	}
	out.AddParameter(parameter)
}

func (b *builder) addRequestBody(out *openapi3.Operation, op *stored.Operation) {
	if op.Body == nil && op.File == nil {
		return
	}
	if out.RequestBody == nil {
		out.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithContent(openapi3.Content{})}
	}
	body := out.RequestBody.Value
	form := openapi3.NewObjectSchema()
	form.Properties = openapi3.Schemas{}
	if op.Body != nil {
		body.Required = op.Body.Required
		if op.Rule.Files == "" {
			body.Description = op.Body.Description
			body.Content[stored.MediaJSON] = openapi3.NewMediaType().WithSchemaRef(op.Body.Schema)
		} else { // the form alone, whose parts stand in it
			delete(b.doc.Components.Schemas, strings.TrimPrefix(op.Body.Schema.Ref, stored.ComponentPrefix))
		}
		maps.Copy(form.Properties, op.Body.Schema.Value.Properties)
		form.Required = slices.Clone(op.Body.Schema.Value.Required)
	}
	if op.File == nil {
		return
	}
	form.Properties[op.File.Name] = fileSchema(op.File)
	if op.File.Required {
		body.Required = true
		form.Required = append(form.Required, op.File.Name)
	}
	body.Content[stored.MediaForm] = openapi3.NewMediaType().WithSchema(form)
}

// fileSchema describes the part of a form with a file, or the parts with the files of a list.
func fileSchema(p *stored.Parameter) *openapi3.SchemaRef {
	file := &openapi3.Schema{
		Type: &openapi3.Types{openapi3.TypeString}, Format: "binary", ContentMediaType: "application/octet-stream",
	}
	if !p.IsList {
		file.Description = p.Description
		return file.NewRef()
	}
	list := openapi3.NewArraySchema().WithItems(file).WithMinItems(1)
	list.Description = p.Description
	return list.NewRef()
}
