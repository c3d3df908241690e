package graph

import (
	"context"
	"rostrum/graph/generated"
	"rostrum/model"
)

func (r *queryResolver) Node(ctx context.Context, id string) (model.Node, error) {
	return r.node(ctx, id)
}

func (r *Resolver) Mutation() generated.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Query() generated.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Subscription() generated.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	mutationResolver     struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
