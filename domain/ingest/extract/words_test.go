package extract

import "testing"

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
