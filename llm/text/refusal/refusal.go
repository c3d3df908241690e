package refusal

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"rostrum/llm/text"
)

//go:embed refusal.txt
var patternText string

// beginning matches the beginning of a sentence that declines, after words of politeness.
var beginning = sync.OnceValue(func() *regexp.Regexp {
	var patterns []string
	for line := range strings.Lines(patternText) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, line)
		}
	}
	const polite = `(?:(?:i'm |i am |i apologi[sz]e|sorry|unfortunately|leider|tut mir leid|entschuldigung|malheureusement|désolé|lamentablemente|desafortunadamente|thank you|thanks)[^.!?]{0,40}?[,:;]? ?(?:but |aber |mais |pero )?)?`
	return regexp.MustCompile(`^[^\pL]{0,3}` + polite + `(?:` + strings.Join(patterns, "|") + `)`)
})

// readRunes is the length of an answer that is read, in code points.
const readRunes = 400

// opening matches a first sentence of politeness, which a refusal may follow.
var opening = regexp.MustCompile(`^(?:i'm sorry|i am sorry|sorry|i apologi|thank|i understand|i appreciate|unfortunately|` +
	`es tut mir leid|entschuldigung|danke|vielen dank|ich verstehe|désolé|je suis désolé|je comprends|merci|lo siento|` +
	`gracias|entiendo)`)

// Is reports whether an answer declines its task: its first sentence says so, or its second after one
// of politeness.
func Is(answer string) bool {
	said := strings.ReplaceAll(text.Truncate(strings.TrimSpace(answer), readRunes), "’", "'")
	for i, sentence := range text.Sentences(said) {
		lower := strings.ToLower(strings.Join(strings.Fields(sentence.Text), " "))
		if beginning().MatchString(lower) {
			return true
		}
		if i > 0 || !opening.MatchString(lower) {
			break
		}
	}
	return false
}
