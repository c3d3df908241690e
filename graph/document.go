package graph

import (
	"context"
	"rostrum/graph/generated"
	"rostrum/model"
)

func (r *documentResolver) AutoTags(ctx context.Context, objs []*model.Document) ([][]*model.DocumentAutoTag, error) {
	return r.Room.Document.AutoTags(ctx, objs)
}

func (r *mutationResolver) CreateDocument(ctx context.Context, input model.CreateDocumentInput) (*model.CreateDocumentPayload, error) {
	return r.Room.Document.Create(ctx, input)
}

func (r *mutationResolver) UpdateDocument(ctx context.Context, id string, input model.UpdateDocumentInput) (*model.UpdateDocumentPayload, error) {
	return r.Room.Document.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteDocument(ctx context.Context, id string) (*model.DeleteDocumentPayload, error) {
	return r.Room.Document.Delete(ctx, id)
}

func (r *queryResolver) Document(ctx context.Context, id string) (*model.Document, error) {
	return r.Room.Document.Get(ctx, id, documentColumns.Selected(ctx)...)
}

func (r *queryResolver) Documents(ctx context.Context, page *int, perPage *int, first *int, after *string, last *int, before *string, filter *model.DocumentFilter, sort model.DocumentSort) (*model.DocumentConnection, error) {
	args := model.PageArgs{Page: page, PerPage: perPage, First: first, After: after, Last: last, Before: before}
	return r.Room.Document.List(ctx, args, filter, sort, documentColumns.Selected(ctx, nodes, edgeNode)...)
}

func (r *queryResolver) DocumentCount(ctx context.Context, filter *model.DocumentFilter) (int, error) {
	return r.Room.Document.Count(ctx, filter)
}

func (r *subscriptionResolver) DocumentEvents(ctx context.Context, documentID *string) (<-chan *model.DocumentEvent, error) {
	return r.Room.Document.Events(ctx, documentID, documentColumns.Selected(ctx, "document")...)
}

func (r *Resolver) Document() generated.DocumentResolver { return &documentResolver{r} }

type documentResolver struct{ *Resolver }
