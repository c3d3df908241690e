// Package graph holds the GraphQL schema and its resolvers, which call the domain services, and builds the server of the schema.
package graph

import (
	"rostrum/api"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/executive"
	"rostrum/domain/ingest"
	"rostrum/domain/link"
	"rostrum/domain/persona"
	"rostrum/domain/tag"
	"rostrum/domain/webhook"
	"rostrum/job"
	"rostrum/model"
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
	Content   *content.Service
	Document  *document.Service
	Event     *event.Service
	Executive *executive.Service
	Ingest    *ingest.Service
	Link      *link.Service
	Job       *job.Service
	Webhook   *webhook.Service
	Tag       *tag.Service
	Persona   *persona.Service
}

// The columns of each type; a query reads only those that its selection needs.
var (
	documentColumns = ColumnsOf[model.Document]("id", "workspace_id").Reading("tagsJson", "tags")
	deliveryColumns = ColumnsOf[model.Delivery]("id", "workspace_id").Reading("webhook", "webhook_id").Reading("link", "link_id")
	draftColumns    = ColumnsOf[model.Draft]("id", "workspace_id")
	jobColumns      = ColumnsOf[model.Job]("id", "workspace_id").Reading("document", "document_id")
	personaColumns  = ColumnsOf[model.Persona]("id", "workspace_id").Reading("sourcePersona", "source_persona_id").
			Reading("writingSamples", "writing_sample_document_ids")
	linkColumns    = ColumnsOf[model.Link]("id", "workspace_id", "slug")
	autoTagColumns = ColumnsOf[model.AutoTag]("id", "workspace_id")
	signalColumns  = ColumnsOf[model.Signal]("id", "workspace_id").Reading("document", "document_id")
	keyColumns     = ColumnsOf[model.APIKey]("id", "workspace_id")
	webhookColumns = ColumnsOf[model.Webhook]("id", "workspace_id").Reading("link", "link_id")
)

// The columns of the activity on links.
var (
	linkVariantColumns    = ColumnsOf[model.LinkVariant]("id")
	linkSessionColumns    = ColumnsOf[model.LinkSession]("id").Reading("variant", "variant_id")
	linkConversionColumns = ColumnsOf[model.LinkConversion]("id").Reading("session", "session_id").Reading("variant", "variant_id")
	linkSubmissionColumns = ColumnsOf[model.LinkSubmission]("id").Reading("session", "session_id")
)

// The paths from a connection to its rows.
const (
	nodes    = "nodes"
	edgeNode = "edges.node"
)

// countFields are the fields of a connection that need the number of rows.
var countFields = []string{"totalCount", "pagination", "hiddenCount"}
