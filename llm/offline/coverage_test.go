package offline_test

import (
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
)

// TestText_Find checks that a point's words in other roles do not cover it. A name that the text
// may mean by a pronoun is not absent.
func TestText_Find(t *testing.T) {
	t.Parallel()
	const covered, absent, unknown = model.CoverageVerdictCovered, model.CoverageVerdictAbsent,
		model.CoverageVerdictUnknown
	for _, c := range []struct {
		point, text string
		want        model.CoverageVerdict
	}{
		{"Orrin Glass bought Velt Optics", "Velt Optics was bought by Orrin Glass in May.", covered},
		{"Orrin Glass bought Velt Optics", "Orrin Glass was bought by Velt Optics in May.", unknown},
		{"The port cut emissions", "The port's tenants cut emissions.", unknown},
		{"The port cut emissions by 9 percent", "In 2024, the port cut its emissions by 9%.", covered},
		{"The bank closed branches", "The bank opened offices and closed branches of a rival.", unknown},
		{"The chair thanked the mayor", "The mayor thanked the chair.", unknown},
		{"Die Stadt hat 300 Bäume gepflanzt", "300 Bäume wurden von der Stadt gepflanzt.", covered},
		{"Die Halle ist beheizt", "Die Halle ist nicht beheizt.", model.CoverageVerdictContradicted},
		{"Le préfet reçoit la maire", "La maire reçoit le préfet.", unknown},
		{"La alcaldesa invita al juez", "El juez invita a la alcaldesa.", unknown},
		{"Rents in Dockside are capped at 9 euros", "Tenants demand that rents in Dockside are capped at 9 euros.",
			unknown},
		{"Customers of Lindgate can return goods", "Lindgate has rewritten its small print.", unknown},
		{"Orrin Glass pays its staff more", "The council met in Dayton on Monday to speak about the bridge.", absent},
		{"Orrin Glass pays its staff more", "We met in Dayton on Monday to speak about our wages.", unknown},
	} {
		if got := offline.ReadText(c.text).Find(c.point).Verdict; got != c.want {
			t.Errorf("%q in %q is %s, want %s", c.point, c.text, got, c.want)
		}
	}
}
