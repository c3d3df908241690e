package persona

import (
	"testing"

	"rostrum/model"
)

// polar is a text that pleases one persona with what it tells the other to fear.
const polar = `Tidewall will build a second gas plant at the harbour. The plant creates four hundred jobs and lifts local growth.
Emissions will rise by a third, and the wetland behind the harbour will be drained. Investment in the region grows for ten years.
Residents fear worse air pollution. The company says profits will improve.`

var (
	builder = &model.Persona{Name: "Harbour Builders", Interests: "jobs, growth, investment, profits", Concerns: "regulation, strikes"}
	warden  = &model.Persona{Name: "Wetland Wardens", Interests: "clean air, nature reserves", Concerns: "emissions, air pollution, drained wetland, gas plant"}
)

// margin is how far apart two opposite personas must be on the polar text, of the two that there are between the best and the worst opinion.
const margin = 1.0

func TestOpposite_personas_differ(t *testing.T) {
	pro, against := opine(caresOf(builder, nil), polar), opine(caresOf(warden, nil), polar)
	if pro.verdict() != "positive" || against.verdict() != "negative" || pro.score-against.score < margin {
		t.Errorf("the builders think %s (%.2f), the wardens %s (%.2f)", pro.verdict(), pro.score, against.verdict(), against.score)
	}
}

func TestOpinion(t *testing.T) {
	cares := caresOf(&model.Persona{Interests: "steady dividends", Concerns: "delays, layoffs"}, nil)
	for name, c := range map[string]struct{ text, verdict, touches string }{
		"a worry that comes":          {"There will be delays.", "negative", "delays"},
		"a worry that goes":           {"The plan avoids layoffs.", "positive", "layoffs"},
		"an interest that comes":      {"The fund pays steady dividends.", "positive", "steady dividends"},
		"an interest that goes":       {"The fund cuts its steady dividends.", "negative", "steady dividends"},
		"a turn of something else":    {"The fund pays steady dividends to all of those who were there when it began, and a dog was lost.", "positive", "steady dividends"},
		"another form of the word":    {"One delay follows the other.", "negative", "delays"},
		"both sides of a turn":        {"There will be delays, but the fund pays steady dividends.", "mixed", "delays"},
		"nothing that it cares about": {"The harbour has nine berths.", "neutral", ""},
		"a question":                  {"Will there be delays, or steady dividends?", "neutral", ""},
		"good and bad in one clause":  {"There will be delays for all who take their steady dividends in cash.", "mixed", "delays"},
		"a heading":                   {"# On delays and layoffs\n\nThe harbour has nine berths.", "neutral", ""},
		"no text":                     {"", "neutral", ""},
	} {
		o := opine(cares, c.text)
		about := ""
		for _, p := range append(o.likes, o.dislikes...) {
			about = p.about
		}
		if o.verdict() != c.verdict || about != c.touches {
			t.Errorf("%s: %s about %q, want %s about %q", name, o.verdict(), about, c.verdict, c.touches)
		}
		if o.score < -1 || o.score > 1 {
			t.Errorf("%s: the score is %f", name, o.score)
		}
	}
}

func TestOpinion_minds_what_was_learned(t *testing.T) {
	p := &model.Persona{Name: "P", Interests: "jobs"}
	learned := []*model.PersonaRefinement{{Instruction: "Look at the price of water."}}
	before := opine(caresOf(p, nil), "The price of water doubles.")
	after := opine(caresOf(p, learned), "The price of water doubles.")
	if len(before.dislikes) != 0 || len(after.dislikes) != 1 {
		t.Errorf("before it minds %v, after %v", before.dislikes, after.dislikes)
	}
}
