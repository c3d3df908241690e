package model

import (
	"context"
	"io"
)

// Stance is how a statement stands to its theme.
type Stance string

// The values of Stance.
const (
	StancePositive Stance = "positive"
	StanceNeutral  Stance = "neutral"
	StanceNegative Stance = "negative"
	StanceMixed    Stance = "mixed"
)

// ComparisonType is what a comparison holds beside one another.
type ComparisonType string

// The values of ComparisonType.
const (
	ComparisonTypeExecutive ComparisonType = "executive"
	ComparisonTypeCompany   ComparisonType = "company"
)

// AutoVoiceStatus is where the automatic chief-executive voice stands.
type AutoVoiceStatus string

// The values of AutoVoiceStatus.
const (
	AutoVoiceStatusPending  AutoVoiceStatus = "pending"
	AutoVoiceStatusUnknown  AutoVoiceStatus = "unknown"
	AutoVoiceStatusReady    AutoVoiceStatus = "ready"
	AutoVoiceStatusDisabled AutoVoiceStatus = "disabled"
	AutoVoiceStatusRemoved  AutoVoiceStatus = "removed"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v Stance) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *Stance) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = Stance(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ComparisonType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ComparisonType) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ComparisonType(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v AutoVoiceStatus) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *AutoVoiceStatus) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = AutoVoiceStatus(s)
	return err
}
