package content

import (
	"slices"
	"strings"
	"testing"
)

// TestParsePrompt checks the facts and the topic that are parsed from a prompt.
func TestParsePrompt(t *testing.T) {
	for prompt, want := range map[string]parsedPrompt{
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
		if got := parsePrompt(prompt); !slices.Equal(got.statements, want.statements) || got.topic != want.topic {
			t.Errorf("%q is %q, want %q", prompt, got, want)
		}
	}
}

// TestCompose_keeps_facts_of_the_brief checks that the built-in engine's text contains the facts of the brief and no Markdown of its source.
func TestCompose_keeps_facts_of_the_brief(t *testing.T) {
	piece := brief{ContentType: "auto", Prompt: "Announce that Tidewall raised €12.5 million in a Series A led by Coastal Ventures on 3 March 2026."}.composePiece()
	for _, fact := range []string{"Tidewall raised", "€12.5 million", "Coastal Ventures", "3 March 2026"} {
		if !strings.Contains(piece, fact) {
			t.Errorf("%q has no %q", piece, fact)
		}
	}
	source := "# Charter\n\nThe price is **fixed** for five years, says the [charter](https://a.example/x).\n\n| A | B |\n|---|---|\n| c | d |\n\n" +
		"> “A promise that nobody checks is a slogan,” says Ines Okafor.\n\n1. Wildlife is counted every month.\n\n```\ncode()\n```\n"
	piece = brief{ContentType: "auto", Source: source, SourceTitle: "Charter"}.composePiece()
	if strings.ContainsAny(piece[1:], "|*>[]`#") || !strings.Contains(piece, "The price is fixed for five years") {
		t.Errorf("%q", piece)
	}
	piece = brief{ContentType: "auto", Points: []briefPoint{{"Two lines", levelMust}}}.composePiece()
	if piece != "# Two lines\n\nTwo lines.\n" {
		t.Errorf("%q", piece)
	}
}
