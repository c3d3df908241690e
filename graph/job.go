package graph

import (
	"context"
	"rostrum/model"
)

func (r *mutationResolver) CancelJob(ctx context.Context, id string, input *model.CancelJobInput) (*model.CancelJobPayload, error) {
	return cancelled(r.Room.Job.Cancel(ctx, workspaceOf(ctx), id, actorOf(ctx), reasonOf(input)))
}

func (r *mutationResolver) RetryJob(ctx context.Context, id string) (*model.RetryJobPayload, error) {
	return retried(r.Room.Job.Retry(ctx, workspaceOf(ctx), id))
}

func (r *queryResolver) Job(ctx context.Context, id string) (*model.Job, error) {
	return r.Room.Job.Get(ctx, workspaceOf(ctx), id, jobColumns.Selected(ctx)...)
}

func (r *queryResolver) Jobs(ctx context.Context, page *int, perPage *int, first *int, after *string, last *int, before *string, filter *model.JobFilter) (*model.JobConnection, error) {
	args := model.PageArgs{Page: page, PerPage: perPage, First: first, After: after, Last: last, Before: before}
	return r.Room.Job.List(ctx, workspaceOf(ctx), args, filter, jobColumns.Selected(ctx, nodes, edgeNode)...)
}

func (r *queryResolver) JobEvents(ctx context.Context, jobID string, after *int) (*model.JobEventPage, error) {
	return r.Room.Job.Events(ctx, workspaceOf(ctx), jobID, positionOf(after))
}

func (r *subscriptionResolver) JobProgress(ctx context.Context, jobID string, after *int) (<-chan *model.JobEvent, error) {
	return r.Room.Job.Watch(ctx, workspaceOf(ctx), jobID, after)
}

func (r *subscriptionResolver) WorkspaceJobs(ctx context.Context) (<-chan *model.Job, error) {
	return r.Room.Job.WatchWorkspace(ctx, workspaceOf(ctx))
}
