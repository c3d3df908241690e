package proof_test

import (
	"testing"

	"rostrum/llm/text/proof"
)

// TestConcerns checks which passages may prove a point in other words.
func TestConcerns(t *testing.T) {
	for _, c := range []struct {
		passage, point string
		want           bool
	}{
		{"We start production at the site in May.", "The plant begins production in May", true},
		{"it “opens” in may", "It opens in May", true},
		{"Yes", "yes", true},
		{"The weather was fine on Monday.", "The plant opens in May", false},
		{"May", "The plant opens in May", false},
		{"Will the plant open in May?", "The plant opens in May", false},
		{"The plant will not open in May.", "The plant opens in May", false},
		{"The plant opens with 200 people.", "The plant opens with 900 people", false},
		{"Das Werk öffnet im Mai.", "Das Werk startet im Mai", true},
	} {
		if got := proof.Concerns(c.passage, c.point); got != c.want {
			t.Errorf("%q for %q: %v", c.passage, c.point, got)
		}
	}
}
