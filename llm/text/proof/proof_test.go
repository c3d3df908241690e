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
		{"Prices rise by four percent.", "Prices go up by nine percent", false},
		{"Prices rise by four percent.", "Prices go up by 4 percent", true},
		{"Prices rise by 9 percent.", "Prices go up by nine percent", true},
		{"Die Preise steigen um vier Prozent.", "Die Preise wachsen um neun Prozent", false},
	} {
		if got := proof.Concerns(c.passage, c.point); got != c.want {
			t.Errorf("%q for %q: %v", c.passage, c.point, got)
		}
	}
}

// TestTouches checks which passages may make a part of a point or contradict it.
func TestTouches(t *testing.T) {
	for _, c := range []struct {
		passage, point string
		want           bool
	}{
		{"The plant opens with 200 people.", "The plant opens with 900 people", true},
		{"The plant will not open in May.", "The plant opens in May", true},
		{"The weather was fine on Monday.", "The plant opens in May", false},
		{"May", "The plant opens in May", false},
		{"Will the plant open in May?", "The plant opens in May", false},
	} {
		if got := proof.Touches(c.passage, c.point); got != c.want {
			t.Errorf("%q for %q: %v", c.passage, c.point, got)
		}
	}
}
