package speaker_test

import (
	"testing"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
)

// TestRead_strength checks which proofs are strong: only those that name the person beside the
// verb, as the label, or as the author.
func TestRead_strength(t *testing.T) {
	for _, c := range []struct {
		text, passage string
		strong        bool
		executive     string
	}{
		{"“We close the old hall,” said Dana Whitlock.", "We close the old hall", true, ""},
		{"“We close the old hall,” said Kestrel's chief executive, Dana Whitlock.", "We close the old hall", true, ""},
		{"Dana Whitlock, the head of Kestrel, said: “We close the old hall.”", "We close the old hall.", true, ""},
		{"„Wir schließen die Halle“, so Karin Vogt.", "Wir schließen die Halle", true, ""},
		{"Dana Whitlock came. “We close the old hall,” she said.", "We close the old hall", false, ""},
		{"Dana Whitlock laughed. “We close the old hall.”", "We close the old hall.", false, ""},
		{"The mayor, Dana Whitlock, came. “We close the old hall,” said the mayor.", "We close the old hall", false,
			""},
		{"Dana Whitlock, the chief executive of Kestrel, came. “We close the old hall,” said the chief executive.",
			"We close the old hall", true, ""},
		{"Dana Whitlock, the CEO of Kestrel, came. “We close the old hall,” said the CEO.", "We close the old hall",
			true, ""},
		{"Dana Whitlock, the CEO of Kestrel, came. “It is a drag on margin,” said the CEO of Hansa Bank.",
			"It is a drag on margin", false, ""},
		{"Dana Whitlock, the CEO of Kestrel, met Hansa Bank's CEO. “It is a drag on margin,” said the CEO.",
			"It is a drag on margin", false, ""},
		{"Dana Whitlock, the chief executive of Kestrel, met the former chief executive. “We close the old hall,” said the chief executive.", "We close the old hall", false, ""},
		{"Dana Whitlock, PDG de Kestrel, était là. « Nous fermons la halle », a déclaré la PDG.",
			"Nous fermons la halle", true, ""},
		{"“We close the old hall,” Dana Whitlock and Adam Roy said.", "We close the old hall", false, ""},
		{"Dana Whitlock said that Adam Roy told her: “We close the old hall.”", "We close the old hall.", false, ""},
		{"Dana Whitlock: Good morning.\n\nAdam Roy: When does it close?\n\nDana Whitlock: It closes in May. A worker said to me: “We were the last to know.”", "It closes in May.", true, ""},
		{"Dana Whitlock: Good morning.\n\nAdam Roy: When does it close?\n\nDana Whitlock: It closes in May. A worker said to me: “We were the last to know.”", "We were the last to know.", false, ""},
		{"Remarks by Dana Whitlock\n\nDear friends,\n\nWe close the old hall. I am sorry for it.",
			"We close the old hall.", true, ""},
		{"Dana Whitlock: Good morning.\n\nAdam Roy: When does it close?\n\nDana Whitlock: It closes in May.\n\nOur podcast is made in Hull.", "Our podcast is made in Hull.", false, ""},
		{"Karin Vogt: Guten Tag.\n\nRalf Roth: Im Rat heißt es, es gehe um die Halle.\n\nKarin Vogt: Dann wissen die mehr als ich. *(Die Sitzung wird unterbrochen.)*", "es gehe um die Halle", false, ""},
		{"Karin Vogt: Guten Tag.\n\nRalf Roth: Im Rat heißt es, es gehe um die Halle.\n\nKarin Vogt: Dann wissen die mehr als ich. *(Die Sitzung wird unterbrochen.)*", "(Die Sitzung wird unterbrochen.)", false, ""},
		{"Karin Vogt: Guten Tag.\n\nRalf Roth: Im Rat heißt es, es gehe um die Halle.\n\nKarin Vogt: Dann wissen die mehr als ich.", "Dann wissen die mehr als ich.", true, ""},
		{"“We close the hall,” said Dana Whitlock. She paused. “It is old.”", "It is old.", false, ""},
		{"Dana Whitlock said that the hall was old; the bridge would follow.", "the bridge would follow", false, ""},
		{"Remarks by Dana Whitlock\n\nDear friends,\n\nThey painted it on the wall: we stay here. I am glad.",
			"we stay here", false, ""},
		{"Remarks by Dana Whitlock\n\nDear friends,\n\nThe children found that the bridge was safe. I am glad.",
			"the bridge was safe", false, ""},
		{"Remarks by Dana Whitlock\n\nDear friends,\n\nThe mayor told me that the bridge was safe. I am glad.",
			"the bridge was safe", false, ""},
		{"An impostor calling herself Dana Whitlock said: “We close the old hall.”", "We close the old hall.", false,
			""},
		{"From: Dana Whitlock\n\nI close the old hall.\n\nOn 3 March 2026 Adam Roy wrote:\n> I think we are lost.\n> We give up.", "I close the old hall.", true, ""},
		{"“We close the old hall,” said Keji Sample.", "We close the old hall", false, ""},
		{"“We close the old hall,” said Keji Sample.", "We close the old hall", true, "Keji Sample"},
		{"“We close the old hall,” said Marlow Metro.", "We close the old hall", false, "Keji Sample"},
	} {
		span, ok := text.Locate(c.text, c.passage)
		if !ok {
			t.Fatalf("%q is not in %q", c.passage, c.text)
		}
		if found, _ := speaker.Read(speaker.Source{Text: c.text, Executive: c.executive}).
			Find(span.Start, span.End); found.Strong != c.strong {
			t.Errorf("%q is strong: %t, want %t: %q (%s)", c.text, found.Strong, c.strong, found.Speaker, found.Proof)
		}
	}
}
