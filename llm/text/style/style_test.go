package style_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rostrum/llm/text/fact"
	"rostrum/llm/text/style"
	"rostrum/test/kit/hostile"
)

// facts are the facts that a text must keep, in sentences with markers of machine style.
var (
	facts = [][]string{
		{"40,000", "3.5%", "€1.2 million", "2020–2025", "1,234,567", "10–15", "$99"},
		{"12 March 2026", "May 3, 2027", "2026-11-21", "3 juin 2026"},
		{"Ines Okafor", "Robust Systems", "Bank of England", "Dynamic Tapestry Group", "Norway"},
		{"https://tidewall.example/seamless-leverage?a=1", "press@tidewall.example", "www.pivotal.example/a-b"},
		{"“we leverage robust synergies — truly”", "\"delve into it\"", "«une game-changer»"},
		{"`leverage(robust)`", "```\nutilize --seamless\n```"},
	}
	frames = []string{
		"In today's fast-paced world, the figure is %s.", "Moreover, the team leverages %s in order to grow.",
		"It's worth noting that %s plays a pivotal role in the plan.",
		"The plan — backed by %s — is robust.", "Furthermore, we delve into %s.",
		"An innovative idea met %s and a comprehensive, seamless plan.",
		"It's not just a bridge, it's proof of %s.", "Not only the harbour, but also %s is a testament to care.",
	}
)

// TestRewrite checks which parts of a text are rewritten and which are kept.
func TestRewrite(t *testing.T) {
	t.Run("a hundred texts halve their score and keep every fact", func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		for n := range 100 {
			var text strings.Builder
			var kept []string
			for range 3 + random.IntN(6) {
				kind := facts[random.IntN(len(facts))]
				f := kind[random.IntN(len(kind))]
				kept = append(kept, f)
				fmt.Fprintf(&text, frames[random.IntN(len(frames))]+" ", f)
			}
			before, after := text.String(), style.Rewrite(text.String())
			for _, f := range kept {
				if strings.Count(after, f) != strings.Count(before, f) {
					t.Errorf("case %d: %q is lost\n%s\n%s", n, f, before, after)
				}
			}
			if old, now := *style.Analyze(before).Score, *style.Analyze(after).Score; now > old/2 {
				t.Errorf("case %d: from %v to %v\n%s\n%s", n, old, now, before, after)
			}
			if again := style.Rewrite(after); again != after {
				t.Errorf("case %d: a second rewrite returns\n%s\ninstead of\n%s", n, again, after)
			}
		}
	})
	for before, after := range map[string]string{
		"Moreover, the plan is a robust one.":                      "The plan is a strong one.",
		"An innovative idea and a comprehensive one.":              "A new idea and a full one.",
		"Robust Systems leverages Pivotal.":                        "Robust Systems uses Pivotal.",
		"- one\n- two — and three":                                 "- one\n- two, and three",
		"words\n- robust\n- item":                                  "words\n- strong\n- item",
		"From 2020–2025 and 2020 – 2025.":                          "From 2020–2025 and 2020 – 2025.",
		"It’s important to note that iPhone sales rose.":           "iPhone sales rose.",
		"Wir nutzen 水 und “leverage”.":                             "Wir nutzen 水 und “leverage”.",
		"The use is, indeed, truly small.":                         "The use is small.",
		"It's not just a tool — it's a plan.":                      "It is more than a tool: it is a plan.",
		"The foster home and a leverage ratio, in a harness.":      "The foster home and a leverage ratio, in a harness.",
		"Certainly! Let's dive in. We sell at the end of the day.": "We sell at the end of the day.",
		"Let's dive into the numbers. Let's explore them.":         "Look at the numbers. Consider them.",
		"We leverage it to foster trust.":                          "We use it to encourage trust.",
		"":                                                         "",
	} {
		if got := style.Rewrite(before); got != after {
			t.Errorf("%q becomes %q, want %q", before, got, after)
		}
	}
}

