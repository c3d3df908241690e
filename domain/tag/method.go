package tag

import (
	"strings"

	"rostrum/llm/text"
)

// tones are the words of a sentiment, and how it must feel at least to be one, in either direction (VADER's own threshold).
const tones = 0.05

// byTone says whether the text is positive, negative or neutral, where the auto-tag is about that and allows the word.
func (p *page) byTone(t *definition) []claim {
	if t.TagType != "sentiment" {
		return nil
	}
	feels := text.Sentiment(cut(p.content, maxRead))
	c := claim{Value: "neutral", Confidence: 0.4}
	switch {
	case feels >= tones:
		c = claim{Value: "positive", Confidence: 0.5 + feels/2}
	case feels <= -tones:
		c = claim{Value: "negative", Confidence: 0.5 - feels/2}
	}
	if _, ok := allowed(t.AutoTag, c.Value); !ok {
		return nil
	}
	c.Quote = p.strongest(feels)
	return []claim{c}
}

// strongest is the sentence that feels most like the whole does; empty when none feels anything.
func (p *page) strongest(feels float64) string {
	best, most := "", 0.0
	for _, l := range p.read()[1:] {
		if how := text.Sentiment(l.text); how*feels > most {
			best, most = l.text, how*feels
		}
	}
	return cut(best, maxQuote)
}

// phrases is how many keyphrases are looked at.
const phrases = 10

// byPhrase takes the heaviest keyphrase that has to do with what the auto-tag looks for, or else the heaviest of all. A phrase that is
// said once is less than even.
func (p *page) byPhrase(t *definition) claim {
	found := text.Keyphrases(cut(p.content, maxRead), phrases)
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
