package model

// Stance is the position of a statement on its theme.
type Stance string

// The values of Stance.
const (
	StancePositive Stance = "positive"
	StanceNeutral  Stance = "neutral"
	StanceNegative Stance = "negative"
	StanceMixed    Stance = "mixed"
)

// SpeakerCertainty is how well a text shows the speaker of a statement.
type SpeakerCertainty string

// The values of SpeakerCertainty.
const (
	SpeakerCertaintyProved   SpeakerCertainty = "proved"
	SpeakerCertaintyProbable SpeakerCertainty = "probable"
)

// SpeakerProof is how a text proves the speaker of a statement.
type SpeakerProof string

// The values of SpeakerProof.
const (
	SpeakerProofLabel       SpeakerProof = "label"
	SpeakerProofQuotation   SpeakerProof = "quotation"
	SpeakerProofReport      SpeakerProof = "report"
	SpeakerProofFirstPerson SpeakerProof = "first_person"
	SpeakerProofInterview   SpeakerProof = "interview"
)

// ComparisonType is the kind of subjects that a comparison compares.
type ComparisonType string

// The values of ComparisonType.
const (
	ComparisonTypeExecutive ComparisonType = "executive"
	ComparisonTypeCompany   ComparisonType = "company"
)

// AutoVoiceStatus is the state of the automatic voice of the chief executive.
type AutoVoiceStatus string

// The values of AutoVoiceStatus.
const (
	AutoVoiceStatusPending  AutoVoiceStatus = "pending"
	AutoVoiceStatusUnknown  AutoVoiceStatus = "unknown"
	AutoVoiceStatusReady    AutoVoiceStatus = "ready"
	AutoVoiceStatusDisabled AutoVoiceStatus = "disabled"
	AutoVoiceStatusRemoved  AutoVoiceStatus = "removed"
)
