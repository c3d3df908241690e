package main

import (
	"io"
	"testing"
)

// TestScore checks how statements are counted: right, wrong, without a speaker, and missing in the text.
func TestScore(t *testing.T) {
	name, other := "Dana Whitlock", "Raj Menon"
	var s score
	s.add(io.Discard, labeledText{
		Text: "“We close the old hall,” said Dana Whitlock.\n\n“It is a scandal,” said Amy Stone.\n\nThe shares fell on Friday.",
		Statements: []labeledStatement{
			{Quote: "We close the old hall", Speaker: &name}, {Quote: "It is a scandal", Speaker: &other}, {Quote: "The shares fell on Friday."}, {Quote: "Nothing of it.", Speaker: &name},
		},
	})
	if want := (score{statements: 4, named: 3, claimed: 2, right: 1, wrong: 1, unlocated: 1}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
