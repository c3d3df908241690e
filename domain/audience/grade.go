package audience

import (
	"math"

	"rostrum/model"
)

// The least score of each grade; the schema tells the formula of AudienceSummary.grade.
var grades = []struct {
	least float64
	name  string
}{{80, "A"}, {65, "B"}, {50, "C"}, {35, "D"}, {0, "F"}}

// half is what a reaction counts that is neither for nor against; flat is how far a score may go and still be said to stay.
const (
	half = 0.5
	flat = 2.0
)

// reactionsIn is how many reactions take a text in some way.
func reactionsIn(c model.StatusCounts) int { return c.Positive + c.Neutral + c.Negative + c.Mixed }

// scoreOf works the score out from the counts; nil without reactions.
func scoreOf(c model.StatusCounts) *float64 {
	n := reactionsIn(c)
	if n == 0 {
		return nil
	}
	score := math.Round(1000*(float64(c.Positive)+half*float64(c.Neutral+c.Mixed))/float64(n)) / 10
	return &score
}

// gradeOf is the letter of a score.
func gradeOf(score *float64) *string {
	if score == nil {
		return nil
	}
	for _, g := range grades {
		if *score >= g.least {
			return &g.name
		}
	}
	return nil
}

// trendOf is where the score went since the summary before; nil where either has none.
func trendOf(before *model.AudienceSummary, score *float64) *model.GradeTrend {
	if before == nil || before.GradeScore == nil || score == nil {
		return nil
	}
	trend := model.GradeTrendFlat
	switch change := *score - *before.GradeScore; {
	case change > flat:
		trend = model.GradeTrendUp
	case change < -flat:
		trend = model.GradeTrendDown
	}
	return &trend
}

// overall is how texts were taken, from the counts; nil without reactions.
func overall(c model.StatusCounts) *model.ReactionSentiment {
	score := scoreOf(c)
	if score == nil {
		return nil
	}
	sentiment := model.ReactionSentimentNeutral
	switch {
	case *score >= 65:
		sentiment = model.ReactionSentimentPositive
	case *score <= 35:
		sentiment = model.ReactionSentimentNegative
	case 3*(c.Positive+c.Negative+c.Mixed) >= reactionsIn(c):
		sentiment = model.ReactionSentimentMixed
	}
	return &sentiment
}
