package graph

import (
	"context"
	"rostrum/model"

	"github.com/99designs/gqlgen/graphql"
)

func (r *mutationResolver) IngestDocument(ctx context.Context, input model.IngestDocumentInput) (*model.IngestDocumentPayload, error) {
	return r.Room.Ingest.Ingest(ctx, input)
}

func (r *mutationResolver) IngestAuto(ctx context.Context, input model.IngestAutoInput) (*model.IngestAutoPayload, error) {
	return r.Room.Ingest.IngestAuto(ctx, input)
}

func (r *mutationResolver) ExtractText(ctx context.Context, file graphql.Upload) (*model.ExtractedText, error) {
	return r.Room.Ingest.ExtractText(ctx, file)
}

func (r *mutationResolver) DocumentRetry(ctx context.Context, id string, input *model.DocumentRetryInput) (*model.JobRef, error) {
	return r.Room.Ingest.Retry(ctx, id, input)
}
