package graph

import (
	"rostrum/api"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/brand"
	"rostrum/domain/bulk"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/executive"
	"rostrum/domain/house"
	"rostrum/domain/ingest"
	"rostrum/domain/link"
	"rostrum/domain/notice"
	"rostrum/domain/operation"
	"rostrum/domain/party"
	"rostrum/domain/passage"
	"rostrum/domain/persona"
	"rostrum/domain/search"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/model"
	"rostrum/platform/job"
)

// Resolver resolves the root fields by calling the domain services.
type Resolver struct {
	Services     Services
	PublicLimits *api.Limits // see [policy.Config.PublicLimits]
}

// Services are the domain services that the resolvers call.
type Services struct {
	Account   *account.Service
	Audience  *audience.Service
	Brand     *brand.Service
	Bulk      *bulk.Service
	Content   *content.Service
	Document  *document.Service
	Event     *event.Service
	House     *house.Service
	Executive *executive.Service
	Ingest    *ingest.Service
	Link      *link.Service
	Job       *job.Service
	Notice    *notice.Service
	Operation *operation.Service
	Party     *party.Service
	Passage   *passage.Service
	Search    *search.Service
	Webhook   *webhook.Service
	Tag       *tag.Service
	Persona   *persona.Service
}

// The columns of each type. A query reads only the ones that its selection needs.
var (
	documentColumns = ColumnsOf[model.Document]("id", "workspace_id").Reading("tagsJson", "tags").
			Reading("source", "source_id").
			Reading("company", "company_id").
			Reading("companyName", "company").Reading("executive", "executive_id").
			Reading("executiveName", "executive").
			Reading("title", "title", "visibility", "embargoed_until").Reading("content", "content", "visibility",
		"embargoed_until").
		Reading("excerpt", "visibility", "embargoed_until").
		Reading("original", "original", "visibility", "embargoed_until").
		Reading("visibility", "visibility", "embargoed_until").Reading("attributionOrigins", "origins")
	versionColumns = ColumnsOf[model.DocumentVersion]("id", "workspace_id", "document_id").
			Reading("replacedBy", "replaced_by_id")
	deletedColumns = ColumnsOf[model.DeletedDocument]("id", "visibility", "embargoed_until").Reading("documentId", "id").
			Reading("deletedBy", "deleted_by_id").Reading("restorableUntil", "deleted_at")
	companyColumns   = ColumnsOf[model.Company]("id", "workspace_id")
	executiveColumns = ColumnsOf[model.Executive]("id", "workspace_id").Reading("profile", "name").
				Reading("voice", "name")
	comparisonColumns = ColumnsOf[model.Insight]("id", "workspace_id", "sources").Reading("result", "answer").
				Reading("executives", "answer").Reading("companies", "answer")
	deliveryColumns = ColumnsOf[model.Delivery]("id", "workspace_id").Reading("webhook", "webhook_id").
			Reading("link", "link_id").
			Reading("event", "event_id")
	draftColumns = ColumnsOf[model.Draft]("id", "workspace_id").Reading("sourceDocument", "metadata").
			Reading("author", "author_id").Reading("assignee", "assignee_id").
			Reading("currentVersion", "current_version_id").
			Reading("link", "link_id").Reading("publishedVersion", "published_version_id").
			Reading("personas", "metadata").
			Reading("visibility", "visibility", "embargoed_until").
			Reading("title", "title", "visibility", "embargoed_until", "metadata").
			Reading("content", "content", "visibility", "embargoed_until", "metadata").
			Reading("excerpt", "excerpt", "visibility", "embargoed_until", "metadata")
	draftVersionColumns = ColumnsOf[model.DraftVersion]("id", "workspace_id", "draft_id").
				Reading("author", "author_id").Reading("restoredFrom", "restored_from_id")
	stateChangeColumns = ColumnsOf[model.DraftStateChange]("id", "workspace_id", "draft_id").
				Reading("version", "version_id").Reading("assignee", "assignee_id").Reading("by", "by_id")
	draftCommentColumns = ColumnsOf[model.DraftComment]("id", "workspace_id", "draft_id").
				Reading("parent", "parent_id").Reading("start", "start_offset").Reading("end", "end_offset").
				Reading("isDetached", "quote", "start_offset").Reading("mentions", "mentioned_user_ids").
				Reading("author", "author_id").Reading("resolvedBy", "resolved_by_id")
	jobColumns = ColumnsOf[model.Job]("id", "workspace_id", "document_id", "draft_id").
			Reading("createdBy", "user_id").Reading("parent", "parent_id").Reading("persona", "job_type", "parameters").
			Reading("personas", "job_type", "parameters").
			Reading("jobType", "job_type").Reading("result", "job_type", "result", "parameters").
			Reading("parameters", "job_type", "parameters")
	personaColumns = ColumnsOf[model.Persona]("id").Reading("sourcePersona", "source_persona_id").
			Reading("writingSamples", "writing_sample_document_ids").
			Reading("creator", "created_by").Reading("group", "category").
			Reading("entityKindText", "entity_kind").Reading("entityKindResolvedText", "entity_kind_resolved").
			Reading("defaultVoiceProfile", "default_voice_profile_id")
	linkColumns = ColumnsOf[model.Link]("id", "workspace_id", "slug").
			Reading("title", "title", "draft_id").Reading("body", "body", "draft_id").
			Reading("warnings", "title", "body", "destination_url", "draft_id", "withdrawn_at", "embargoed_until").
			Reading("endedReason", "expires_at", "max_opens", "taken_opens").
			Reading("hasPassword", "password_hash").
			Reading("preview", "kind", "title", "body", "form", "language", "draft_id").Reading("draft", "draft_id")
	autoTagColumns = ColumnsOf[model.AutoTag]("id")
	// filterTagColumns belong to a filter, voiceColumns to a voice.
	filterTagColumns = ColumnsOf[model.CommsFilterTag]("id", "workspace_id", "auto_tag_id").
				Reading("autoTag", "auto_tag_id", "tag_type")
	voiceColumns = ColumnsOf[model.ExecutiveVoice]("id", "workspace_id").Reading("executive", "executive").
			Reading("executiveName", "executive").
			Reading("persona", "persona_id")
	valueColumns = ColumnsOf[model.DocumentAutoTag]("document_id").Reading("autoTag", "auto_tag_id").
			Joining("autoTag", "auto_tag", autoTagColumns)
	signalColumns = ColumnsOf[model.Signal]("id", "workspace_id", "document_id").
			Reading("company", "company_id").
			Reading("companyName", "company").Reading("executive", "executive_id").
			Reading("executiveName", "executive").Reading("speakerCertainty", "executive", "speaker_name")
	sourceColumns = ColumnsOf[model.Source]("id", "workspace_id").Reading("createdBy", "created_by_id").
			Reading("isPaused", "paused_reason")
	savedSearchColumns = ColumnsOf[model.SavedSearch]("id", "workspace_id", "filter").
				Reading("createdBy", "created_by_id")
	houseRuleColumns  = ColumnsOf[model.HouseRule]("id", "workspace_id").Reading("createdBy", "created_by_id")
	appVersionColumns = ColumnsOf[model.AppVersion]("id", "workspace_id").Reading("createdBy", "created_by_id")
	operationColumns  = ColumnsOf[model.RegisteredOperation]("id", "workspace_id", "app_version_id")
	webhookColumns    = ColumnsOf[model.Webhook]("id", "workspace_id").Reading("link", "link_id").
				Reading("search", "search_id").
				Reading("warnings", "link_id")
)

