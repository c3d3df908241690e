package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/replay"
)

// describe derives the OpenAPI document from the operations; the checkers of requests are its schemas. It is checked and written when
// somebody asks for it, which most processes are never asked.
func (a *Adapter) describe() {
	b := newBuilder(a.config)
	for _, route := range a.routes {
		route.described = b.operation(route)
		b.doc.AddOperation(route.path, route.method, route.described)
	}
	for _, h := range a.handlers {
		h.described = b.handler(h)
		b.doc.AddOperation(h.path, h.method, h.described)
	}
	b.webhooks()
	b.tags(a.routes)
	a.document = b.doc
	a.written = sync.OnceValues(func() (page, error) {
		if err := a.document.Validate(context.Background()); err != nil {
			return page{}, fmt.Errorf("describe the operations: %w", err)
		}
		text, err := json.MarshalIndent(a.document, "", "  ")
		return page{text, entityTag(text)}, err
	})
}

// page is a text that never changes while the process lives.
type page struct {
	text []byte
	etag string
}

// Document is the OpenAPI 3.1 document as JSON. It fails when the operations describe something that OpenAPI does not allow.
func (a *Adapter) Document() ([]byte, error) {
	written, err := a.written()
	return slices.Clone(written.text), err
}

// builder makes the document; what operations share it makes once.
type builder struct {
	schema *ast.Schema
	doc    *openapi3.T
	shapes map[string]string // an object type and what is selected of it → the component's name
}

