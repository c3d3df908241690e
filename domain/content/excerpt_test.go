package content

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"rostrum/errs"
	"rostrum/test/kit/llmtest"
)

// fixedEmbedder embeds texts by their words, or returns err.
type fixedEmbedder struct{ err error }

func (fixedEmbedder) EmbeddingModel() string { return "fixed" }

func (e fixedEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		for _, value := range llmtest.CountWords(text, 256, map[string]string{"fares": "tickets"}) {
			out[i] = append(out[i], float32(value))
		}
	}
	return out, e.err
}

// longContent is 60,000 characters long and mentions tickets, parking and dogs once each, near its
// end.
func longContent() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "The council of ward %d met in the hall and adjourned again. ", i)
		switch i {
		case 900:
			b.WriteString("Tickets rise sharply, as nobody had foreseen. ")
		case 950:
			b.WriteString("Parking stays free on every quay. ")
		}
	}
	return b.String()
}

// TestExcerptFor chooses passages of a long text by words, and by meaning if an embedding model
// answers.
func TestExcerptFor(t *testing.T) {
	t.Parallel()
	content := longContent()
	for name, c := range map[string]struct {
		service *Service
		fares   bool // the passage about fares is found
	}{
		"words":   {&Service{}, false},
		"failing": {&Service{embedder: fixedEmbedder{errs.New(errs.ModelFailed, "down")}}, false},
		"meaning": {&Service{embedder: fixedEmbedder{}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			excerpt, isCut, err := c.service.excerptFor(t.Context(), content, []string{"Fares", "Parking is free"})
			if err != nil || !isCut {
				t.Fatalf("the text is cut: %t, %v", isCut, err)
			}
			if n := utf8.RuneCountInString(excerpt); n < excerptRunes*9/10 || n > excerptRunes*11/10 {
				t.Errorf("the excerpt has %d characters", n)
			}
			if !strings.HasPrefix(excerpt, "The council of ward 0 met") || !strings.Contains(excerpt, "\n\n[…]\n\n") {
				t.Errorf("the excerpt is not filled from the start, or not marked: %.200q", excerpt)
			}
			if !strings.Contains(excerpt, "Parking stays free on every quay.") ||
				strings.Contains(excerpt, "Tickets rise sharply") != c.fares {
				t.Errorf("the excerpt has the wrong passages:\n%s", excerpt)
			}
		})
	}
}

// TestExcerptFor_whole keeps texts that are short or have no passage that fits, and stops with its
// context.
func TestExcerptFor_whole(t *testing.T) {
	t.Parallel()
	for _, content := range []string{strings.Repeat("It rains. ", excerptRunes/10),
		strings.Repeat("rain ", excerptRunes)} {
		excerpt, isCut, err := new(Service).excerptFor(t.Context(), content, []string{"rain"})
		if excerpt != content || isCut || err != nil {
			t.Errorf("a text of %d bytes is cut to %d: %v", len(content), len(excerpt), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Service{embedder: fixedEmbedder{context.Canceled}}
	if _, _, err := s.excerptFor(ctx, longContent(), []string{"rain"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context it returns %v", err)
	}
}
