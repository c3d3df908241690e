package extract_test

import (
	"slices"
	"testing"

	"rostrum/domain/ingest/extract"
)

// TestChiefs holds who counts as the chief executive of a text.
func TestChiefs(t *testing.T) {
	for text, want := range map[string][]extract.Chief{
		`"We grow," said Ines Okafor, chief executive of Tidewall.`:        {{Executive: "Ines Okafor", Company: "Tidewall"}},
		"Tidewall CEO Ines Okafor opened the plant.":                       {{Executive: "Ines Okafor", Company: "Tidewall"}},
		`"We grow," said Ines Okafor, chief executive.`:                    {{Executive: "Ines Okafor"}},
		`"We grow," said Marcus Lee, chief financial officer of Tidewall.`: nil,
		"Marcus Lee, former chief executive of Tidewall, left.":            nil,
		"Marcus Lee, deputy chief executive of Tidewall, spoke.":           nil,
		"": nil,
	} {
		if got := extract.Chiefs(text); !slices.Equal(got, want) {
			t.Errorf("%q names %+v, want %+v", text, got, want)
		}
	}
}

// TestSpeaker holds who is quoted in a sentence.
func TestSpeaker(t *testing.T) {
	for sentence, want := range map[string][2]string{
		`"Prices fall," said Marcus Lee, finance director and CFO of Saltmarsh.`: {},
		`"Prices fall," said Marcus Lee, CFO of Saltmarsh.`:                      {"Marcus Lee", "Saltmarsh"},
		"We will invest in the harbour.":                                         {},
	} {
		executive, company := extract.Speaker(sentence)
		if got := [2]string{executive, company}; got != want {
			t.Errorf("%q is said by %q", sentence, got)
		}
	}
}
