package tag

import (
	"strings"

	"rostrum/llm/text"
)

// toneThreshold is the minimum absolute polarity of a positive or negative text (VADER's own threshold).
const toneThreshold = 0.05

// byTone returns positive, negative or neutral for auto-tags of the type sentiment that allow the value.
func (p *documentText) byTone(t *tagDefinition) []claim {
	if t.TagType != "sentiment" {
		return nil
	}
	polarity := text.Sentiment(truncateText(p.content, maxRead))
	c := claim{Value: "neutral", Confidence: 0.4}
	switch {
	case polarity >= toneThreshold:
		c = claim{Value: "positive", Confidence: 0.5 + polarity/2}
	case polarity <= -toneThreshold:
		c = claim{Value: "negative", Confidence: 0.5 - polarity/2}
	}
	if _, ok := allowedSpelling(t.AutoTag, c.Value); !ok {
		return nil
	}
	c.Quote = p.strongestSentence(polarity)
	return []claim{c}
}

// strongestSentence returns the sentence with the strongest polarity in the direction of the whole text; empty if all are neutral.
func (p *documentText) strongestSentence(polarity float64) string {
	best, most := "", 0.0
	for _, l := range p.readLines()[1:] {
		if how := text.Sentiment(l.text); how*polarity > most {
			best, most = l.text, how*polarity
		}
	}
	return truncateText(best, maxQuote)
}

// maxPhrases is the number of keyphrases to consider.
const maxPhrases = 10

// byPhrase returns the top keyphrase that shares words with the auto-tag's name or description, else the top keyphrase. A phrase that occurs
// once has a confidence below 0.5.
func (p *documentText) byPhrase(t *tagDefinition) claim {
	found := text.Keyphrases(truncateText(p.content, maxRead), maxPhrases)
	if len(found) == 0 {
		return claim{}
	}
	chosen := found[0]
	for _, f := range found {
		if text.Covered(f.Text, t.Name+" "+t.Description) > 0 {
			chosen = f
			break
		}
	}
	return claim{
		Value: strings.Join(strings.Fields(chosen.Text), " "), Quote: chosen.Text,
		Confidence: (0.35 + 0.1*float64(min(chosen.Count, 4))) * (0.5 + chosen.Weight/2),
	}
}
