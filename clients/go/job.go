package rostrum

import (
	"context"
	"fmt"
	"iter"
	"net/http"

	"rostrum/clients/go/graph"
)

// WatchJob yields the state of a job, then each of its events once and in order until it ends.
func (c *Client) WatchJob(ctx context.Context, id string) iter.Seq2[graph.JobEvent, error] {
	return func(yield func(graph.JobEvent, error) bool) {
		last := -1
		variables := map[string]any{"jobId": id}
		for data, err := range Subscribe[graph.JobProgressResponse](ctx, c, graph.JobProgress_Operation, variables) {
			if err != nil {
				yield(graph.JobEvent{}, err)
				return
			}
			event := data.JobProgress
			isKnown := event.Kind == graph.JobEventKindSnapshot && event.Position <= last // again after a lost stream
			last = event.Position
			if !isKnown && !yield(event, nil) || event.Kind == graph.JobEventKindEnd {
				return
			}
		}
	}
}

// AwaitJob watches a job to its end and returns its last state. It returns an error if the job did
// not complete.
func (c *Client) AwaitJob(ctx context.Context, id string) (graph.JobState, error) {
	var state graph.JobState
	for event, err := range c.WatchJob(ctx, id) {
		if err != nil {
			return state, err
		}
		state = event.State
	}
	if state.Status == graph.JobStatusCompleted {
		return state, nil
	}
	failed := &Error{Code: "job", Status: http.StatusOK, Message: fmt.Sprintf("the job %s ended as %s", id, state.Status)}
	for _, reason := range []*string{state.ErrorMessage, state.CancelReason} {
		if reason != nil {
			failed.Message += ": " + *reason
		}
	}
	if state.ErrorCode != nil {
		failed.Code = *state.ErrorCode
	}
	return state, failed
}
