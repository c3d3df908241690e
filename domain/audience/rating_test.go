package audience

import (
	"testing"

	"rostrum/llm/offline"
	"rostrum/model"
)

// TestRateReaction checks the rating and sentiment of a text.
func TestRateReaction(t *testing.T) {
	for name, c := range map[string]struct {
		text      string
		from, to  float64
		sentiment model.ReactionSentiment
	}{
		"embraced": {"I am fully behind this. It helps us.", 4.5, 5, model.ReactionSentimentPositive},
		"rejected": {"I firmly reject this. It is a betrayal.", 1, 1.5, model.ReactionSentimentNegative},
		"denied":   {"I do not support this.", 1.5, 2.5, model.ReactionSentimentNegative},
		"quotation is ignored": {"I oppose this, whatever “a wonderful success that I fully support” they call it.",
			1, 2, model.ReactionSentimentNegative},
		"both": {"I am in two minds about this. I welcome the pay. I fear the noise.", 2.6, 3.4,
			model.ReactionSentimentMixed},
		"undecided":               {"I am in two minds about this.", 3, 3, model.ReactionSentimentNeutral},
		"feeling alone":           {"What a wonderful day.", 3.5, 4, model.ReactionSentimentPositive},
		"another language":        {"Das ist eine große Enttäuschung für die Stadt und ihre Menschen, und die Kunden sind wütend.", 2, 2.9, model.ReactionSentimentNegative},
		"the first counts":        {"I welcome this. It worries me.", 3.5, 4.5, model.ReactionSentimentPositive},
		"curly and bare n't":      {"I don’t support this.", 1.5, 2.5, model.ReactionSentimentNegative},
		"longer phrases win":      {"This does not win me over.", 1.5, 2.4, model.ReactionSentimentNegative},
		"contraction of a letter": {"I'm against this.", 1, 2, model.ReactionSentimentNegative},
	} {
		t.Run(name, func(t *testing.T) {
			rating, sentiment, ok := rateReaction(c.text)
			if !ok || rating < c.from || rating > c.to || sentiment != c.sentiment {
				t.Errorf("%g and %s, want %g to %g and %s", rating, sentiment, c.from, c.to, c.sentiment)
			}
			if again, _, _ := rateReaction(c.text); again != rating {
				t.Errorf("a second call returns %g", again)
			}
		})
	}
}

// TestRateReaction_without_a_stand checks that silence is no rating.
func TestRateReaction_without_a_stand(t *testing.T) {
	for _, said := range []string{"The office opens at nine.", "", "“I fully support this”, it says."} {
		if rating, sentiment, ok := rateReaction(said); ok {
			t.Errorf("%q is rated %g and %s", said, rating, sentiment)
		}
	}
}

// TestVerifyQuotes checks that every returned quote is in the text at its offsets.
func TestVerifyQuotes(t *testing.T) {
	const content = "Ünïcode first. The  “barrage” opens in May.\nIt is loud."
	got := verifyQuotes(content, []string{"The \"barrage\" opens in may.", "It is quiet.", "", "barrage", "It is loud.",
		"IT IS LOUD."})
	if len(got) != 2 {
		t.Fatalf("%d quotes are returned, want 2", len(got))
	}
	for _, q := range got {
		if cut := string([]rune(content)[q.Start:q.End]); cut != q.Text {
			t.Errorf("the offsets select %q, want %q", cut, q.Text)
		}
	}
}

// FuzzReaction checks that an extract of any text has a text, no rating, and quotes from the text.
func FuzzReaction(f *testing.F) {
	f.Add("Wages fall. “Good”, they say.", "fair pay", "layoffs")
	f.Add("", "", "")
	f.Add("a\xff. ; but B", "…", "no")
	f.Fuzz(func(t *testing.T, content, interests, concerns string) {
		of := &subject{Content: content}
		r := personaReading{subject: of, Reader: &reader{Persona: &model.Persona{},
			cares: append(offline.Concerns(interests, "en"), offline.Concerns(concerns, "en")...)}}
		r.study = offline.NewStudy(of.Title, of.Read())
		answer, _, err := r.offlineReaction().Answer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		reaction := answer.(offline.ReactionAnswer)
		made := &model.Reaction{Text: reaction.Text, Model: offline.Model}
		if r.rate(made); reaction.Text == "" || made.Rating != nil || made.Sentiment != nil {
			t.Fatalf("%q is rated %v", reaction.Text, made.Rating)
		}
		for _, q := range verifyQuotes(content, reaction.Quotes) {
			if string([]rune(content)[q.Start:q.End]) != q.Text {
				t.Fatalf("%q is not at %d", q.Text, q.Start)
			}
		}
	})
}

// TestGrade checks the published formula.
func TestGrade(t *testing.T) {
	for name, c := range map[string]struct {
		counts model.StatusCounts
		grade  model.Grade
		mood   model.ReactionSentiment
	}{
		"all for":     {model.StatusCounts{Positive: 5}, "A", model.ReactionSentimentPositive},
		"four fifths": {model.StatusCounts{Positive: 4, Negative: 1}, "A", model.ReactionSentimentPositive},
		"just below":  {model.StatusCounts{Positive: 79, Negative: 21}, "B", model.ReactionSentimentPositive},
		"half":        {model.StatusCounts{Positive: 3, Negative: 3}, "C", model.ReactionSentimentMixed},
		"neither":     {model.StatusCounts{Neutral: 5, Unrated: 7, Failed: 5, Pending: 9}, "C", model.ReactionSentimentNeutral},
		"mostly no":   {model.StatusCounts{Positive: 2, Negative: 3}, "D", model.ReactionSentimentMixed},
		"all against": {model.StatusCounts{Negative: 5}, "F", model.ReactionSentimentNegative},
	} {
		t.Run(name, func(t *testing.T) {
			if got := gradeOf(scoreOf(c.counts, model.FewestOpinions)); got == nil || *got != c.grade ||
				*overallSentiment(c.counts) != c.mood {
				t.Errorf("%v and %v, want %s and %s", *got, *overallSentiment(c.counts), c.grade, c.mood)
			}
		})
	}
	for _, counts := range []model.StatusCounts{{Failed: 1, Pending: 2}, {Unrated: 40}, {Positive: 4, Unrated: 40}} {
		if gradeOf(scoreOf(counts, model.FewestOpinions)) != nil {
			t.Errorf("%+v has a grade", counts)
		}
	}
	if overallSentiment(model.StatusCounts{Unrated: 40}) != nil {
		t.Error("an audience without opinions has a sentiment")
	}
	score := func(f float64) *float64 { return &f }
	for change, want := range map[float64]model.GradeTrend{-3: model.GradeTrendDown, -2: model.GradeTrendFlat,
		2: model.GradeTrendFlat, 3: model.GradeTrendUp} {
		if got := trendOf(&model.AudienceSummary{GradeScore: score(50)}, score(50+change)); got == nil || *got != want {
			t.Errorf("%g is %v, want %s", change, got, want)
		}
	}
	if trendOf(nil, score(1)) != nil || trendOf(&model.AudienceSummary{}, score(1)) != nil {
		t.Error("there is a trend without a previous score")
	}
}
