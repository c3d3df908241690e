package model

import (
	"context"
	"io"
)

// EntityKind is what a persona stands for.
type EntityKind string

// The values of EntityKind.
const (
	EntityKindPerson       EntityKind = "person"
	EntityKindOrganization EntityKind = "organization"
	EntityKindSegment      EntityKind = "segment"
)

// VoiceVisibility says who may write in a persona's voice.
type VoiceVisibility string

// The values of VoiceVisibility.
const (
	VoiceVisibilityWorkspace VoiceVisibility = "workspace"
	VoiceVisibilityPrivate   VoiceVisibility = "private"
)

// FeedbackType is whether a note on a persona's answer is good or bad.
type FeedbackType string

// The values of FeedbackType.
const (
	FeedbackTypePositive FeedbackType = "positive"
	FeedbackTypeNegative FeedbackType = "negative"
)

// PersonaHealthStatus is what a persona's probes say of it.
type PersonaHealthStatus string

// The values of PersonaHealthStatus.
const (
	PersonaHealthStatusUnmeasured PersonaHealthStatus = "unmeasured"
	PersonaHealthStatusHealthy    PersonaHealthStatus = "healthy"
	PersonaHealthStatusFlagged    PersonaHealthStatus = "flagged"
)

// InteractionType is what a persona is asked for.
type InteractionType string

// The values of InteractionType.
const (
	InteractionTypeCommunication InteractionType = "communication"
	InteractionTypeConversation  InteractionType = "conversation"
	InteractionTypeAnalysis      InteractionType = "analysis"
	InteractionTypeSimulation    InteractionType = "simulation"
)

// InteractEventKind says what a step of a reply is.
type InteractEventKind string

// The values of InteractEventKind.
const (
	InteractEventKindDelta  InteractEventKind = "delta"
	InteractEventKindDone   InteractEventKind = "done"
	InteractEventKindFailed InteractEventKind = "failed"
)

// ContentLength is how long a text is to be.
type ContentLength string

// The values of ContentLength.
const (
	ContentLengthShort  ContentLength = "short"
	ContentLengthMedium ContentLength = "medium"
	ContentLengthLong   ContentLength = "long"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v EntityKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *EntityKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = EntityKind(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v VoiceVisibility) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *VoiceVisibility) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = VoiceVisibility(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v FeedbackType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *FeedbackType) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = FeedbackType(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v PersonaHealthStatus) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *PersonaHealthStatus) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = PersonaHealthStatus(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v InteractionType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *InteractionType) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = InteractionType(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v InteractEventKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *InteractEventKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = InteractEventKind(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ContentLength) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ContentLength) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ContentLength(s)
	return err
}
