package persona

import (
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
)

// TestVerify checks that a claim needs a quote from its document. Offsets are in code points.
func TestVerify(t *testing.T) {
	first, second := "Höher als je. Nobody objects.", "Nobody came."
	docs := []*model.Document{{ID: "doc_1", Title: "A", Content: &first}, {ID: "doc_2", Title: "B", Content: &second}}
	for name, c := range map[string]struct {
		claim offline.Claim
		start int // -1: the claim is dropped
	}{
		"in its document":        {offline.Claim{Statement: "s", Quote: " Nobody objects. ", Document: 1}, 14},
		"in another document":    {offline.Claim{Statement: "s", Quote: "Nobody came.", Document: 1}, -1},
		"changed":                {offline.Claim{Statement: "s", Quote: "Nobody objected.", Document: 1}, -1},
		"of no document":         {offline.Claim{Statement: "s", Quote: "Nobody came.", Document: 3}, -1},
		"of an earlier document": {offline.Claim{Statement: "s", Quote: "Nobody came.", Document: 0}, -1},
		"a single word":          {offline.Claim{Statement: "s", Quote: "Nobody", Document: 1}, -1},
		"empty":                  {offline.Claim{Statement: "s", Quote: " ", Document: 1}, -1},
	} {
		kept, dropped := verifyClaims([]offline.Claim{c.claim}, docs)
		switch {
		case c.start < 0 && (len(kept) != 0 || dropped != 1):
			t.Errorf("%s: the claim is kept as %+v", name, kept)
		case c.start >= 0 && (len(kept) != 1 || kept[0].Start != c.start || !quoteMatches(kept[0], first)):
			t.Errorf("%s: %+v", name, kept)
		}
	}
}

// TestIsGrounded checks that a statement is rejected if its offsets do not select its quote.
func TestIsGrounded(t *testing.T) {
	content := "Höher als je."
	for name, c := range map[string]struct {
		statement model.GroundedStatement
		want      bool
	}{
		"right":        {model.GroundedStatement{Quote: "als", Start: 6, End: 9}, true},
		"in bytes":     {model.GroundedStatement{Quote: "als", Start: 7, End: 10}, false},
		"beyond":       {model.GroundedStatement{Quote: "als", Start: 6, End: 90}, false},
		"backwards":    {model.GroundedStatement{Quote: "", Start: 6, End: 2}, false},
		"before":       {model.GroundedStatement{Quote: "als", Start: -1, End: 2}, false},
		"another text": {model.GroundedStatement{Quote: "abc", Start: 6, End: 9}, false},
	} {
		if got := quoteMatches(&c.statement, content); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
