package model

import (
	"slices"
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
	ModelCallPrefix   = "mcl"
	UserPrefix        = "usr"
	MemberPrefix      = "mbr"
	InvitePrefix      = "inv"
	SignInPrefix      = "sgn"
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
	DraftTextPrefix   = "dvr" // a version of a draft's text
	StateChangePrefix = "dsc" // a change of a draft's state
	CommentPrefix     = "dco" // a comment on a draft
	TextPrefix        = "txt" // an earlier text of a document
	PriorityPrefix    = "ptp"
	ReactionPrefix    = "rea"
	GroupPrefix       = "grp"
	SummaryPrefix     = "sum"
	SignalPrefix      = "sig"
	InsightPrefix     = "ins"
	CompanyPrefix     = "cmp"
	ExecutivePrefix   = "exe"
	MailPrefix        = "mai"
	BulkChangePrefix  = "blk" // a document of a bulk update
	FilterPrefix      = "flt" // a comms filter; the rest of its id is that of its auto-tag
	SourcePrefix      = "src" // a feed or sitemap that is polled
	SavedSearchPrefix = "sea"
	HouseRulePrefix   = "hru"
	AppVersionPrefix  = "apv" // a version of a front end
	OperationPrefix   = "opr" // an operation of a version of a front end
	VoicePrefix       = "voc" // an executive's voice; the rest of its id is that of its persona
)

// IsAmong reports whether a version is one of those that a change requires; nil and "*" allow any.
func IsAmong(version string, required []string) bool {
	return required == nil || slices.Contains(required, version) || slices.Contains(required, "*")
}

// NewID returns a typed id that sorts by creation time, such as doc_01jd….
func NewID(prefix string) string { return prefix + "_" + strings.ToLower(ulid.Make().String()) }

// Now returns the current UTC time with microseconds, the precision of both databases.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Node is a type that node(id:) returns.
type Node interface{ IsNode() }
