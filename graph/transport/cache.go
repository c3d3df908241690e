package transport

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/policy"
	"rostrum/platform/principal"
	"rostrum/platform/web"
)

// publicControl is the Cache-Control of introspection without a key, because its response is the
// same for every client. After an update a client may see the old schema for that long.
const publicControl = "public, max-age=60"

// varyingHeaders are the request's headers on which the response to a GET depends.
var varyingHeaders = strings.Join([]string{"Accept", keyHeader, workspaceHeader, policy.CostHeader}, ", ")

// writeCacheable responds to a GET of a query without errors: with its entity tag, or with 304 if
// the client has that response. The query has run in either case. The tag depends on the media
// type, because the same bytes in another one are another representation.
func (a *responder) writeCacheable(ctx context.Context, resp *graphql.Response) {
	h, control := a.w.Header(), web.Private
	h.Add("Vary", varyingHeaders)
	if _, err := principal.From(ctx); err != nil { // only introspection runs without a principal
		control = publicControl
		removeLimits(h)
	}
	parts := encodeParts(resp)
	tag := web.EntityTag(slices.Insert(parts, 0, []byte(a.contentType()))...)
	if web.SendUnchanged(a.w, a.r, tag, control) {
		a.started = true
		return
	}
	a.writeParts(http.StatusOK, parts)
}

// removeLimits removes the rate limit headers of the client's address. They are wrong for a cache's
// other clients.
func removeLimits(h http.Header) {
	for name := range h {
		if strings.HasPrefix(name, "Ratelimit-") {
			delete(h, name)
		}
	}
}
