package model

import (
	"context"
	"io"
)

// ReactionStatus says what came of a reaction.
type ReactionStatus string

// The values of ReactionStatus.
const (
	ReactionStatusCompleted ReactionStatus = "completed"
	ReactionStatusFailed    ReactionStatus = "failed"
)

// ReactionSentiment is how a text was taken, in a word.
type ReactionSentiment string

// The values of ReactionSentiment.
const (
	ReactionSentimentPositive ReactionSentiment = "positive"
	ReactionSentimentNeutral  ReactionSentiment = "neutral"
	ReactionSentimentNegative ReactionSentiment = "negative"
	ReactionSentimentMixed    ReactionSentiment = "mixed"
)

// GradeTrend is where a grade goes.
type GradeTrend string

// The values of GradeTrend.
const (
	GradeTrendUp   GradeTrend = "up"
	GradeTrendDown GradeTrend = "down"
	GradeTrendFlat GradeTrend = "flat"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ReactionStatus) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ReactionStatus) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ReactionStatus(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ReactionSentiment) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ReactionSentiment) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ReactionSentiment(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v GradeTrend) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *GradeTrend) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = GradeTrend(s)
	return err
}
