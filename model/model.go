// Package model holds the nouns as bun rows, which are also the graph's types; the graph alone decides what leaves.
package model

import (
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// The prefixes of typed ids.
const (
	WorkspacePrefix   = "wsp"
	KeyPrefix         = "key"
	DocumentPrefix    = "doc"
	AutoTagPrefix     = "atg"
	AppliedPrefix     = "apl"
	JobPrefix         = "job"
	ReservationPrefix = "run"
	UserPrefix        = "usr"
	AuditPrefix       = "aud"
	EventPrefix       = "evt"
	LinkPrefix        = "lnk"
	VariantPrefix     = "var"
	ViewerPrefix      = "vis" // a viewer session of a link
	ConversionPrefix  = "cnv"
	SubmissionPrefix  = "sub"
	WebhookPrefix     = "whk"
	DeliveryPrefix    = "dlv"
	ReviewPrefix      = "rvw"
	ExamplePrefix     = "exm"
	PersonaPrefix     = "per"
	FeedbackPrefix    = "fbk"
	RefinementPrefix  = "ref"
	InteractionPrefix = "int"
	SessionPrefix     = "ses"
	DraftPrefix       = "drf"
	VersionPrefix     = "ver"
	PriorityPrefix    = "ptp"
	ReactionPrefix    = "rea"
	GroupPrefix       = "grp"
	SummaryPrefix     = "sum"
	SignalPrefix      = "sig"
	InsightPrefix     = "ins"
)

// NewID makes a typed id that sorts by the time it was made, such as doc_01jd….
func NewID(prefix string) string { return prefix + "_" + strings.ToLower(ulid.Make().String()) }

// Now is the present in UTC at the microsecond, the precision that both databases keep.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Node is anything that node(id:) finds.
type Node interface{ IsNode() }
