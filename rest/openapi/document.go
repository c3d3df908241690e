package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/rest/stored"
)

const (
	// MediaProblem is the media type of an error.
	MediaProblem = "application/problem+json"
	// MediaPage is the media type of a page.
	MediaPage = "text/html"
	// SessionCookie is the cookie with a signed-in user's session.
	SessionCookie = "rostrum_login"
)

// Document is an OpenAPI document.
type Document struct {
	*openapi3.T
	bodies map[string]*openapi3.SchemaRef // by the name of the operation
}

// New describes the stored operations and the handlers, with examples. It returns an error when the
// examples cannot be read.
func New(set *stored.Set, handlers []*Handler) (Document, error) {
	b := newBuilder(set)
	routes := slices.Concat(set.Routes, set.Selected)
	for _, route := range routes {
		b.doc.AddOperation(route.Path, route.Method, b.describeOperation(route))
	}
	for _, h := range handlers {
		b.doc.AddOperation(h.Path, h.Method, b.describeHandler(h))
	}
	b.describeIgnored()
	b.addWebhooks()
	b.addTags(set.Routes)
	if err := b.addExamples(routes); err != nil {
		return Document{}, err
	}
	return Document{b.doc, b.bodies}, nil
}

// Body returns the schema of the JSON with which a stored operation succeeds, or nil without one.
func (d Document) Body(operation string) *openapi3.SchemaRef { return d.bodies[operation] }

// WithServer returns the document with the server's address.
func (d Document) WithServer(address string) Document {
	own := *d.T
	own.Servers = openapi3.Servers{{URL: address}}
	return Document{&own, d.bodies}
}

// Operation returns the description of a method of a path, or nil without one.
func (d Document) Operation(method, path string) *openapi3.Operation {
	item := d.Paths.Value(path)
	if item == nil {
		return nil
	}
	return item.GetOperation(method)
}

// Encode returns the document as JSON. It returns an error when an operation's description is not
// valid OpenAPI.
func (d Document) Encode() ([]byte, error) {
	err := d.Validate(context.Background(), openapi3.SetRegexCompiler(stored.CompilePattern),
		openapi3.DisableExamplesValidation()) // a test validates them
	if err != nil {
		return nil, fmt.Errorf("describe the operations: %w", err)
	}
	return json.MarshalIndent(d.T, "", "  ")
}

// builder builds the OpenAPI document; components that operations share are built once.
type builder struct {
	schema *ast.Schema
	doc    *openapi3.T
	shapes map[string]string // object type and selected members → the component's name
	bodies map[string]*openapi3.SchemaRef
}

func newBuilder(set *stored.Set) *builder {
	b := &builder{schema: set.Schema, shapes: map[string]string{}, bodies: map[string]*openapi3.SchemaRef{}}
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
			Schemas: maps.Clone(set.Inputs),
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

// addTags adds the tags of the routes in the order of their first route.
func (b *builder) addTags(routes []*stored.Route) {
	for _, route := range routes {
		name := route.Operations[0].Rule.Tag
		if b.doc.Tags.Get(name) == nil {
			b.doc.Tags = append(b.doc.Tags, &openapi3.Tag{Name: name, Description: tagDescriptions[name]})
		}
	}
}
