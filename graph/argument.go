package graph

import (
	"context"

	"rostrum/api"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

func cancelPayload(job *model.Job, err error) (*api.CancelJobPayload, error) {
	return &api.CancelJobPayload{Job: job}, err
}

func retryPayload(job *model.Job, err error) (*api.RetryJobPayload, error) {
	return &api.RetryJobPayload{Job: job}, err
}

func dismissPayload(job *model.Job, err error) (*api.DismissJobPayload, error) {
	return &api.DismissJobPayload{Job: job}, err
}

// cancelReason returns the reason of the input; empty when it is null or not set.
func cancelReason(in api.CancelJobInput) string { return optional.ValueOr(in.Reason.Value(), "") }

// startPosition returns the position to read after; 0 reads from the beginning.
func startPosition(after *int) int {
	if after == nil {
		return 0
	}
	return *after
}

// defaultPassages is the number of passages of a search without one.
const defaultPassages = 10

// defaultDuplicates is the number of near-duplicates of a request without one.
const defaultDuplicates = 10

// defaultRelated is the number of related documents of a request without one.
const defaultRelated = 5

// workspaceOf returns the workspace of the principal.
func workspaceOf(ctx context.Context) string { return principal.Must(ctx).WorkspaceID }

// actorOf returns the principal's name for audit fields such as cancelledBy.
func actorOf(ctx context.Context) string { return principal.Must(ctx).Actor() }

// linkedTagID returns the id of the auto-tag that a comms filter is linked to; nil for a manual
// filter.
func linkedTagID(tag *model.CommsFilterTag) *string {
	if tag.TagType == model.ContentFilter {
		return nil
	}
	return &tag.AutoTagID
}

// orNull returns the value of a root field that is null if it fails.
func orNull[T any](value T, err error) (*T, error) { return &value, err }

// documentOrder returns the order of a list of documents. The argument sort names it for callers
// that give none. Without both it returns nil.
func documentOrder(order *model.DocumentOrder, sort *model.DocumentSort) *model.DocumentOrder {
	if order == nil && sort != nil {
		return sort.Order()
	}
	return order
}
