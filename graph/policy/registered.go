package policy

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"rostrum/platform/principal"
)

// Registry has the operations that workspaces have registered. It is safe for concurrent use.
type Registry interface {
	// Has reports whether a workspace has any.
	Has(workspaceID string) bool
	// Find returns the text of an operation by its id or SHA-256, and counts a request of the version
	// of the app.
	Find(ctx context.Context, workspaceID, id, app, version string) (text string, found bool, err error)
}

// findRegistered returns the text of an operation that the caller's workspace has registered.
// Callers without a key or session have only the operations of the program.
func (p *Policy) findRegistered(ctx context.Context, q *Request, id string) (text string, found bool, err error) {
	workspaceID, ok := p.registrant(ctx)
	if !ok {
		return "", false, nil
	}
	app, version := clientOf(q.Headers)
	text, q.isRegistered, err = p.config.Registered.Find(ctx, workspaceID, id, app, version)
	return text, q.isRegistered, err
}

// registers reports whether the caller's workspace has registered the text.
func (p *Policy) registers(ctx context.Context, q *Request) (bool, error) {
	if _, ok := p.registrant(ctx); !ok || q.isRegistered {
		return q.isRegistered, nil
	}
	_, found, err := p.findRegistered(ctx, q, hashText(q.Query))
	return found, err
}

// registrant returns the caller's workspace if it has registered operations.
func (p *Policy) registrant(ctx context.Context) (workspaceID string, ok bool) {
	caller, err := principal.From(ctx)
	return caller.WorkspaceID, err == nil && p.config.Registered != nil && p.config.Registered.Has(caller.WorkspaceID)
}

// clientOf returns the app and version that a client names in its headers.
func clientOf(header http.Header) (app, version string) {
	return cmp.Or(header.Get("Graphql-Client-Name"), header.Get("Apollographql-Client-Name")),
		cmp.Or(header.Get("Graphql-Client-Version"), header.Get("Apollographql-Client-Version"))
}

// CheckText returns an error if the text of an operation exceeds a limit that needs no schema. It
// leaves other errors of the text to its validation.
func (p *Policy) CheckText(text string) error {
	if err := p.limits.checkLength(text); err != nil {
		return err
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, p.limits.Tokens)
	switch {
	case err == nil:
		return p.checkDocument(doc)
	case strings.Contains(err.Error(), tokenLimitPrefix):
		return p.limits.tooManyTokens()
	}
	return nil
}
