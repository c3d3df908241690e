package graph

import "rostrum/model"

func cancelled(job *model.Job, err error) (*model.CancelJobPayload, error) {
	return &model.CancelJobPayload{Job: job}, err
}

func retried(job *model.Job, err error) (*model.RetryJobPayload, error) {
	return &model.RetryJobPayload{Job: job}, err
}

func reasonOf(in *model.CancelJobInput) string {
	if in == nil || in.Reason.Value() == nil {
		return ""
	}
	return *in.Reason.Value()
}

// positionOf is the position that a reader has seen; none is the beginning.
func positionOf(after *int) int {
	if after == nil {
		return 0
	}
	return *after
}