// The columns of persons, keys and what was done.
var (
	summaryColumns = ColumnsOf[model.AudienceSummary]("id", "workspace_id", "category", "filters",
		"source_document_ids").Reading("isStale", "digest")
	userColumns   = ColumnsOf[model.User]("id")
	memberColumns = ColumnsOf[model.Membership]("id", "workspace_id").Reading("user", "user_id").
			Reading("joinedAt", "created_at")
	inviteColumns = ColumnsOf[model.Invite]("id", "workspace_id").Reading("invitedBy", "created_by")
	keyColumns    = ColumnsOf[model.APIKey]("id", "workspace_id").Reading("replacedBy", "rotated_to")
	runColumns    = ColumnsOf[model.RunReservation]("id", "workspace_id").Reading("job", "job_id")
	callColumns   = ColumnsOf[model.ModelCall]("id", "workspace_id").Reading("job", "job_id").
			Reading("cost", "cost_nanos")
	auditColumns = ColumnsOf[model.AuditEntry]("id", "workspace_id").Reading("actor", "actor_kind", "actor_id").
			Reading("subject", "subject_id", "action")
	eventColumns = ColumnsOf[model.Event]("id", "workspace_id").Reading("eventName", "event").
			Reading("payload", "event", "viewer", "data").Reading("subject", "subject_id")
	// jobEventColumns has only the state of a job; the other columns are always read.
	jobEventColumns = Columns{all: []string{"state"}, byName: map[string][]string{"state": {"state"}, "then": {"state"}}}
	reviewColumns   = ColumnsOf[model.AutoTagReview]("id", "workspace_id", "document_id").WithComputed().
			Reading("autoTag", "auto_tag_id")
	exampleColumns = ColumnsOf[model.CommsFilterExample]("id", "document_id")
	countedColumns = ColumnsOf[model.FilterTagValue]("id")
	appliedColumns = ColumnsOf[model.AppliedAutoTag]("id", "workspace_id", "document_id").WithComputed().
			Reading("autoTag", "auto_tag_id")
	interactionColumns = ColumnsOf[model.PersonaInteraction]("id", "workspace_id", "document_id",
		"source_document_ids").
		Reading("conversation", "session_id").Reading("persona", "persona_id").
		Reading("creator", "created_by").Reading("job", "job_id")
	reactionColumns = ColumnsOf[model.Reaction]("id", "document_id", "draft_id", "source_document_ids").
			Reading("persona", "persona_id").Reading("job", "job_id")
	// listedReactionColumns belong to reactions in a list. Their personas are read with them.
	listedReactionColumns = reactionColumns.Joining("persona", "persona", personaColumns)
)

// The columns of the activity on links.
var (
	linkVariantColumns = ColumnsOf[model.LinkVariant]("id", "link_id").Reading("conversionRate", "opens", "converted")
	linkSessionColumns = ColumnsOf[model.LinkSession]("id", "link_id").Reading("variant", "variant_id").
				Reading("deviceText", "device")
	linkConversionColumns = ColumnsOf[model.LinkConversion]("id", "link_id").Reading("session", "session_id").
				Reading("variant", "variant_id")
	linkSubmissionColumns = ColumnsOf[model.LinkSubmission]("id", "link_id").Reading("session", "session_id")
)

// The paths from a connection to its rows.
const (
	nodes    = "nodes"
	edgeNode = "edges.node"
)

// countFields are the fields of a connection that need the number of rows.
var countFields = []string{"totalCount", "pagination", "hiddenCount"}
