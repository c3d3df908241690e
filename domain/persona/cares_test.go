package persona

import (
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
)

// TestCares checks that an extract has the passages on a refinement's subject.
func TestCares(t *testing.T) {
	p := &model.Persona{Name: "P", Interests: "jobs"}
	learned := []*model.PersonaRefinement{{Instruction: "Look at the price of water."}}
	study := offline.NewStudy("", "The price of water doubles.")
	before, after := study.Read(Cares(p, nil)), study.Read(Cares(p, learned))
	if len(before.Passages) != 0 || len(after.Passages) != 1 ||
		after.Passages[0].About != "price" {
		t.Errorf("the passages were %v and are %v", before.Passages, after.Passages)
	}
}