// TestRewrite_removals checks that a removed marker leaves no joiner, empty sentence or broken
// phrase; where it would, it stays.
func TestRewrite_removals(t *testing.T) {
	t.Parallel()
	for before, after := range map[string]string{
		"We grew, and it shows — indeed! Sales rose — moreover, costs fell. Indeed.": "We grew, and it shows! Sales rose, costs fell. Indeed.",
		"It works, indeed.": "It works.",
		"It works, indeed":  "It works",
		"We win — indeed!":  "We win!",
		"We win; indeed?":   "We win?",
		"We win, truly… (it works, indeed) and grow.":     "We win… (it works) and grow.",
		"We win, needless to say. We grew, indeed; so.":   "We win. We grew; so.",
		"We grew, indeed — a lot.":                        "We grew, a lot.",
		"Indeed — we win. Indeed: we grow.":               "We win. We grow.",
		"(Indeed, it works) and (truly).":                 "(it works) and (truly).",
		"The plan is, ultimately, ours.":                  "The plan is ours.",
		"The plan — indeed — works. In 2026, indeed, no.": "The plan, indeed, works. In 2026, indeed, no.",
		"More importantly, we win, most notably here.":    "More importantly, we win, most notably here.",
		"A truly-integrated plan. **Importantly,** we.":   "A truly-integrated plan. **Importantly,** we.",
		"Please feel free to reach out. Yes, of course!":  "Please feel free to reach out. Yes, of course!",
		"We win. Great question!":                         "We win.",
		"Indeed, -5 degrees. It is, indeed, -5 -- truly.": "-5 degrees. It is -5.",
		"Certainly!":                     "Certainly!",
		"I hope this helps you to grow.": "I hope this helps you to grow.",
		"# Moreover\n\nIt works.\n- Furthermore\n- Truly": "# Moreover\n\nIt works.\n- Furthermore\n- Truly",
		"It works, nevertheless. It is nonetheless ours.": "It works, still. It is still ours.",
		"We sell in today's digital world.":               "We sell today.",
		"Nevertheless, we win. Nonetheless we grow.":      "Still, we win. Still, we grow.",
		"It works, consequently. We, and, as such, they.": "It works, consequently. We, and, as such, they.",
	} {
		if got := style.Rewrite(before); got != after {
			t.Errorf("%q becomes %q, want %q", before, got, after)
		}
		if got := style.Rewrite(after); got != after {
			t.Errorf("%q becomes %q at the second rewrite", after, got)
		}
	}
	for _, word := range []string{"moreover", "furthermore", "additionally", "ultimately", "importantly", "notably",
		"indeed", "truly", "needless to say", "in conclusion", "to summarize", "in summary"} {
		whole := strings.ToUpper(word[:1]) + word[1:] + "."
		if got := style.Rewrite("It works, " + word + ". " + whole); got != "It works. "+whole {
			t.Errorf("%q becomes %q", word, got)
		}
		if *style.Analyze(whole).Score == 0 {
			t.Errorf("%q does not count", whole)
		}
	}
}

// FuzzRewrite checks that no text loses a fact, and that exempt parts stay.
func FuzzRewrite(f *testing.F) {
	for _, frame := range frames {
		f.Add(fmt.Sprintf(frame, "“it — robust” `x` https://a.b/leverage 2020–2025"))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if missing := fact.Missing(s, style.Rewrite(s)); len(missing) > 0 {
			t.Errorf("%q loses %q", s, missing)
		}
	})
}

// TestJudge checks the score against the weights of the list.
func TestJudge(t *testing.T) {
	if got := *style.Analyze("Moreover, we leverage water daily now here so ok").Score; got != 2*2*500/9.0 &&
		got != 222.22 {
		t.Errorf("the score is %v", got)
	}
	if got := style.Analyze("He said “moreover, we leverage” and `robust`."); *got.Score != 0 || len(got.Markers) != 0 {
		t.Errorf("exempt parts count: %+v", got)
	}
}

// TestAnalyze_unknown_language checks that a text in a language without markers has no score, and is
// not rewritten by markers of English.
func TestAnalyze_unknown_language(t *testing.T) {
	for _, said := range []string{
		"Der Plan ist robust und wir nutzen ihn für die Kunden – auch im nächsten Jahr.", "Ce plan est innovant, robuste et pour tous.", "", "—",
	} {
		if got := style.Analyze(said); got.Score != nil || len(got.Occurrences) > 0 {
			t.Errorf("%q: %+v", said, got)
		}
		if got := style.Rewrite(said); got != said {
			t.Errorf("%q becomes %q", said, got)
		}
	}
	if got := style.Analyze("The office opens at nine."); got.Score == nil || *got.Score != 0 {
		t.Errorf("English without markers: %v", got.Score)
	}
}

// TestOccurrences checks that each occurrence is the text's own at its offsets, in order, and that
// none is left out.
func TestOccurrences(t *testing.T) {
	t.Parallel()
	const said = "日本.\n\nMoreover, the plan is robust — and robust again. “Moreover, we leverage.”"
	report, points := style.Analyze(said), []rune(said)
	var words []string
	last, count := 0, 0
	for _, found := range report.Occurrences {
		if found.Start < last || found.Text != string(points[found.Start:found.End]) || found.Weight <= 0 {
			t.Errorf("%+v", found)
		}
		last = found.Start
		words = append(words, found.Text)
	}
	if got := strings.Join(words, "|"); got != "Moreover,|robust|—|robust" {
		t.Errorf("the occurrences are %s", got)
	}
	for _, marker := range report.Markers {
		count += marker.Count
	}
	if count != len(report.Occurrences) {
		t.Errorf("%d occurrences for %d counted", len(report.Occurrences), count)
	}
}

// markedText returns a text with many markers and facts, of about 90 KB for 150 parts.
func markedText(parts int) string {
	var s strings.Builder
	for n := range parts {
		for i, frame := range frames {
			kind := facts[(n+i)%3]
			fmt.Fprintf(&s, frame+" The figure of %d%d,%03d is new. ", kind[(n+i)%len(kind)], n, i, n%1000)
		}
		if n%4 == 0 {
			s.WriteString("\n\n")
		}
	}
	return s.String()
}

// TestRewrite_time_is_linear rewrites and analyzes a text of 90 KB and a part of it.
func TestRewrite_time_is_linear(t *testing.T) {
	if text := markedText(150); style.Rewrite(text) == text {
		t.Fatal("nothing is rewritten")
	}
	hostile.CheckGrowth(t, 150, func(size int) func() {
		text := markedText(size)
		return func() {
			style.Rewrite(text)
			style.Analyze(text)
		}
	})
}

// BenchmarkRewrite rewrites a text of 90 KB.
func BenchmarkRewrite(b *testing.B) {
	text := markedText(150)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		style.Rewrite(text)
	}
}
