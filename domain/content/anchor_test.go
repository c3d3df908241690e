package content

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// passageOf returns the first place of the words in a text.
func passageOf(t *testing.T, content, words string) passage {
	t.Helper()
	at := strings.Index(content, words)
	if at < 0 {
		t.Fatalf("%q is not in %q", words, content)
	}
	start := utf8.RuneCountInString(content[:at])
	return passage{start, start + utf8.RuneCountInString(words)}
}

func TestPassageMover(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, before, quote, after string
		want                       string // "" if the passage is gone
	}{
		{"nothing", "We open in March.", "in March", "We open in March.", "in March"},
		{"insert before", "We open in March.", "in March", "On Monday we said: We open in March.", "in March"},
		{"insert directly before", "We open in March.", "in March", "We open early in March.", "in March"},
		{"insert directly after", "We open in March.", "in March", "We open in March or April.", "in March"},
		{"insert inside", "We open in March.", "open in March", "We open our shop in March.", "open our shop in March"},
		{"delete a part", "We open in cold March.", "in cold March", "We open in March.", "in March"},
		{"delete its beginning", "We open in cold March.", "in cold March", "We open March.", "March"},
		{"delete its end", "We open in cold March.", "in cold March", "We open in cold.", "in cold"},
		{"delete the whole", "We open in March. All are invited.", "in March", "We open. All are invited.", ""},
		{"delete it with what is around", "One. We open in March. Two.", "open in", "One. Two.", ""},
		{"replace a word", "We open in March.", "in March", "We open in April.", "in April"},
		{"correct a letter", "We opne soon.", "opne", "We open soon.", "open"},
		{"replace the whole", "We open in March.", "March", "We open in summer.", ""},
		{"replace the paragraph", "First.\n\nThe shop on the corner opens in March.\n\nLast.",
			"The shop on the corner opens in March.", "First.\n\nNobody knows why it rained at night.\n\nLast.", ""},
		{"replace the paragraph before", "First one.\n\nWe open in March.", "open in March",
			"A quite other beginning.\nIn two lines.\n\nWe open in March.", "open in March"},
		{"move the paragraph", "We open in March.\n\nAll are invited.\n\nBring a friend.\n", "We open in March.",
			"All are invited.\n\nBring a friend.\n\nWe open in March.\n", "We open in March."},
		{"empty the text", "We open in March.", "open", "", ""},
		{"surrogate pairs before", "😀😀 We open in March 😀.", "March 😀", "😀 We open in March 😀.", "March 😀"},
		{"an emoji of several code points", "We 👩‍💻 open.", "👩‍💻", "Now we 👩‍💻 open.", "👩‍💻"},
		{"another emoji", "We 👩‍💻 open.", "👩‍💻 open", "We 👩‍🔬 open.", "👩‍🔬 open"},
		{"combining marks", "Le cafe\u0301 ouvre.", "cafe\u0301", "Oui, le cafe\u0301 ouvre.", "cafe\u0301"},
		{"a combining mark is lost", "Le cafe\u0301 ouvre.", "cafe\u0301", "Le cafe ouvre.", "cafe"},
		{"characters without spaces", "我们三月开业。", "三月", "我们店三月开业。", "三月"},
		{"CRLF stays", "One.\r\nWe open in March.\r\nLast.", "in March", "One.\r\nMore.\r\nWe open in March.\r\nLast.",
			"in March"},
		{"CRLF becomes LF", "One.\r\nWe open in March.\r\nLast.", "March.\r\nLast", "One.\nWe open in March.\nLast.",
			"March.\nLast"},
		{"LF becomes CRLF", "One.\nTwo.\nWe open.", "Two", "One.\r\nTwo.\r\nWe open.", "Two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			old := passageOf(t, c.before, c.quote)
			moved, ok := newPassageMover(c.before, c.after).move(&old, c.quote)
			got := ""
			if ok {
				got = string([]rune(c.after)[moved.start:moved.end])
			}
			if got != c.want {
				t.Errorf("%q moved to %q at %v, want %q", c.quote, got, moved, c.want)
			}
		})
	}
}

// TestPassageMover_comes_back restores a text: a passage that was gone is found by its words, unless
// they are too few or stand there twice.
func TestPassageMover_comes_back(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quote, after string
		want         bool
	}{
		{"open in March", "We open in March.", true},
		{"March", "We open in March.", false},
		{"open in March", "We open in March. They open in March.", false},
	} {
		if _, ok := newPassageMover("Nothing yet.", c.after).move(nil, c.quote); ok != c.want {
			t.Errorf("%q is found in %q: %v", c.quote, c.after, ok)
		}
	}
}

// TestPassageMover_random edits texts at random: a passage that no edit touched still has the same
// words, and every other one is within the text.
func TestPassageMover_random(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 400 {
		pieces := make([]string, 20+random.IntN(60))
		for i := range pieces {
			pieces[i] = randomWord(random, i)
		}
		first := random.IntN(len(pieces) - 4)
		last := first + 1 + random.IntN(3)
		before, quote := strings.Join(pieces, ""), strings.Join(pieces[first:last], "")
		after := edited(random, pieces, first, last)
		start := utf8.RuneCountInString(strings.Join(pieces[:first], ""))
		old := passage{start, start + utf8.RuneCountInString(quote)}
		moved, ok := newPassageMover(before, after).move(&old, quote)
		if !ok || string([]rune(after)[moved.start:moved.end]) != quote {
			t.Fatalf("seed %d: %q at %v of\n%q\nis %v, %v of\n%q", seed, quote, old, before, moved, ok, after)
		}
	}
}

// randomWord returns a word that no other index has, with what follows it.
func randomWord(random *rand.Rand, i int) string {
	letters := []string{"a", "é", "e\u0301", "ß", "😀", "語", "👩‍💻"}
	word := fmt.Sprintf("w%d%s", i, letters[random.IntN(len(letters))])
	return word + []string{" ", " ", " ", ", ", ".\n", ".\r\n", "\n\n"}[random.IntN(7)]
}

// edited returns the text of the pieces after random edits outside of those from first to last.
func edited(random *rand.Rand, pieces []string, first, last int) string {
	var out strings.Builder
	for i, piece := range pieces {
		if i >= first && i < last {
			out.WriteString(piece)
			continue
		}
		switch random.IntN(6) {
		case 0: // deleted
		case 1:
			out.WriteString(fmt.Sprintf("n%d ", random.IntN(1000)) + piece)
		case 2:
			fmt.Fprintf(&out, "r%d ", random.IntN(1000))
		default:
			out.WriteString(piece)
		}
	}
	return out.String()
}

// TestTextEdits checks that the edits, applied to a text, make the other.
func TestTextEdits(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		pieces := make([]string, 1+random.IntN(80))
		for i := range pieces {
			pieces[i] = randomWord(random, i)
		}
		before, after := strings.Join(pieces, ""), edited(random, pieces, 0, 0)
		if random.IntN(3) == 0 {
			after = strings.ReplaceAll(after, "\r\n", "\n")
		}
		if got := applied(before, after, textEdits(before, after)); got != after {
			t.Fatalf("%q becomes %q, not %q", before, got, after)
		}
	}
}

func applied(before, after string, edits []textEdit) string {
	old, present := []rune(before), []rune(after)
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(string(old[at:e.From]) + string(present[e.NewFrom:e.NewTo]))
		at = e.To
	}
	return out.String() + string(old[at:])
}
