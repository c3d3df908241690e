package main

import (
	"io"
	"testing"
)

// TestReadSets checks the figures of the sets that were read: the number of statements under a
// wrong person does not rise, none of them has a strong proof, and the recall does not fall.
func TestReadSets(t *testing.T) {
	for _, c := range []struct {
		set            string
		recall, strict float64
		wrong          int
	}{
		{"dev", 0.916, 0.569, 0}, {"dev2", 0.937, 0.605, 0}, {"dev3", 0.967, 0.539, 0}, {"dev4", 0.922, 0.520, 0},
		{"dev5", 0.913, 0.551, 0},
		{"dev6", 0.969, 0.548, 0}, {"dev7", 0.942, 0.523, 0}, {"dev8", 0.863, 0.560, 1}, {"dev9", 0.954, 0.378, 0},
		{"hold2", 0.937, 0.496, 0},
		{"hold3", 0.926, 0.503, 7}, {"hold5", 0.897, 0.446, 5}, {"hold6", 0.941, 0.453, 1}, {"hold7", 0.885, 0.492, 9},
		{"hold8", 0.911, 0.466, 10},
		{"hold9", 0.870, 0.511, 8}, {"hold11", 0.889, 0.459, 6}, {"hold12", 0.878, 0.470, 9},
		{"hold13", 0.843, 0.346, 23}, {"hold14", 0.848, 0.429, 16},
		{"hold15", 0.937, 0.401, 12}, {"hold16", 0.924, 0.425, 0}, {"hold17", 0.874, 0.440, 11},
		{"hold18", 0.886, 0.411, 6}, {"hold19", 0.885, 0.478, 8},
		{"hold20", 0.864, 0.424, 12},
	} {
		t.Run(c.set, func(t *testing.T) {
			all, err := readTexts(c.set + "/*.json")
			if err != nil {
				t.Fatal(err)
			}
			var total score
			for _, labeled := range all {
				total.add(io.Discard, labeled)
			}
			if total.all.wrong > c.wrong || total.strict.wrong > 0 || total.unlocated > 0 {
				t.Errorf("%d statements under a wrong person, %d of them with a strong proof, %d not located",
					total.all.wrong, total.strict.wrong, total.unlocated)
			}
			if recall, strict := share(total.all.right, total.named),
				share(total.strict.right, total.named); recall < c.recall || strict < c.strict {
				t.Errorf("recall %.4f and %.4f, want %.3f and %.3f", recall, strict, c.recall, c.strict)
			}
		})
	}
}

// TestScore checks how statements are counted: right, wrong, without a speaker, missing in the
// text, and with a weak proof.
func TestScore(t *testing.T) {
	name, other, third := "Dana Whitlock", "Raj Menon", "Amy Stone"
	var s score
	s.add(io.Discard, labeledText{
		Text: "“We close the old hall,” said Dana Whitlock.\n\n“It is a scandal,” said Amy Stone.\n\n“We repair it,” she said.\n\nThe shares fell on Friday.",
		Statements: []labeledStatement{
			{Quote: "We close the old hall", Speaker: &name}, {Quote: "It is a scandal", Speaker: &other},
			{Quote: "We repair it", Speaker: &third}, {Quote: "The shares fell on Friday."},
			{Quote: "Nothing of it.", Speaker: &name},
		},
	})
	if want := (score{statements: 5, named: 4, unlocated: 1, all: tier{claimed: 3, right: 2, wrong: 1},
		strict: tier{claimed: 2, right: 1, wrong: 1}}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
