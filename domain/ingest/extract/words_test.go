package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                            0,
		" - … ! ":                     0,
		"The tide keeps its word.":    5,
		"don’t stop at 3.14 or 1,000": 6,
		"Grüße aus Köln":              3,
		"Привет, мир":                 2,
		"مرحبا بالعالم":               2,
		"潮汐发电":                        4,
		"カタカナ":                        1,
		"안녕하세요 세계":                    2,
		"नमस्ते दुनिया":               2,
		"one👍two":                     2,
		"a\u0301 e":                   2,
	} {
		if got := CountWords(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
	if got := CountCharacters("a\u0301潮👍"); got != 4 {
		t.Errorf("%d characters", got)
	}
}

// TestWords_plain compares the count with that by boundaries on texts of parts that the boundaries
// treat differently.
func TestWords_plain(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "Zé", "7", " ", "  ", "\n", "\r\n", ".", ",", "'", "’", ":", "(", ")", `"`, "_", "-", "潮",
		"カ", "\u0301", "\u200d", "\u00ad", "👍", "🇩🇪", "\t", "\u00a0", "א"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var text strings.Builder
		for range 1 + random.IntN(12) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		if got, want := CountWords(text.String()), countBoundaries(text.String()); got != want {
			t.Fatalf("%q has %d words, want %d", text.String(), got, want)
		}
	}
}
