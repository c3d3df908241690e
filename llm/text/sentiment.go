package text

import (
	"strings"
	"sync"

	"github.com/jonreiter/govader"
)

var vader = sync.OnceValue(govader.NewSentimentIntensityAnalyzer)

// Sentiment is how a text feels, from -1 (bad) to 1 (good): the mean of its sentences that feel anything, so that a long text is not driven to
// an end. English is judged by VADER; German, French, Spanish, Italian, Portuguese, Dutch and Russian by a short list of words and their
// negations; other languages by their emoji alone. A text that is too short to tell its language counts as English.
func Sentiment(text string) float64 {
	language := orEnglish(Language(text))
	sum, felt := 0.0, 0
	for _, sentence := range Sentences(text) {
		if feeling := feel(sentence.Text, language); feeling != 0 {
			sum += feeling
			felt++
		}
	}
	if felt == 0 {
		return 0
	}
	return sum / float64(felt)
}

func feel(sentence, language string) float64 {
	parts := strings.Fields(sentence)
	if language == "en" {
		return vader().PolarityScores(strings.Join(parts, " ")).Compound
	}
	feeling := 0.0
	if known := foreign()[language]; known != nil {
		feeling = known.compound(sentence, language)
	}
	if feeling == 0 {
		feeling = vader().PolarityScores(signs(parts)).Compound
	}
	return feeling
}

// signs leaves what is not a word.
func signs(parts []string) string {
	var kept []string
	for _, part := range parts {
		if !spoken(part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " ")
}
