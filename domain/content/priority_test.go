package content

import (
	"strings"
	"testing"

	"rostrum/errs"
	"rostrum/model"
)

// TestCoverageOf_limits checks that more points or longer texts than the limits are refused.
func TestCoverageOf_limits(t *testing.T) {
	t.Parallel()
	if _, err := new(Service).CoverageOf(t.Context(), make([]*model.DraftPriority, maxComparedPoints+1)); !errs.Is(err,
		errs.LimitExceeded) {
		t.Errorf("more points than the limit: %v", err)
	}
	text := strings.Repeat("é", maxComparedText)
	drafts := make([]*model.Draft, maxComparedTexts/maxComparedText)
	for i := range drafts {
		drafts[i] = &model.Draft{Content: &text}
	}
	if err := checkComparedTexts(drafts); err != nil {
		t.Errorf("texts of the limit: %v", err)
	}
	if err := checkComparedTexts(append(drafts, &model.Draft{Content: new("x")})); !errs.Is(err, errs.LimitExceeded) {
		t.Errorf("longer texts than the limit: %v", err)
	}
}
