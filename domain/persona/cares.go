package persona

import (
	"slices"

	"rostrum/llm/text"
	"rostrum/model"
)

// Cares returns the interests and concerns of a persona, completed from its name, category and description. Without any it uses key phrases
// of the description. Refinements count as concerns, so that the persona looks out for their subjects.
func Cares(p *model.Persona, learned []*model.PersonaRefinement) []text.Care {
	cares := slices.Concat(text.Cares(p.Interests, false), text.Cares(p.Concerns, true))
	cares = text.Told(cares, p.Name+".\n"+p.Category+".\n"+p.Description)
	if len(cares) == 0 {
		for _, phrase := range text.Keyphrases(p.Description, 5) {
			cares = text.AppendCare(cares, phrase.Text, text.Harm(phrase.Text))
		}
	}
	for _, refinement := range learned {
		for _, phrase := range text.Keyphrases(refinement.Instruction, 3) {
			cares = text.AppendCare(cares, phrase.Text, true)
		}
	}
	return cares
}

// coveredShare returns the share of the wanted stems that are present, from 0 to 1.
func coveredShare(wanted, present []string) float64 {
	n := 0
	for _, stem := range wanted {
		if slices.Contains(present, stem) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
