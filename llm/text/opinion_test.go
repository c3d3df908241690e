package text_test

import (
	"slices"
	"testing"

	"rostrum/llm/text"
)

// contestedText pleases one reader with the facts that another reader fears.
const contestedText = `Tidewall will build a second gas plant at the harbour. The plant creates four hundred jobs and lifts local growth.
Emissions will rise by a third, and the wetland behind the harbour will be drained. Investment in the region grows for ten years.
Residents fear worse air pollution. The company says profits will improve.`

var (
	builders = slices.Concat(text.Cares("jobs, growth, investment, profits", false), text.Cares("regulation, strikes", true))
	wardens  = slices.Concat(text.Cares("clean air, nature reserves", false), text.Cares("emissions, air pollution, drained wetland, gas plant", true))
)

// minDifference is the minimum difference between the scores of two opposed readers, on a scale from -1 to 1.
const minDifference = 1.0

func TestOpposite_readers_differ(t *testing.T) {
	study := text.NewStudy("", contestedText)
	pro, against := study.Opinion(builders), study.Opinion(wardens)
	if pro.Verdict() != "positive" || against.Verdict() != "negative" || pro.Score-against.Score < minDifference {
		t.Errorf("the builders' verdict is %s (%.2f), the wardens' is %s (%.2f)", pro.Verdict(), pro.Score, against.Verdict(), against.Score)
	}
}

func TestOpinion(t *testing.T) {
	cares := slices.Concat(text.Cares("steady dividends", false), text.Cares("delays, layoffs", true))
	for name, c := range map[string]struct{ text, verdict, touches string }{
		"a concern that arises":      {"There will be delays.", "negative", "delays"},
		"a concern that ends":        {"The plan avoids layoffs.", "positive", "layoffs"},
		"an interest that arises":    {"The fund pays steady dividends.", "positive", "steady dividends"},
		"an interest that ends":      {"The fund cuts its steady dividends.", "negative", "steady dividends"},
		"an unrelated clause":        {"The fund pays steady dividends to all of those who were there when it began, and a dog was lost.", "positive", "steady dividends"},
		"another form of the word":   {"One delay follows the other.", "negative", "delays"},
		"a concern that grows":       {"The layoffs grow worse.", "negative", "layoffs"},
		"both sides of a contrast":   {"There will be delays, but the fund pays steady dividends.", "mixed", "delays"},
		"a concern in synonyms":      {"A hundred employees will be dismissed.", "negative", "layoffs"},
		"no concern or interest":     {"The harbour has nine berths.", "neutral", ""},
		"a question":                 {"Will there be delays, or steady dividends?", "neutral", ""},
		"good and bad in one clause": {"There will be delays for all who take their steady dividends in cash.", "mixed", "delays"},
		"a heading":                  {"# On delays and layoffs\n\nThe harbour has nine berths.", "neutral", ""},
		"no text":                    {"", "neutral", ""},
	} {
		o := text.NewStudy("", c.text).Opinion(cares)
		about := ""
		for _, p := range append(o.Likes, o.Dislikes...) {
			about = p.About
		}
		if o.Verdict() != c.verdict || about != c.touches {
			t.Errorf("%s: %s about %q, want %s about %q", name, o.Verdict(), about, c.verdict, c.touches)
		}
		if o.Score < -1 || o.Score > 1 {
			t.Errorf("%s: the score is %f", name, o.Score)
		}
	}
}
