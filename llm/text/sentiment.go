package text

import (
	"strings"
	"sync"

	"github.com/jonreiter/govader"
)

var vader = sync.OnceValue(govader.NewSentimentIntensityAnalyzer)

// Sentiment returns the sentiment of a text, from -1 (bad) to 1 (good): the mean of its sentences
// with any sentiment, so that long texts do not drift to an extreme. English uses VADER; German,
// French, Spanish, Italian, Portuguese, Dutch and Russian use a short word list with negations;
// other languages only emoji. A text too short for detection counts as English.
func Sentiment(text string) float64 {
	language := orEnglish(Language(text))
	sum, felt := 0.0, 0
	for _, sentence := range Sentences(text) {
		if feeling := scoreSentiment(sentence.Text, language); feeling != 0 {
			sum += feeling
			felt++
		}
	}
	if felt == 0 {
		return 0
	}
	return sum / float64(felt)
}

func scoreSentiment(sentence, language string) float64 {
	parts := strings.Fields(sentence)
	if language == "en" {
		return vader().PolarityScores(strings.Join(parts, " ")).Compound
	}
	feeling := 0.0
	if known := foreignSentiments()[language]; known != nil {
		feeling = known.scoreSentence(sentence, language)
	}
	if feeling == 0 {
		feeling = vader().PolarityScores(nonWordText(parts)).Compound
	}
	return feeling
}

// nonWordText returns the parts that are not words.
func nonWordText(parts []string) string {
	var kept []string
	for _, part := range parts {
		if !hasLetterOrDigit(part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " ")
}
