package persona

import (
	"testing"

	"rostrum/model"
)

// TestVerify checks that a claim is kept only with a quote from its document, with offsets in code points.
func TestVerify(t *testing.T) {
	first, second := "Höher als je. Nobody objects.", "Nobody came."
	docs := []*model.Document{{ID: "doc_1", Title: "A", Content: &first}, {ID: "doc_2", Title: "B", Content: &second}}
	for name, c := range map[string]struct {
		claim claim
		start int // -1: the claim is dropped
	}{
		"in its document":        {claim{"s", " Nobody objects. ", 1}, 14},
		"in another document":    {claim{"s", "Nobody came.", 1}, -1},
		"changed":                {claim{"s", "Nobody objected.", 1}, -1},
		"of no document":         {claim{"s", "Nobody came.", 3}, -1},
		"of an earlier document": {claim{"s", "Nobody came.", 0}, -1},
		"a single word":          {claim{"s", "Nobody", 1}, -1},
		"empty":                  {claim{"s", " ", 1}, -1},
	} {
		kept, dropped := verifyClaims([]claim{c.claim}, docs)
		switch {
		case c.start < 0 && (len(kept) != 0 || dropped != 1):
			t.Errorf("%s: the claim is kept as %+v", name, kept)
		case c.start >= 0 && (len(kept) != 1 || kept[0].Start != c.start || !quoteMatches(kept[0], first)):
			t.Errorf("%s: %+v", name, kept)
		}
	}
}

// TestIsGrounded checks that a statement whose offsets do not select its quote is rejected.
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
