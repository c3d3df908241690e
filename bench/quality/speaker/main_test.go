package main

import (
	"io"
	"testing"
)

// TestScore checks how statements are counted: right, wrong, without a speaker, missing in the text, and with a weak proof.
func TestScore(t *testing.T) {
	name, other, third := "Dana Whitlock", "Raj Menon", "Amy Stone"
	var s score
	s.add(io.Discard, labeledText{
		Text: "“We close the old hall,” said Dana Whitlock.\n\n“It is a scandal,” said Amy Stone.\n\n“We repair it,” she said.\n\nThe shares fell on Friday.",
		Statements: []labeledStatement{
			{Quote: "We close the old hall", Speaker: &name}, {Quote: "It is a scandal", Speaker: &other}, {Quote: "We repair it", Speaker: &third}, {Quote: "The shares fell on Friday."}, {Quote: "Nothing of it.", Speaker: &name},
		},
	})
	if want := (score{statements: 5, named: 4, unlocated: 1, all: tier{claimed: 3, right: 2, wrong: 1}, strict: tier{claimed: 2, right: 1, wrong: 1}}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
