package content

import (
	"slices"
	"strings"
	"testing"
)

// TestWished holds what of a prompt readers are told, and what a piece is about.
func TestWished(t *testing.T) {
	for prompt, want := range map[string]wish{
		"Announce that Tidewall raised €12.5 million. The money pays for a plant.": {
			[]string{"Tidewall raised €12.5 million.", "The money pays for a plant."}, "Tidewall raised €12.5 million",
		},
		"Write a press release announcing that the harbour stays open in May.": {[]string{"The harbour stays open in May."}, "The harbour stays open in May"},
		"Schreibe eine Pressemitteilung: Tidewall eröffnet am 3. Mai 2026 ein Werk in Porto.": {
			[]string{"Tidewall eröffnet am 3. Mai 2026 ein Werk in Porto."}, "Tidewall eröffnet am 3. Mai 2026 ein Werk in Porto",
		},
		"Write a LinkedIn post about our new factory":     {nil, "Our new factory"},
		"Write a post that is funny and not too long.":    {nil, ""},
		"Write a post that sounds warm to our customers.": {nil, ""},
		"Introduce the second barrage. Keep it short.":    {nil, "The second barrage"},
		"Tides are free.": {[]string{"Tides are free."}, ""},
		"Write: short.":   {nil, ""},
		"":                {nil, ""},
	} {
		if got := wished(prompt); !slices.Equal(got.statements, want.statements) || got.topic != want.topic {
			t.Errorf("%q is %q, want %q", prompt, got, want)
		}
	}
}

// TestCompose_keeps_the_brief holds that what a brief states is in the built-in engine's piece, and no mark of its source's Markdown.
func TestCompose_keeps_the_brief(t *testing.T) {
	piece := brief{ContentType: "auto", Prompt: "Announce that Tidewall raised €12.5 million in a Series A led by Coastal Ventures on 3 March 2026."}.compose()
	for _, fact := range []string{"Tidewall raised", "€12.5 million", "Coastal Ventures", "3 March 2026"} {
		if !strings.Contains(piece, fact) {
			t.Errorf("%q has no %q", piece, fact)
		}
	}
	source := "# Charter\n\nThe price is **fixed** for five years, says the [charter](https://a.example/x).\n\n| A | B |\n|---|---|\n| c | d |\n\n" +
		"> “A promise that nobody checks is a slogan,” says Ines Okafor.\n\n1. Wildlife is counted every month.\n\n```\ncode()\n```\n"
	piece = brief{ContentType: "auto", Source: source, SourceTitle: "Charter"}.compose()
	if strings.ContainsAny(piece[1:], "|*>[]`#") || !strings.Contains(piece, "The price is fixed for five years") {
		t.Errorf("%q", piece)
	}
	piece = brief{ContentType: "auto", Points: []claim{{"Two lines", levelMust}}}.compose()
	if piece != "# Two lines\n\nTwo lines.\n" {
		t.Errorf("%q", piece)
	}
}
