package model

// EntityKind is the kind of entity that a persona represents.
type EntityKind string

// The values of EntityKind.
const (
	EntityKindPerson       EntityKind = "person"
	EntityKindOrganization EntityKind = "organization"
	EntityKindSegment      EntityKind = "segment"
)

// VoiceVisibility restricts the use of a persona's voice.
type VoiceVisibility string

// The values of VoiceVisibility.
const (
	VoiceVisibilityWorkspace VoiceVisibility = "workspace"
	VoiceVisibilityPrivate   VoiceVisibility = "private"
)

// FeedbackType is the direction of feedback: positive or negative.
type FeedbackType string

// The values of FeedbackType.
const (
	FeedbackTypePositive FeedbackType = "positive"
	FeedbackTypeNegative FeedbackType = "negative"
)

// PersonaHealthStatus is the verdict of a persona's probes.
type PersonaHealthStatus string

// The values of PersonaHealthStatus.
const (
	PersonaHealthStatusUnmeasured PersonaHealthStatus = "unmeasured"
	PersonaHealthStatusHealthy    PersonaHealthStatus = "healthy"
	PersonaHealthStatusFlagged    PersonaHealthStatus = "flagged"
)

// PersonaHealthFlag is a problem that a persona's probes show.
type PersonaHealthFlag string

// The values of PersonaHealthFlag.
const (
	PersonaHealthFlagFlat           PersonaHealthFlag = "flat"            // one opinion of everything
	PersonaHealthFlagAlwaysPositive PersonaHealthFlag = "always_positive" // no opinion is negative
	PersonaHealthFlagOffTopic       PersonaHealthFlag = "off_topic"       // replies are not about its interests
	PersonaHealthFlagInconsistent   PersonaHealthFlag = "inconsistent"    // repeated probes have different replies
	PersonaHealthFlagUngrounded     PersonaHealthFlag = "ungrounded"      // its statements have no passages any more
)

// PersonaMatch is how a request named a persona.
type PersonaMatch string

// The values of PersonaMatch.
const (
	PersonaMatchID   PersonaMatch = "id"
	PersonaMatchName PersonaMatch = "name"
)

// PassageReason is why a passage is part of a reply's context, or is left out.
type PassageReason string

// The values of PassageReason.
const (
	PassageReasonDocument   PassageReason = "document"    // the request names its document
	PassageReasonFits       PassageReason = "fits"        // it is about the question
	PassageReasonOverBudget PassageReason = "over_budget" // the token budget of the context is used up
	PassageReasonOffTopic   PassageReason = "off_topic"   // it is not about the question
)

// InteractionType is the kind of a question to a persona.
type InteractionType string

// The values of InteractionType.
const (
	InteractionTypeCommunication InteractionType = "communication"
	InteractionTypeConversation  InteractionType = "conversation"
	InteractionTypeAnalysis      InteractionType = "analysis"
	InteractionTypeSimulation    InteractionType = "simulation"
)

// InteractEventKind is the kind of an event in a streamed reply.
type InteractEventKind string

// The values of InteractEventKind.
const (
	InteractEventKindDelta  InteractEventKind = "delta"
	InteractEventKindDone   InteractEventKind = "done"
	InteractEventKindFailed InteractEventKind = "failed"
)

// ContentLength is the desired length of a text.
type ContentLength string

// The values of ContentLength.
const (
	ContentLengthShort  ContentLength = "short"
	ContentLengthMedium ContentLength = "medium"
	ContentLengthLong   ContentLength = "long"
)
