package incremental

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
)

// Format is how deliveries are written.
type Format int

// The formats of the two drafts of the specification that clients read.
const (
	Spec2022 Format = iota // deferSpec=20220824: incremental, each with path and label
	SpecV02                // incrementalSpec=v0.2: pending, incremental and completed, with ids
)

// Delivery is what a transport asks for and reads of an operation with @defer: WithDelivery adds it
// to the operation's context. It is not safe for use by several goroutines.
type Delivery struct {
	format  Format
	payload payload // of the last response
	data    any     // what has been delivered
}

type deliveryKey struct{}

// WithDelivery returns a context in which an operation with @defer is delivered in parts.
func WithDelivery(ctx context.Context, format Format) (context.Context, *Delivery) {
	d := &Delivery{format: format}
	return context.WithValue(ctx, deliveryKey{}, d), d
}

func deliveryOf(ctx context.Context) *Delivery {
	d, _ := ctx.Value(deliveryKey{}).(*Delivery)
	return d
}

// payload is what one response delivers of deferred fragments.
type payload struct {
	pending   []*pending
	completed []*completed
}

// pending is a deferred fragment of one object.
type pending struct {
	id    string
	path  ast.Path
	label string
}

// completed is a fragment with its data, or without data if it failed.
type completed struct {
	*pending
	object *object
	errors gqlerror.List
}

// assignErrors gives each error to the fragment that it occurred in. A fragment that failed with an
// error elsewhere has that error, because both are in the same object that became null.
func (p payload) assignErrors(list gqlerror.List) {
	var lost gqlerror.List
	for _, err := range list {
		owner := p.completed[0]
		for _, c := range p.completed {
			if hasPrefix(err.Path, c.path) && (len(c.path) >= len(owner.path) || !hasPrefix(err.Path, owner.path)) {
				owner = c
			}
		}
		owner.errors = append(owner.errors, err)
		if owner.object == nil {
			lost = append(lost, err)
		}
	}
	if len(lost) == 0 {
		lost = gqlerror.List{{Message: "the object is not there any more",
			Extensions: map[string]any{"code": errs.Internal}}}
	}
	for _, c := range p.completed {
		if c.object == nil && len(c.errors) == 0 {
			c.errors = lost
		}
	}
}

func hasPrefix(path, prefix ast.Path) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// pendingJSON is a pending fragment of SpecV02.
type pendingJSON struct {
	ID    string   `json:"id"`
	Path  ast.Path `json:"path"`
	Label string   `json:"label,omitempty"`
}

// partJSON is a part in both formats; Spec2022 has path and label, SpecV02 id and subPath.
type partJSON struct {
	ID      string          `json:"id,omitempty"`
	Data    json.RawMessage `json:"data"`
	Path    *ast.Path       `json:"path,omitempty"`
	SubPath ast.Path        `json:"subPath,omitempty"`
	Label   string          `json:"label,omitempty"`
	Errors  gqlerror.List   `json:"errors,omitempty"`
}

// completedJSON is the end of a fragment in SpecV02.
type completedJSON struct {
	ID     string        `json:"id"`
	Errors gqlerror.List `json:"errors,omitempty"`
}

// payloadJSON is a response after the first.
type payloadJSON struct {
	Pending     []pendingJSON   `json:"pending,omitempty"`
	Incremental []partJSON      `json:"incremental,omitempty"`
	Completed   []completedJSON `json:"completed,omitempty"`
	HasNext     bool            `json:"hasNext"`
}

// Pending returns the JSON of the member pending of the first response; nil without one.
func (d *Delivery) Pending() json.RawMessage {
	if d.format != SpecV02 || len(d.payload.pending) == 0 {
		return nil
	}
	text, _ := json.Marshal(d.pendingList()) //nolint:errchkjson // texts and numbers can always be encoded
	return text
}

func (d *Delivery) pendingList() (list []pendingJSON) {
	for _, p := range d.payload.pending {
		list = append(list, pendingJSON{p.id, rootPath(p.path), p.label})
	}
	return list
}

// rootPath returns an empty path for the root, which JSON would have as null.
func rootPath(path ast.Path) ast.Path {
	if path == nil {
		return ast.Path{}
	}
	return path
}

// Encode returns the JSON of a response after the first.
func (d *Delivery) Encode(resp *graphql.Response) ([]byte, error) {
	out := payloadJSON{HasNext: resp.HasNext != nil && *resp.HasNext}
	if d.format == SpecV02 {
		out.Pending = d.pendingList()
	}
	for _, c := range d.payload.completed {
		if d.format == Spec2022 {
			path := rootPath(c.path)
			part := partJSON{Path: &path, Label: c.label, Errors: c.errors, Data: json.RawMessage("null")}
			if c.object != nil {
				part.Data = appendValue(nil, c.object)
			}
			out.Incremental = append(out.Incremental, part)
			continue
		}
		done := completedJSON{ID: c.id}
		if c.object == nil {
			done.Errors = c.errors
		} else {
			out.Incremental = append(out.Incremental, d.newParts(c)...)
		}
		out.Completed = append(out.Completed, done)
	}
	return json.Marshal(out)
}

// newParts returns what of a fragment has not been delivered before, with its errors.
func (d *Delivery) newParts(c *completed) []partJSON {
	added := differ{id: c.id}
	if have, ok := lookUp(d.data, c.path).(*object); ok {
		added.addObject(have, c.object, nil)
	}
	if len(added.parts) == 0 && len(c.errors) > 0 {
		added.parts = []partJSON{{ID: c.id, Data: json.RawMessage("{}")}}
	}
	if len(c.errors) > 0 {
		added.parts[0].Errors = c.errors
	}
	return added.parts
}
