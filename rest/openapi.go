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

	"rostrum/platform/idempotency"
	"rostrum/platform/web"
)

// publishDocument sets the OpenAPI document, with the server's address; requests are validated
// against its schemas. It is validated and encoded on first use, because few processes serve it.
func (a *Adapter) publishDocument(document openapi3.T) {
	if a.config.PublicURL != "" {
		document.Servers = openapi3.Servers{{URL: a.config.PublicURL}}
	}
	a.document = &document
	a.documentText = sync.OnceValues(func() (cachedText, error) {
		if err := a.document.Validate(context.Background(), openapi3.SetRegexCompiler(compilePattern)); err != nil {
			return cachedText{}, fmt.Errorf("describe the operations: %w", err)
		}
		text, err := json.MarshalIndent(a.document, "", "  ")
		return cachedText{text, web.EntityTag(text)}, err
	})
}

// cachedText is a response body that is constant for the life of the process.
type cachedText struct {
	text []byte
	etag string
}

// Document returns the OpenAPI 3.1 document as JSON. It returns an error when an operation's
// description is not valid OpenAPI.
func (a *Adapter) Document() ([]byte, error) {
	written, err := a.documentText()
	return slices.Clone(written.text), err
}

// documentBuilder builds the OpenAPI document; components that operations share are built once.
type documentBuilder struct {
	schema *ast.Schema
	doc    *openapi3.T
	shapes map[string]string // object type and selected members → the component's name
}

func newBuilder(schema *ast.Schema) *documentBuilder {
	b := &documentBuilder{schema: schema, shapes: map[string]string{}}
	b.doc = &openapi3.T{
		OpenAPI: "3.1.0",
		Info: &openapi3.Info{
			Title: "Rostrum", Version: "1", Contact: &openapi3.Contact{Name: "Rostrum"},
			License: &openapi3.License{Name: "Proprietary", Identifier: "LicenseRef-Proprietary"},
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
					WithDescription("The session created by signing in. `X-Workspace-Id` selects the workspace; the default is the user's first."),
			}},
		},
		Security: openapi3.SecurityRequirements{openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth")},
	}
	b.addProblems()
	return b
}

// describeOperation describes one method of one path.
func (b *documentBuilder) describeOperation(route *apiRoute) *openapi3.Operation {
	main := route.operations[0]
	out := openapi3.NewOperation()
	out.OperationID, out.Summary, out.Tags = main.name, main.rule.Summary, []string{main.rule.Tag}
	out.Description = main.root.Definition.Description
	out.Extensions = map[string]any{"x-graphql": route.documentText()}
	out.Deprecated = main.root.Definition.Directives.ForName("deprecated") != nil
	for _, op := range route.operations {
		for _, p := range op.parameters {
			b.addParameter(out, p)
		}
		if op.when != nil {
			b.addParameter(out, op.when)
		}
		b.addRequestBody(out, op)
	}
	if slices.ContainsFunc(route.operations, func(op *storedOperation) bool {
		return op.mediaType() == mediaStream && op.resumeParameter() != nil
	}) {
		out.AddParameter(openapi3.NewHeaderParameter("Last-Event-ID").
			WithDescription("The ID of the last event that was received; overrides `after`. Streams only.").
			WithSchema(openapi3.NewStringSchema()))
	}
	if main.ifMatch != nil {
		out.AddParameter(openapi3.NewHeaderParameter("If-Match").
			WithDescription("The ETag that was read. The response is 412 when the stored version has changed.").
			WithSchema(openapi3.NewStringSchema()))
	}
	if main.rule.Cookie {
		out.Security = openapi3.NewSecurityRequirements().
			With(openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth")).With(sessionOnly)
	}
	if main.definition.Operation == ast.Mutation {
		out.AddParameter(openapi3.NewHeaderParameter(idempotency.Header).
			WithDescription("Executes the request once. For 24 hours the same key and body return the stored response.").
			WithSchema(openapi3.NewStringSchema().WithMinLength(1).WithMaxLength(255)))
	}
	b.addResponses(out, route)
	return out
}

// documentText returns the GraphQL document of the route's operations.
func (r *apiRoute) documentText() string {
	if len(r.operations) == 1 {
		return r.operations[0].clientText
	}
	doc := &ast.QueryDocument{}
	for _, op := range r.operations {
		doc.Operations = append(doc.Operations, op.client.Operations...)
		for _, fragment := range op.client.Fragments {
			if doc.Fragments.ForName(fragment.Name) == nil {
				doc.Fragments = append(doc.Fragments, fragment)
			}
		}
	}
	return formatDocument(doc)
}

func (b *documentBuilder) addParameter(out *openapi3.Operation, p *parameter) {
	p.schema = b.inputSchema(p.variable.Type, p.variable.DefaultValue, p.directives)
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

func (b *documentBuilder) addRequestBody(out *openapi3.Operation, op *storedOperation) {
	if op.body == nil && op.file == nil {
		return
	}
	body := openapi3.NewRequestBody().WithContent(openapi3.Content{})
	out.RequestBody = &openapi3.RequestBodyRef{Value: body}
	form := openapi3.NewObjectSchema()
	form.Properties = openapi3.Schemas{}
	if op.body != nil {
		op.body.schema = b.inputObject(b.schema.Types[op.body.variable.Type.Name()], op.memberNames())
		body.Required, body.Description = op.body.required, op.body.description
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

// addTags adds the tags of the routes in the order of their first route.
func (b *documentBuilder) addTags(routes []*apiRoute) {
	for _, route := range routes {
		name := route.operations[0].rule.Tag
		if b.doc.Tags.Get(name) == nil {
			b.doc.Tags = append(b.doc.Tags, &openapi3.Tag{Name: name, Description: tagDescriptions[name]})
		}
	}
}

// serveDocument sends the OpenAPI document; it is public.
func (a *Adapter) serveDocument(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	written, err := a.documentText()
	if err != nil {
		a.writeProblem(w, r, err)
		return
	}
	if web.SendUnchanged(w, r, written.etag, "public, no-cache") {
		return
	}
	w.Header().Set("Content-Type", mediaJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(written.text)))
	if r.Method != http.MethodHead {
		a.writeBody(w, r, written.text)
	}
}

// withFullStop returns the text with a full stop at its end.
func withFullStop(text string) string { return strings.TrimSuffix(text, ".") + "." }
