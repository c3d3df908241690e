package persona

import (
	"slices"

	"rostrum/llm/text"
	"rostrum/model"
)

// Cares lists what a persona minds: its interests and concerns, and what its name and description tell of its wishes and its role. One of which
// nothing is told minds what its description is about. What it learned counts as a worry, so that it looks out for it.
func Cares(p *model.Persona, learned []*model.PersonaRefinement) []text.Care {
	cares := slices.Concat(text.Cares(p.Interests, false), text.Cares(p.Concerns, true))
	cares = text.Told(cares, p.Name+".\n"+p.Category+".\n"+p.Description)
	if len(cares) == 0 {
		for _, phrase := range text.Keyphrases(p.Description, 5) {
			cares = text.AppendCare(cares, phrase.Text, text.Harm(phrase.Text))
		}
	}
	for _, one := range learned {
		for _, phrase := range text.Keyphrases(one.Instruction, 3) {
			cares = text.AppendCare(cares, phrase.Text, true)
		}
	}
	return cares
}

// covered is the share of the wanted stems that are there.
func covered(wanted, there []string) float64 {
	n := 0
	for _, stem := range wanted {
		if slices.Contains(there, stem) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
