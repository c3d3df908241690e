package content

import (
	"strings"
	"testing"

	"rostrum/llm/offline"
)

// TestWrite_includes_every_point checks that the offline engine includes all required points, for
// any draft.
func TestWrite_includes_every_point(t *testing.T) {
	points := []string{
		"The plant does not cut jobs", "We will never sell data", "Sales rose by 8% in 2025",
		"Kestrel bought Marlow Foods", "水門は五月に開く",
		"Die Preise steigen nicht", "Mention that entry is free", "ابتهاج في المدينة", "It is so", "One; two. Three!",
		"iPhone users get 40,000 maps, books and songs",
		"The bank may close. It has not said when.",
	}
	drafts := []string{
		"", "x", "# Title\n\n- a\n- b", "The plant cuts jobs. Sales rose by 6% in 2025.", "```\ncode\n```",
		"Marlow Foods bought Kestrel.\n\nJo", "1. One\n2. Two\n\n> “quoted”",
		"水門は閉じた。", "Line\r\n\r\nLine without an end",
	}
	s := &Service{models: offline.Engine{}}
	for _, draft := range drafts {
		b := brief{Draft: draft, ContentType: "auto"}
		for _, p := range points {
			b.Points = append(b.Points, briefPoint{p, levelMust})
		}
		out, err := s.writePiece(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if left := b.missingPoints(out.Content); len(left) > 0 {
			t.Errorf("%q does not include %q", out.Content, left)
		}
		if out.Warning == nil {
			t.Errorf("%q: no warning names the added points", draft)
		}
		for line := range strings.Lines(draft) {
			if line = strings.TrimSpace(line); !strings.Contains(out.Content, line) {
				t.Errorf("%q lost its line %q: %q", draft, line, out.Content)
			}
		}
	}
}
