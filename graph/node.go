package graph

import (
	"context"
	"strings"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/principal"
)

// findNode returns the object of a typed id; nil if the type is unknown or the object is not in the workspace.
func (r *Resolver) findNode(ctx context.Context, id string) (model.Node, error) {
	kind, _, _ := strings.Cut(id, "_")
	switch kind {
	case model.DocumentPrefix:
		return nilIfMissing(r.Services.Document.Get(ctx, id))
	case model.LinkPrefix:
		return nilIfMissing(r.Services.Link.Get(ctx, id))
	case model.DeliveryPrefix:
		return nilIfMissing(r.Services.Webhook.DeliveryByID(ctx, id))
	case model.WebhookPrefix:
		return nilIfMissing(r.Services.Webhook.Get(ctx, id))
	case model.DraftPrefix:
		return nilIfMissing(r.Services.Content.Draft(ctx, id))
	case model.JobPrefix:
		return nilIfMissing(r.Services.Job.Get(ctx, workspaceOf(ctx), id))
	case model.EventPrefix:
		return nilIfMissing(r.Services.Event.Get(ctx, workspaceOf(ctx), id))
	case model.AutoTagPrefix:
		return nilIfMissing(r.Services.Tag.Get(ctx, id))
	case model.PersonaPrefix:
		return nilIfMissing(r.Services.Persona.Get(ctx, id))
	case model.ReactionPrefix:
		return nilIfMissing(r.Services.Audience.Reaction(ctx, id))
	case model.GroupPrefix:
		return nilIfMissing(r.Services.Audience.Group(ctx, id))
	case model.SummaryPrefix:
		return nilIfMissing(r.Services.Audience.SummaryByID(ctx, id))
	case model.SignalPrefix:
		return nilIfMissing(r.Services.Executive.Signal(ctx, id))
	case model.KeyPrefix:
		return r.findKey(ctx, id)
	case model.WorkspacePrefix:
		if id == workspaceOf(ctx) {
			return nilIfMissing(r.Services.Account.Workspace(ctx))
		}
	}
	return nil, nil
}

// findKey returns a key. It fails with insufficient_scope unless the principal has the scope admin.
func (r *Resolver) findKey(ctx context.Context, id string) (model.Node, error) {
	p := principal.Must(ctx)
	if !p.Allows(model.ScopeAdmin) {
		return nil, errs.New(errs.InsufficientScope, "the fields of a key need the scope admin")
	}
	return nilIfMissing(r.Services.Account.Key(ctx, p.WorkspaceID, id))
}

// nilIfMissing returns a nil interface, which the graph encodes as null, for errs.NotFound and for a nil row.
func nilIfMissing[T interface {
	comparable
	model.Node
}](row T, err error) (model.Node, error) {
	var none T
	if errs.Is(err, errs.NotFound) || err == nil && row == none {
		return nil, nil
	}
	return row, err
}
