package speaker_test

import (
	"testing"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
)

// TestReading_Means checks that a last name with the title of another gender does not mean the
// person with the name.
func TestReading_Means(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"Kestrel closes its hall. “It is old,” Mr Whitlock said.", false},
		{"Kestrel closes its hall. “It is old,” Ms Whitlock said.", true},
		{"Kestrel closes its hall. “It is old,” Dana Whitlock said.", true},
		{"Kestrel closes its hall. “It is old,” Raj Menon said.", false},
	} {
		span, _ := text.Locate(c.text, "It is old")
		reading := speaker.Read(speaker.Source{Text: c.text, Executive: "Dana Whitlock"})
		said, _ := reading.Find(span.Start, span.End)
		if got := reading.Means(said, "Dana Whitlock"); got != c.want || said.Speaker == "" {
			t.Errorf("%s: %q means Dana Whitlock: %t", c.text, said.Speaker, got)
		}
	}
}
