package offline_test

import (
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
)

// TestText_Find checks which sentences cover a point: verbatim ones, and no words in other roles, of
// two clauses, or struck out. Words never show that a point is absent.
func TestText_Find(t *testing.T) {
	t.Parallel()
	const covered, unknown = model.CoverageVerdictCovered, model.CoverageVerdictUnknown
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
		{"Orrin Glass pays its staff more", "The council met in Dayton on Monday to speak about the bridge.", unknown},
		{"no compulsory redundancies before March", "There will be no compulsory redundancies before March.", covered},
		{"No compulsory redundancies before March.", "It is agreed: there are no compulsory redundancies before March, says Ann.", covered},
		{"no compulsory redundancies before March", "The union demands no compulsory redundancies before March.", unknown},
		{"no compulsory redundancies before March", "No compulsory redundancies before March, the union had demanded.", unknown},
		{"no compulsory redundancies before March", "Are there no compulsory redundancies before March?", unknown},
		{"the site closes", "Nobody says that the site closes.", unknown},
		{"the site opens", "In May the site reopens.", unknown},
		{"open 5% of sites", "We open 5% of sites and close others.", covered},
		{"The loss was £0.9 million", "The loss was ~~£0.9 million~~ £1.4 million.", model.CoverageVerdictContradicted},
		{"The loss was £0.9 million", "The loss was ~~£0.9 million~~.", unknown},
		{"The pool opens before March", "The pool opens after March.", unknown},
		{"The loss was £1.4 million", "The loss was ~~£0.9 million~~ £1.4 million.", covered},
		{"The depot stays", "<del>The depot stays.</del> <ins>The depot closes.</ins>", unknown},
		{"Footwear did well", "Tents did well and footwear did badly.", unknown},
		{"Footwear did well", "Footwear did badly and tents did well.", unknown},
		{"Footwear did well", "Tents did well, footwear did badly.", unknown},
		{"Footwear did well", "Footwear did badly, tents well.", unknown},
		{"Footwear did well", "Footwear did badly; tents did well.", unknown},
		{"Footwear did well", "Footwear did badly – tents did well.", unknown},
		{"Orrin Glass pays its staff more", "We met in Dayton on Monday to speak about our wages.", unknown},
	} {
		if got := offline.ReadText(c.text).Find(c.point).Verdict; got != c.want {
			t.Errorf("%q in %q is %s, want %s", c.point, c.text, got, c.want)
		}
	}
}
