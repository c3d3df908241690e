package graph

import (
	"context"
	"strings"

	"rostrum/errs"
	"rostrum/model"
)

// node finds anything by its typed id; an id of no known type, or of another workspace, finds nothing.
func (r *Resolver) node(ctx context.Context, id string) (model.Node, error) {
	kind, _, _ := strings.Cut(id, "_")
	switch kind {
	case model.DocumentPrefix:
		return orNothing(r.Room.Document.Get(ctx, id))
	case model.LinkPrefix:
		return orNothing(r.Room.Link.Get(ctx, id))
	case model.DeliveryPrefix:
		return orNothing(r.Room.Webhook.DeliveryByID(ctx, id))
	case model.WebhookPrefix:
		return orNothing(r.Room.Webhook.Get(ctx, id))
	case model.DraftPrefix:
		return orNothing(r.Room.Content.Draft(ctx, id))
	case model.JobPrefix:
		return orNothing(r.Room.Job.Get(ctx, workspaceOf(ctx), id))
	case model.EventPrefix:
		return orNothing(r.Room.Event.Get(ctx, workspaceOf(ctx), id))
	case model.AutoTagPrefix:
		return orNothing(r.Room.Tag.Get(ctx, id))
	case model.PersonaPrefix:
		return orNothing(r.Room.Persona.Get(ctx, id))
	case model.ReactionPrefix:
		return orNothing(r.Room.Audience.Reaction(ctx, id))
	case model.GroupPrefix:
		return orNothing(r.Room.Audience.Group(ctx, id))
	case model.SummaryPrefix:
		return orNothing(r.Room.Audience.SummaryByID(ctx, id))
	case model.SignalPrefix:
		return orNothing(r.Room.Executive.Signal(ctx, id))
	case model.KeyPrefix:
		return r.keyNode(ctx, id)
	case model.WorkspacePrefix:
		if id == workspaceOf(ctx) {
			return orNothing(r.Room.Account.Workspace(ctx))
		}
	}
	return nil, nil
}

// keyNode finds a key for who may see keys at all.
func (r *Resolver) keyNode(ctx context.Context, id string) (model.Node, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if !p.Allows(model.ScopeAdmin) {
		return nil, errs.New(errs.InsufficientScope, "a key's details need the scope admin")
	}
	return orNothing(r.Room.Account.Key(ctx, p.WorkspaceID, id))
}

// orNothing makes a missing row a nil of the interface, which is what the graph takes for null.
func orNothing[T interface {
	comparable
	model.Node
}](row T, err error) (model.Node, error) {
	var none T
	if errs.Is(err, errs.NotFound) || err == nil && row == none {
		return nil, nil
	}
	return row, err
}
