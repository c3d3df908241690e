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

// averageOf returns the mean of ratings to one decimal; nil without any.
func averageOf(ratings []float64) *float64 {
	if len(ratings) == 0 {
		return nil
	}
	sum := 0.0
	for _, rating := range ratings {
		sum += rating
	}
	return new(roundTenths(sum / float64(len(ratings))))
}

// half is the weight of a reaction that is neither positive nor negative. flat is the largest
// change of score that is no trend.
const (
	half = 0.5
	flat = 2.0
)

// scoreOf returns the score of the counts, or nil below a number of opinions.
func scoreOf(c model.StatusCounts, fewest int) *float64 {
	n := c.Opinions()
	if n < fewest {
		return nil
	}
	score := math.Round(1000*(float64(c.Positive)+half*float64(c.Neutral+c.Mixed))/float64(n)) / 10
	return &score
}

// gradeOf returns the letter of a score; nil without one.
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

// overallSentiment returns the sentiment of the counts, or nil without opinions.
func overallSentiment(c model.StatusCounts) *model.ReactionSentiment {
	score := scoreOf(c, 1)
	if score == nil {
		return nil
	}
	sentiment := model.ReactionSentimentNeutral
	switch {
	case *score >= 65:
		sentiment = model.ReactionSentimentPositive
	case *score <= 35:
		sentiment = model.ReactionSentimentNegative
	case 3*(c.Positive+c.Negative+c.Mixed) >= c.Opinions():
		sentiment = model.ReactionSentimentMixed
	}
	return &sentiment
}
