package ingest

import (
	"errors"

	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
)

// reasonOf returns the public reason for an ingestion error.
func reasonOf(err error) model.ProcessingError {
	if f, ok := errors.AsType[*fetch.Error](err); ok {
		return model.ProcessingError{Code: f.Code(), Message: f.Message(), Retryable: f.Retryable()}
	}
	if f, ok := errors.AsType[*extract.Failure](err); ok {
		return model.ProcessingError{Code: f.Code, Message: f.Message, Retryable: f.Retryable}
	}
	if errs.Is(err, errs.WorkerDied) {
		return model.ProcessingError{Code: model.ProcessingErrorCodeWorkerDied, Message: errs.From(err).Message}
	}
	return model.ProcessingError{
		Code: model.ProcessingErrorCodeInternal, Message: "something went wrong on our side; try again",
		Retryable: true,
	}
}

func isBadURL(err error) bool {
	f, ok := errors.AsType[*fetch.Error](err)
	return ok && f.Kind == fetch.BadURL
}

// asJobError returns the error with its public reason, as job.Permanent unless it is retryable.
func asJobError(err error) error {
	if err == nil || isContextEnd(err) {
		return err
	}
	if _, ok := errors.AsType[*errs.Error](err); ok {
		return err
	}
	reason := reasonOf(err)
	wrapped := errs.Wrap(err, errs.Code(reason.Code), "%s", reason.Message)
	if reason.Retryable {
		return wrapped
	}
	return job.Permanent(wrapped)
}
