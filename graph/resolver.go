// Package graph is the schema's door: one-line resolvers, limits, transports, and selections that read only what is asked for.
package graph

import (
	"context"

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

// Resolver answers the fields by asking the rooms.
type Resolver struct {
	Room   Rooms
	Bounds *model.Limits // see [Config.Bounds]
}

// Rooms are the domains that the resolvers call.
type Rooms struct {
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

// The columns that each type's fields are read from.
var (
	documentColumns = ColumnsOf[model.Document]("id", "workspace_id").Reading("tagsJson", "tags")
	deliveryColumns = ColumnsOf[model.Delivery]("id", "workspace_id")
	draftColumns    = ColumnsOf[model.Draft]("id", "workspace_id")
	jobColumns      = ColumnsOf[model.Job]("id", "workspace_id")
	personaColumns  = ColumnsOf[model.Persona]("id", "workspace_id")
	linkColumns     = ColumnsOf[model.Link]("id", "workspace_id", "slug")
)

// The columns of what happens on links.
var (
	linkSessionColumns    = ColumnsOf[model.LinkSession]("id")
	linkConversionColumns = ColumnsOf[model.LinkConversion]("id")
	linkSubmissionColumns = ColumnsOf[model.LinkSubmission]("id")
)

// The paths from a connection to its rows.
const (
	nodes    = "nodes"
	edgeNode = "edges.node"
)

// counts are the fields of a connection that tell how many rows there are.
var counts = []string{"totalCount", "pagination", "hiddenCount"}

// workspaceOf is the workspace that the caller acts in; without a caller it is none, in which nothing is found.
func workspaceOf(ctx context.Context) string {
	p, _ := model.PrincipalFrom(ctx) //nolint:errcheck // the gate has refused such an operation before
	return p.WorkspaceID
}

// actorOf names the caller where an action is signed.
func actorOf(ctx context.Context) string {
	p, _ := model.PrincipalFrom(ctx) //nolint:errcheck // as above
	return p.Actor()
}
