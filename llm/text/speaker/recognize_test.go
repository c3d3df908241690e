package speaker_test

import (
	"testing"

	"rostrum/llm/text/speaker"
)

// TestIsName checks that articles, possessives, titles and offices are no names.
func TestIsName(t *testing.T) {
	for phrase, want := range map[string]bool{
		"Kestrel": true, "Kestrel Foods": true, "The Body Shop": true, "Dana Whitlock": true, "3M": true, "La Poste": true,
		"La": false, "Le": false, "Der": false, "Unser": false, "La directora general": false, "Le PDG": false,
		"Der Vorstandsvorsitzende": false, "The CEO": false, "Our": false, "Mr": false, "Monday": false, "": false,
	} {
		if got := speaker.IsName(phrase); got != want {
			t.Errorf("%q is a name: %t", phrase, got)
		}
	}
}
