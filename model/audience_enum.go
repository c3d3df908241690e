package model

// ReactionStatus is the outcome of a reaction.
type ReactionStatus string

// The values of ReactionStatus.
const (
	ReactionStatusCompleted ReactionStatus = "completed"
	ReactionStatusFailed    ReactionStatus = "failed"
)

// ReactionSentiment is the sentiment of a reaction.
type ReactionSentiment string

// The values of ReactionSentiment.
const (
	ReactionSentimentPositive ReactionSentiment = "positive"
	ReactionSentimentNeutral  ReactionSentiment = "neutral"
	ReactionSentimentNegative ReactionSentiment = "negative"
	ReactionSentimentMixed    ReactionSentiment = "mixed"
)

// ReactionBasis is what a reaction is based on.
type ReactionBasis string

// The values of ReactionBasis.
const (
	ReactionBasisModel   ReactionBasis = "model"
	ReactionBasisExtract ReactionBasis = "extract"
)

// CoverageVerdict is a verdict on whether a text makes a point.
type CoverageVerdict string

// The values of CoverageVerdict.
const (
	CoverageVerdictCovered      CoverageVerdict = "covered"
	CoverageVerdictPartly       CoverageVerdict = "partly"
	CoverageVerdictContradicted CoverageVerdict = "contradicted"
	CoverageVerdictAbsent       CoverageVerdict = "absent"
	CoverageVerdictUnknown      CoverageVerdict = "unknown"
)

// The bounds of ratings that are positive and negative.
const (
	PositiveFrom = 3.5
	NegativeUpTo = 2.5
)

// SentimentOf returns the sentiment of a rating without regard to its reasons.
func SentimentOf(rating float64) ReactionSentiment {
	switch {
	case rating >= PositiveFrom:
		return ReactionSentimentPositive
	case rating <= NegativeUpTo:
		return ReactionSentimentNegative
	}
	return ReactionSentimentNeutral
}

// NarrativeVerdict is a persona's verdict on a tested text, derived from its reaction's rating.
type NarrativeVerdict string

// The values of NarrativeVerdict.
const (
	NarrativeVerdictResonates NarrativeVerdict = "resonates"
	NarrativeVerdictMixed     NarrativeVerdict = "mixed"
	NarrativeVerdictMisses    NarrativeVerdict = "misses"
	NarrativeVerdictUnrated   NarrativeVerdict = "unrated" // the reaction has no rating
	NarrativeVerdictFailed    NarrativeVerdict = "failed"  // no reaction was made
)

// Grade is the letter of an audience summary's score.
type Grade string

// The values of Grade.
const (
	GradeA Grade = "A"
	GradeB Grade = "B"
	GradeC Grade = "C"
	GradeD Grade = "D"
	GradeF Grade = "F"
)

// GradeTrend is the direction in which a grade changes.
type GradeTrend string

// The values of GradeTrend.
const (
	GradeTrendUp   GradeTrend = "up"
	GradeTrendDown GradeTrend = "down"
	GradeTrendFlat GradeTrend = "flat"
)
