package offline_test

import (
	"strings"
	"testing"

	"rostrum/errs"
	"rostrum/llm/offline"
	"rostrum/model"
)

// TestReply checks that a question is answered with passages that have its names, or not at all.
func TestReply(t *testing.T) {
	sources := []offline.Source{{"Annual report", "Tidewall has six turbines. It will break even next year. There is a want of capital for the third barrage. Nobody came."},
		{"Half-year report of Saltmarsh 2026", "The company expects to break even in the final quarter. Its revenue rose."}}
	for question, want := range map[string]string{
		"What is the capital of Mongolia?":           "No document",
		"How many turbines does Tidewall have?":      "Tidewall has six turbines.",
		"When will Tidewall pay a dividend?":         "No document",
		"When does Saltmarsh break even?":            "The company expects to break even in the final quarter.",
		"When does Marlow break even?":               "No document",
		"What is new at Saltmarsh in 2026?":          "No document",
		"What is missing for the third barrage?":     "want of capital for the third barrage",
		"How is the weather in Oslo in the morning?": "No document",
	} {
		answer, _, err := offline.Reply{Kind: model.InteractionTypeConversation, Question: question,
			Sources: sources}.Answer(t.Context())
		if err != nil || !strings.Contains(answer.(string), want) {
			t.Errorf("%s: %v, %v", question, answer, err)
		}
	}
	_, _, err := offline.Reply{Kind: model.InteractionTypeSimulation,
		Question: "What would you do?"}.Answer(t.Context())
	if !errs.Is(err, errs.EngineRequired) {
		t.Errorf("a simulation without a model returns %v", err)
	}
}

// TestReply_names_ignored_options checks that the warning has each option that the engine ignores.
func TestReply_names_ignored_options(t *testing.T) {
	_, warnings, err := offline.Reply{
		Kind: model.InteractionTypeCommunication, Material: "Wages rise.", Question: "Wages rise.",
		Options: []string{"tone", "response_language"}, FollowUps: true,
	}.Answer(t.Context())
	if got := strings.Join(warnings, "; "); err != nil ||
		got != "ignored without a text model: tone, response_language, enable_follow_up_questions" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestStudy checks when words decide whether a concern improves.
func TestStudy(t *testing.T) {
	for _, c := range []struct {
		said, interests, concerns string
		rating                    float64
	}{
		{"The board expects to raise the dividend in spring.", "dividends", "", 4},
		{"The depots will lower wages by six percent.", "wages", "", 2},
		{"There will be fewer layoffs in spring.", "", "layoffs", 4},
		{"Fuel tax rises in May.", "", "fuel tax", 2},
		{"The firm does not raise the dividend.", "dividends", "", 2},
		{"Will the board raise the dividend?", "dividends", "", 3},
		{"The board may raise the dividend.", "dividends", "", 3},
		{"“We raise the dividend”, said the chair.", "dividends", "", 3},
		{"The plant welcomes its new director.", "secure jobs", "closures", 3},
		{"The firm will raise the tax on dividends.", "dividends", "", 3},
		{"They raise the dividend. They cut wages.", "dividends, wages", "", 3},
		{"The lower costs help.", "lower costs", "", 4},
	} {
		found := offline.NewStudy("", c.said).Read(append(offline.Concerns(c.interests, 1),
			offline.Concerns(c.concerns, -1)...))
		if rating, confidence := found.Rating(); rating != c.rating || (confidence == 0) != (rating == 3) {
			t.Errorf("%s: %g (%g), want %g: %+v", c.said, rating, confidence, c.rating, found.Passages)
		}
	}
}

// TestReaction checks the passages and the gaps of an extract.
func TestReaction(t *testing.T) {
	study := offline.NewStudy("", "The plant closes in June. Pay stays as it is.")
	answer, _, err := offline.Reaction{Study: study,
		Concerns: append(offline.Concerns("fair pay", 1), offline.Concerns("pollution", -1)...)}.Answer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := answer.(offline.ReactionAnswer)
	if len(got.Quotes) != 1 || got.Quotes[0] != "Pay stays as it is." ||
		!strings.Contains(got.Text, "It does not mention: pollution.") {
		t.Errorf("%+v", got)
	}
}

// TestOutline checks that types of content have their own headings, and that a request is never
// copied as text.
func TestOutline(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range []string{"press_release", "speech", "memo", "email", "faq", "blog", "linkedin_post"} {
		answer, warnings, err := offline.Outline{Kind: []string{kind}, Prompt: "Quote Dana Whitlock.",
			Sources: []offline.Source{
				{Title: "Report", Text: "The tram opens in May. It cost 40 million. “It is quiet”, says Ann Bo."},
			}}.Answer(t.Context())
		if err != nil || len(warnings) != 1 {
			t.Fatal(warnings, err)
		}
		var headings string
		for line := range strings.Lines(answer.(string)) {
			if strings.HasPrefix(line, "## ") {
				headings += line
			}
			if strings.Contains(line, "Dana Whitlock") && !strings.HasPrefix(line, "> Brief: ") &&
				!strings.HasPrefix(line, "# ") {
				t.Errorf("%s has the request as text: %s", kind, line)
			}
		}
		if seen[headings] || strings.Count(headings, "\n") < 4 {
			t.Errorf("%s has the headings %q", kind, headings)
		}
		seen[headings] = true
	}
}

// TestRewriting checks that facts are kept, and that requests other than shorter and simpler are
// named.
func TestRewriting(t *testing.T) {
	answer, warnings, err := offline.Rewriting{Parts: []offline.RewritePart{
		{Text: "Moreover, we leverage 40 vans; they are robust.",
			Actions: []string{"Make it simpler", "Make it funny"}},
	}}.Answer(t.Context())
	if got := answer.(offline.Wordings).Parts[0].Text; err != nil || got != "We use 40 vans. They are strong." {
		t.Errorf("%q, %v", got, err)
	}
	if got := strings.Join(warnings, "; "); !strings.Contains(got, "Make it funny") ||
		strings.Contains(got, "simpler") {
		t.Errorf("%q", got)
	}
}
