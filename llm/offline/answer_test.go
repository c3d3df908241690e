package offline_test

import (
	"slices"
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
		"What is the capital of Mongolia?":           "No passage found",
		"How many turbines does Tidewall have?":      "Tidewall has six turbines.",
		"When will Tidewall pay a dividend?":         "No passage found",
		"When does Saltmarsh break even?":            "The company expects to break even in the final quarter.",
		"When does Marlow break even?":               "No passage found",
		"What is new at Saltmarsh in 2026?":          "No passage found",
		"What is missing for the third barrage?":     "want of capital for the third barrage",
		"How is the weather in Oslo in the morning?": "No passage found",
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

// TestReply_shows_the_nearest_passages checks that a question without an answer by its words gets no
// denial: it names only words that no text and no title has, and shows what comes nearest.
func TestReply_shows_the_nearest_passages(t *testing.T) {
	recall := offline.Source{Title: "Recall of Brightwell heaters",
		Text: "| Batch number | Action |\n|---|---|\n| BW-4410 | Full refunds |\n\nCustomers return the heater to a shop."}
	german := offline.Source{Title: "Rückruf", Text: "Die Kunden bringen das Heizgerät in den Laden zurück und bekommen ihr Geld."}
	for _, c := range []struct {
		question   string
		source     offline.Source
		want, lack string
	}{
		{"Which batch numbers are recalled?", recall, "Batch number", "No passage"},
		{"Will the firm apologise for the heaters?", recall, "words: firm, apologise.\nThe nearest passages:\n- “Customers return the heater", "says anything"},
		{"Who pays the lawyers?", recall, "No passage found with these words: pays, lawyers.", "nearest"},
		{"Wer bezahlt die Anwälte der Kunden?", german, "words: bezahlt, Anwälte.\nThe nearest passages:\n- “Die Kunden", "Wer,"},
		{"Who pays the lawyers?", german, "another language than the question", "No passage"},
		{"Are refunds a shop action for customers?", recall, "No passage found with most of these words together: refunds, shop, action, customers.\nThe nearest", "these words: refunds"},
	} {
		answer, _, err := offline.Reply{Kind: model.InteractionTypeConversation, Question: c.question,
			Sources: []offline.Source{c.source}}.Answer(t.Context())
		if said := answer.(string); err != nil || !strings.Contains(said, c.want) || strings.Contains(said, c.lack) {
			t.Errorf("%s: %v, %v", c.question, answer, err)
		}
	}
}

// TestReaction checks the passages of an extract, and that it denies nothing that the text has
// anywhere or in another language.
func TestReaction(t *testing.T) {
	const page = "# Recall\n\n| Batch numbers | Refunds |\n|---|---|\n| BW-4410 | in full |\n\nThe plant closes in June. Pay stays as it is. Will pay rise? ~~Bonuses are paid.~~"
	for _, c := range []struct {
		persona, language string
		quotes            []string
		want, lack        string
	}{
		{"fair pay, pollution", "en", []string{"Pay stays as it is."}, "No passage found with these words: pollution.", "fair pay;"},
		{"batch numbers, refunds", "en", []string{"| Batch numbers | Refunds |"}, "With words like “batch numbers”", "No passage"},
		{"bonuses", "en", nil, "No passage found with these words: bonuses.", "mention"},
		{"Umweltschutz", "de", nil, "in another language than the text", "No passage"},
		{"pay, Umweltschutz", "de", []string{"Pay stays as it is."}, "With words like “pay”", "Umweltschutz"},
		{"", "en", nil, "No passage found with words of the persona's interests", "mention"},
	} {
		answer, _, err := offline.Reaction{Study: offline.NewStudy("", page),
			Concerns: offline.Concerns(c.persona, c.language)}.Answer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := answer.(offline.ReactionAnswer)
		if !slices.Equal(got.Quotes, c.quotes) && len(got.Quotes)+len(c.quotes) > 0 || !strings.Contains(got.Text, c.want) ||
			strings.Contains(got.Text, c.lack) || len(got.Risks)+len(got.Actions) > 0 {
			t.Errorf("%q: %+v", c.persona, got)
		}
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
