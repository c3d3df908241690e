package content

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rostrum/api"
	"rostrum/llm/offline"
)

// draftPieces are the parts of random drafts.
var draftPieces = []string{
	"Moreover, we leverage 40,000 litres.", " ", "\r\n\r\n", "\t", "Ines Okafor said “robust — truly”.", "水門が開いた。",
	"👩\u200d👧", "\u200b", "a", "é",
	"In order to utilize `x()`", "; ", "See https://a.example/leverage.", "  ", "\n", "On 12 March 2026 it opens.",
	"<b>robust</b>", "ابتهاج", "...",
}

func randomDraft(random *rand.Rand) string {
	var b strings.Builder
	for range 3 + random.IntN(25) {
		b.WriteString(draftPieces[random.IntN(len(draftPieces))])
	}
	return b.String()
}

// randomParts cuts a draft at random characters and returns some of the segments.
func randomParts(random *rand.Rand, draft string) []*api.RewriteSegmentInput {
	runes := []rune(draft)
	var parts []*api.RewriteSegmentInput
	for at := 0; at < len(runes); {
		end := min(len(runes), at+1+random.IntN(30))
		if part := string(runes[at:end]); random.IntN(2) == 0 && strings.TrimSpace(part) != "" {
			parts = append(parts, &api.RewriteSegmentInput{SegmentText: part})
		}
		at = end
	}
	random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return parts
}

// TestRewrite_leaves_every_byte_outside_the_parts runs both rewriters on random drafts and parts.
func TestRewrite_leaves_every_byte_outside_the_parts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := &Service{models: offline.Engine{}}
	for range 500 {
		draft := randomDraft(random)
		parts, err := locateSegments(draft, randomParts(random, draft))
		if err != nil || len(parts) == 0 {
			continue // a part that occurs more than once may overlap another part
		}
		in := api.RewriteTextInput{FullDraft: draft}
		out, err := s.askNewWordings(t.Context(), rewriteTask{RewriteTextInput: in, Phrases: random.IntN(2) == 0},
			parts)
		if err != nil {
			t.Fatal(err)
		}
		rest, last := out.Content, 0
		for _, p := range parts {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, draft[last:p.start]); !ok {
				t.Fatalf("%q became %q: the bytes before %q changed", draft, out.Content, p.SegmentText)
			}
			if rest, ok = strings.CutPrefix(rest, p.text); !ok {
				t.Fatalf("%q became %q: %q is not where %q was", draft, out.Content, p.text, p.SegmentText)
			}
			last = p.end
		}
		if rest != draft[last:] {
			t.Fatalf("%q became %q: the end changed", draft, out.Content)
		}
	}
}
