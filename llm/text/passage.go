package text

const (
	passageRunes  = 480     // code points of a passage of several sentences
	maxSplitRunes = 200_000 // code points of a text that are split into passages
)

// Passages returns the passages of the first 200,000 characters of a text: sentences that follow
// each other, of at most 480 characters together. A single sentence is never split, so a passage of
// one sentence may be longer.
func Passages(text string) []Span {
	runes := []rune(text)
	runes = runes[:min(len(runes), maxSplitRunes)]
	var out []Span
	start, end := 0, 0
	flush := func() {
		if end > start {
			out = append(out, Span{string(runes[start:end]), start, end})
		}
	}
	for _, sentence := range Sentences(string(runes)) {
		if end > start && sentence.End-start > passageRunes {
			flush()
			start = sentence.Start
		}
		if end == start {
			start = sentence.Start
		}
		end = sentence.End
	}
	flush()
	return out
}
