package ingest

import (
	"testing"

	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
)

// TestUploadError checks that a failure which may not happen again is not an internal error.
func TestUploadError(t *testing.T) {
	for want, failure := range map[errs.Code]*extract.Failure{
		errs.Unavailable:          {Code: model.ProcessingErrorCodeInternal, Retryable: true},
		errs.Internal:             {Code: model.ProcessingErrorCodeInternal},
		errs.TooLarge:             {Code: model.ProcessingErrorCodeTooLarge},
		errs.UnsupportedMediaType: {Code: model.ProcessingErrorCodeUnsupportedContent},
		errs.NoText:               {Code: model.ProcessingErrorCodeNoText},
	} {
		if err := uploadError(failure); !errs.Is(err, want) {
			t.Errorf("%+v is %v, want %s", failure, err, want)
		}
	}
}
