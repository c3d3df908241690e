package text_test

import (
	"strings"
	"testing"

	"rostrum/llm/text"
)

// TestPassages checks that the passages of a text have all of its sentences once, in their order,
// and at most 480 characters unless they are one sentence.
func TestPassages(t *testing.T) {
	long := "Größe " + strings.Repeat("zählt sehr ", 100) + "viel."
	given := "Kurz. " + strings.Repeat("Der Hafen öffnet im Mai. ", 60) + long + " Ende.\n\nNeuer Absatz."
	runes, passages, end := []rune(given), text.Passages(given), 0
	if len(passages) != 6 {
		t.Errorf("%d passages", len(passages))
	}
	for _, passage := range passages {
		if got := string(runes[passage.Start:passage.End]); got != passage.Text {
			t.Errorf("the text at the place of %q is %q", passage.Text, got)
		}
		if skipped := string(runes[end:passage.Start]); strings.TrimSpace(skipped) != "" {
			t.Errorf("no passage has %q", skipped)
		}
		if size := passage.End - passage.Start; size > 480 && passage.Text != long {
			t.Errorf("a passage of %d characters: %q", size, passage.Text)
		}
		end = passage.End
	}
	if end != len(runes) {
		t.Errorf("the passages end at %d of %d characters", end, len(runes))
	}
	if got := text.Passages(" \n"); got != nil {
		t.Errorf("passages of an empty text: %+v", got)
	}
}
