package extract_test

import (
	"slices"
	"testing"

	"rostrum/domain/ingest/extract"
)

// TestChiefs checks which person is found as the chief executive of a text.
func TestChiefs(t *testing.T) {
	for text, want := range map[string][]extract.ChiefExecutive{
		`"We grow," said Ines Okafor, chief executive of Tidewall.`: {{Executive: "Ines Okafor",
			Company: "Tidewall"}},
		"Tidewall CEO Ines Okafor opened the plant.": {{Executive: "Ines Okafor",
			Company: "Tidewall"}},
		`"We grow," said Ines Okafor, chief executive.`:                    {{Executive: "Ines Okafor"}},
		`"We grow," said Marcus Lee, chief financial officer of Tidewall.`: nil,
		"Marcus Lee, former chief executive of Tidewall, left.":            nil,
		"Marcus Lee, deputy chief executive of Tidewall, spoke.":           nil,
		"": nil,
	} {
		if got := extract.FindChiefs(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// TestSpeaker checks which speaker is found for a quoted sentence.
func TestSpeaker(t *testing.T) {
	for sentence, want := range map[string][2]string{
		`"Prices fall," said Marcus Lee, finance director and CFO of Saltmarsh.`: {},
		`"Prices fall," said Marcus Lee, CFO of Saltmarsh.`:                      {"Marcus Lee", "Saltmarsh"},
		"We will invest in the harbour.":                                         {},
	} {
		executive, company := extract.FindSpeaker(sentence)
		if got := [2]string{executive, company}; got != want {
			t.Errorf("the speaker of %q is %q", sentence, got)
		}
	}
}
