package text_test

import (
	"testing"

	"rostrum/llm/text"
)

// TestLocate checks the location of a quote that is written differently in the text.
func TestLocate(t *testing.T) {
	content := "«Über alles»:\n  Tidewall PLC sold it."
	for _, c := range []struct {
		quote, text string
		start       int
	}{
		{"Über", "Über", 1}, {"tidewall plc", "Tidewall PLC", 16}, {"alles»: Tidewall", "alles»:\n  Tidewall", 6},
		{"\"über alles\"", "«Über alles»", 0},
	} {
		span, ok := text.Locate(content, c.quote)
		if !ok || span.Text != c.text || span.Start != c.start ||
			string([]rune(content)[span.Start:span.End]) != c.text {
			t.Errorf("%q is at %+v, %v", c.quote, span, ok)
		}
	}
	for _, quote := range []string{"", "  ", "nowhere", "a(b[c"} {
		if span, ok := text.Locate(content, quote); ok {
			t.Errorf("%q is at %+v", quote, span)
		}
	}
}
