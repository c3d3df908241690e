package speaker_test

import (
	"slices"
	"testing"

	"rostrum/llm/text/speaker"
)

// TestFindPeople checks the people of texts in four languages, and their offices.
func TestFindPeople(t *testing.T) {
	for _, c := range []struct {
		text string
		want []speaker.Person
	}{
		{"Kestrel Foods closes its hall. Dana Whitlock, the chief executive of Kestrel, met Mr Roy. Whitlock left.",
			[]speaker.Person{{Name: "Dana Whitlock", Offices: []string{"chief executive"}}, {Name: "Roy"}}},
		{"Die Nordlicht AG schließt ihr Werk, und Vorstandschefin Karin Vogt ist nicht zu sprechen.",
			[]speaker.Person{{Name: "Karin Vogt", Offices: []string{"vorstandschefin"}}}},
		{"L'usine ferme. Claire Fontaine, directrice générale de Nordlait, est partie.",
			[]speaker.Person{{Name: "Claire Fontaine", Offices: []string{"directrice générale"}}}},
		{"La fábrica cierra. La directora general, Lucía Campos, no habla con los vecinos.",
			[]speaker.Person{{Name: "Lucía Campos", Offices: []string{"directora general"}}}},
		{"The shares of the company fell on Friday.", nil},
	} {
		same := func(a, b speaker.Person) bool { return a.Name == b.Name && slices.Equal(a.Offices, b.Offices) }
		if got := speaker.FindPeople(speaker.Source{Text: c.text}); !slices.EqualFunc(got, c.want, same) {
			t.Errorf("the people of %q are %q, want %q", c.text, got, c.want)
		}
	}
}

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