func newBuilder(config Config) *builder {
	b := &builder{schema: config.Schema, shapes: map[string]string{}}
	b.doc = &openapi3.T{
		OpenAPI: "3.1.0",
		Info: &openapi3.Info{
			Title: "Rostrum", Version: "1",
			Description: "A workspace's documents, their ingestion, and the jobs behind them. " +
				"Every operation is a stored operation of the GraphQL schema and carries its text in `x-graphql`.",
		},
		Paths: openapi3.NewPaths(),
		Components: &openapi3.Components{
			Schemas: openapi3.Schemas{},
			SecuritySchemes: openapi3.SecuritySchemes{"ApiKeyAuth": &openapi3.SecuritySchemeRef{
				Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName("X-API-Key").
					WithDescription("A key of the workspace, such as `rsk_…`."),
			}, "SessionCookie": &openapi3.SecuritySchemeRef{
				Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("cookie").WithName(SessionCookie).
					WithDescription("The session that signing in begins. `X-Workspace-Id` names the workspace to act in; without it that is the user's first."),
			}},
		},
		Security: openapi3.SecurityRequirements{openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth")},
	}
	if config.PublicURL != "" {
		b.doc.Servers = openapi3.Servers{{URL: config.PublicURL}}
	}
	b.problems()
	return b
}

// operation describes one method of one path.
func (b *builder) operation(route *route) *openapi3.Operation {
	main := route.operations[0]
	out := openapi3.NewOperation()
	out.OperationID, out.Summary, out.Tags = main.name, main.rule.Summary, []string{main.rule.Tag}
	out.Description = main.root.Definition.Description
	out.Extensions = map[string]any{"x-graphql": route.text()}
	out.Deprecated = main.root.Definition.Directives.ForName("deprecated") != nil
	for _, op := range route.operations {
		for _, p := range op.parameters {
			b.parameter(out, p)
		}
		if op.when != nil {
			b.parameter(out, op.when)
		}
		b.requestBody(out, op)
	}
	if slices.ContainsFunc(route.operations, func(op *operation) bool { return op.media() == mediaStream && op.resumes() != nil }) {
		out.AddParameter(openapi3.NewHeaderParameter("Last-Event-ID").
			WithDescription("The id of the last event that was seen; goes before `after`. Streams only.").
			WithSchema(openapi3.NewStringSchema()))
	}
	if main.ifMatch != nil {
		out.AddParameter(openapi3.NewHeaderParameter("If-Match").
			WithDescription("The ETag that was read: the request is refused with 412 when the stored version is another by now.").
			WithSchema(openapi3.NewStringSchema()))
	}
	if main.rule.Cookie {
		out.Security = openapi3.NewSecurityRequirements().
			With(openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth")).With(sessionOnly)
	}
	if main.definition.Operation == ast.Mutation {
		out.AddParameter(openapi3.NewHeaderParameter(replay.Header).
			WithDescription("Runs the request once: for 24 hours the same key and body give the stored answer.").
			WithSchema(openapi3.NewStringSchema().WithMinLength(1).WithMaxLength(255)))
	}
	b.responses(out, route)
	return out
}

// text is the GraphQL document of the route's operations.
func (r *route) text() string {
	if len(r.operations) == 1 {
		return r.operations[0].text
	}
	doc := &ast.QueryDocument{}
	for _, op := range r.operations {
		doc.Operations = append(doc.Operations, op.definition)
		for _, fragment := range op.document.Fragments {
			if doc.Fragments.ForName(fragment.Name) == nil {
				doc.Fragments = append(doc.Fragments, fragment)
			}
		}
	}
	return format(doc)
}

func (b *builder) parameter(out *openapi3.Operation, p *parameter) {
	p.schema = b.input(p.variable.Type, p.variable.DefaultValue, p.directives)
	p.schema.Value.Type = notNull(p.schema.Value.Type)
	p.schema.Value.Enum = slices.DeleteFunc(p.schema.Value.Enum, func(v any) bool { return v == nil })
	if out.Parameters.GetByInAndName(p.in, p.name) != nil {
		return
	}
	parameter := &openapi3.Parameter{Name: p.name, In: p.in, Description: p.description, Schema: p.schema}
	parameter.Required = p.in == inPath || p.variable.Type.NonNull && p.variable.DefaultValue == nil
	if p.variable.Type.Elem != nil {
		parameter.Explode = openapi3.Ptr(false)
	}
	out.AddParameter(parameter)
}

func (b *builder) requestBody(out *openapi3.Operation, op *operation) {
	if op.body == nil && op.file == nil {
		return
	}
	body := openapi3.NewRequestBody().WithContent(openapi3.Content{})
	out.RequestBody = &openapi3.RequestBodyRef{Value: body}
	form := openapi3.NewObjectSchema()
	form.Properties = openapi3.Schemas{}
	if op.body != nil {
		op.body.schema = b.input(&ast.Type{NamedType: op.body.variable.Type.Name(), NonNull: true}, nil, nil)
		body.Required, body.Description = op.body.variable.Type.NonNull, op.body.description
		body.Content[mediaJSON] = openapi3.NewMediaType().WithSchemaRef(op.body.schema)
		maps.Copy(form.Properties, op.body.schema.Value.Properties)
		form.Required = slices.Clone(op.body.schema.Value.Required)
	}
	if op.file == nil {
		return
	}
	form.Properties[op.file.name] = openapi3.NewSchemaRef("", &openapi3.Schema{
		Type: &openapi3.Types{openapi3.TypeString}, Format: "binary", Description: op.file.description,
		ContentMediaType: "application/octet-stream",
	})
	if op.file.variable.Type.NonNull {
		body.Required = true
		form.Required = append(form.Required, op.file.name)
	}
	body.Content[mediaForm] = openapi3.NewMediaType().WithSchema(form)
}

// tags lists the groups of routes in the order of their first route.
func (b *builder) tags(routes []*route) {
	for _, route := range routes {
		name := route.operations[0].rule.Tag
		if b.doc.Tags.Get(name) == nil {
			b.doc.Tags = append(b.doc.Tags, &openapi3.Tag{Name: name})
		}
	}
}

// serveDocument sends the OpenAPI document to anyone.
func (a *Adapter) serveDocument(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	written, err := a.written()
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if sendUnchanged(w, r, written.etag, "public, no-cache") {
		return
	}
	w.Header().Set("Content-Type", mediaJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(written.text)))
	if r.Method != http.MethodHead {
		a.write(w, r, written.text)
	}
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }
