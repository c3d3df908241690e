package speaker_test

import (
	"testing"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
)

// TestStatement_Certainty checks whose words a passage is: a person's by a direct proof, or
// probably; somebody's whom the text does not name; or the document's.
func TestStatement_Certainty(t *testing.T) {
	for _, c := range []struct {
		text, passage string
		want          speaker.Certainty
	}{
		{"“We close the old hall,” said Dana Whitlock.", "We close the old hall", speaker.Proved},
		{"Dana Whitlock came. “We close the old hall,” she said.", "We close the old hall", speaker.Probable},
		{"“We close the old hall,” said a driver.", "We close the old hall", speaker.Unnamed},
		{"The shares of the company fell on Friday.", "The shares of the company fell", speaker.OwnWords},
		{"The union says the hall is older than the law.", "the hall is older than the law", speaker.Unnamed},
		{"We say that the hall is older than the law.", "the hall is older than the law", speaker.OwnWords},
		{"Die Kontrolle sei viermal auf dem Hof gewesen, und der Kaffee war gut.", "Die Kontrolle sei viermal",
			speaker.Unnamed},
		{"Minutes of the board\n\nThe gate was shut for the winter.", "The gate was shut", speaker.Unnamed},
		{"Dana Whitlock: Good morning.\n\nAdam Roy: When does it close?\n\nDana Whitlock: In May.\n\nThe hall has two doors and a gate.", "The hall has two doors", speaker.Unnamed},
		{"Is the hall old?\n\nIt was built by monks.\n\nWill you close the hall in May?\n\nNobody knows.",
			"It was built by monks.", speaker.Unnamed},
	} {
		span, ok := text.Locate(c.text, c.passage)
		if !ok {
			t.Fatalf("%q is not in %q", c.passage, c.text)
		}
		if found, _ := speaker.Read(speaker.Source{Text: c.text}).Find(span.Start, span.End); found.Certainty() != c.want {
			t.Errorf("%q has the certainty %d, want %d: %q (%s)", c.text, found.Certainty(), c.want, found.Speaker,
				found.Proof)
		}
	}
}
