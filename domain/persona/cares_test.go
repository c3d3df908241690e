package persona

import (
	"testing"

	"rostrum/llm/text"
	"rostrum/model"
)

func TestOpinion_uses_learned_dislikes(t *testing.T) {
	p := &model.Persona{Name: "P", Interests: "jobs"}
	learned := []*model.PersonaRefinement{{Instruction: "Look at the price of water."}}
	study := text.NewStudy("", "The price of water doubles.")
	before, after := study.Opinion(Cares(p, nil)), study.Opinion(Cares(p, learned))
	if len(before.Dislikes) != 0 || len(after.Dislikes) != 1 {
		t.Errorf("the dislikes were %v and are %v", before.Dislikes, after.Dislikes)
	}
}
