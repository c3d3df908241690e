package graph

import (
	"context"
	"rostrum/model"
)

func (r *mutationResolver) MintKey(ctx context.Context, input model.MintKeyInput) (*model.MintKeyPayload, error) {
	return r.Room.Account.MintKey(ctx, input)
}

func (r *mutationResolver) RotateKey(ctx context.Context, id string, input *model.RotateKeyInput) (*model.RotateKeyPayload, error) {
	return r.Room.Account.RotateKey(ctx, id, input)
}

func (r *mutationResolver) RevokeKey(ctx context.Context, id string) (*model.RevokeKeyPayload, error) {
	return r.Room.Account.RevokeKey(ctx, id)
}

func (r *queryResolver) Workspace(ctx context.Context) (*model.Workspace, error) {
	return r.Room.Account.Workspace(ctx)
}

func (r *queryResolver) Keys(ctx context.Context) ([]*model.APIKey, error) {
	return r.Room.Account.Keys(ctx)
}
