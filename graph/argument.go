package graph

import (
	"context"

	"rostrum/api"
	"rostrum/model"
	"rostrum/principal"
)

func cancelPayload(job *model.Job, err error) (*api.CancelJobPayload, error) {
	return &api.CancelJobPayload{Job: job}, err
}

func retryPayload(job *model.Job, err error) (*api.RetryJobPayload, error) {
	return &api.RetryJobPayload{Job: job}, err
}

// cancelReason returns the reason of the input; empty when it is null or not set.
func cancelReason(in *api.CancelJobInput) string {
	if in == nil || in.Reason.Value() == nil {
		return ""
	}
	return *in.Reason.Value()
}

// startPosition returns the position to read after; 0 reads from the beginning.
func startPosition(after *int) int {
	if after == nil {
		return 0
	}
	return *after
}

// workspaceOf returns the workspace of the principal.
func workspaceOf(ctx context.Context) string { return principal.Must(ctx).WorkspaceID }

// actorOf returns the principal's name for audit fields such as cancelledBy.
func actorOf(ctx context.Context) string { return principal.Must(ctx).Actor() }

// linkedTagID returns the id of the auto-tag that a comms filter is linked to, or nil for a manual filter.
func linkedTagID(tag *api.CommsFilterTag) *string {
	if tag.TagType == model.ContentFilter {
		return nil
	}
	return &tag.ID
}
