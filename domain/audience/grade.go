package audience

import (
	"math"

	"rostrum/model"
)

// Minimum score of each grade; the schema documents the formula of AudienceSummary.grade.
var grades = []struct {
	least  float64
	letter model.Grade
}{{80, model.GradeA}, {65, model.GradeB}, {50, model.GradeC}, {35, model.GradeD}, {0, model.GradeF}}

// half is the weight of a reaction that is neither positive nor negative. flat is the largest
// change of score that is no trend.
const (
	half = 0.5
	flat = 2.0
)

// reactionsIn returns the number of completed reactions.
func reactionsIn(c model.StatusCounts) int { return c.Positive + c.Neutral + c.Negative + c.Mixed }

// scoreOf returns the score of the counts, or nil without reactions.
func scoreOf(c model.StatusCounts) *float64 {
	n := reactionsIn(c)
	if n == 0 {
		return nil
	}
	score := math.Round(1000*(float64(c.Positive)+half*float64(c.Neutral+c.Mixed))/float64(n)) / 10
	return &score
}

// gradeOf returns the letter of a score.
func gradeOf(score *float64) *model.Grade {
	if score == nil {
		return nil
	}
	for _, g := range grades {
		if *score >= g.least {
			return &g.letter
		}
	}
	return nil
}

// trendOf returns the change of score since the previous summary, or nil if either has no score.
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

// overallSentiment returns the sentiment of the counts, or nil without reactions.
func overallSentiment(c model.StatusCounts) *model.ReactionSentiment {
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
