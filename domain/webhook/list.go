package webhook

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// newestFirst is the order of webhooks and of deliveries.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// deliveryChoices are the filter and the orders of lists of deliveries.
var deliveryChoices = dbx.Choices[model.Delivery, api.DeliveryFilter, model.DeliveryOrderField]{
	Filter: dbx.Filter[api.DeliveryFilter]{
		dbx.MatchValue("status", func(f *api.DeliveryFilter) *model.DeliveryStatus { return f.Status.Value() }),
		dbx.MatchValue("event", func(f *api.DeliveryFilter) *model.EventType { return f.Event.Value() }),
		dbx.MatchValue("webhook_id", func(f *api.DeliveryFilter) *string { return f.WebhookID.Value() }),
		dbx.MatchTime("created", "created_at", func(f *api.DeliveryFilter) *model.TimeRange { return f.Created.Value() }),
	},
	Orders: dbx.NewOrders[model.DeliveryOrderField, model.Delivery](map[model.DeliveryOrderField]string{
		model.DeliveryOrderFieldCreatedAt: "created_at", model.DeliveryOrderFieldDeliveredAt: "delivered_at",
	}),
}

// newDeliveryList returns the list of deliveries that match the filter, newest first unless an
// order is given. It returns errs.ValidationFailed for invalid fields, for example an unknown
// event.
func newDeliveryList(
	workspaceID string, filter *api.DeliveryFilter, order *model.DeliveryOrder, columns []string,
) (dbx.List[model.Delivery], error) {
	list, err := deliveryChoices.Apply(dbx.List[model.Delivery]{
		Order: newestFirst, Columns: columns,
		Key:   func(d *model.Delivery) (any, string) { return d.CreatedAt, d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}, filter, order)
	if err == nil {
		err = checkDeliveryFilter(filter)
	}
	return list, err
}

// Deliveries returns one page of the webhook's deliveries that match the filter, newest first
// unless an order is given. If columns are named, it reads only these. It returns errs.NotFound for
// an unknown webhook, and errs.ValidationFailed for invalid arguments.
func (s *Service) Deliveries(
	ctx context.Context, webhookID string, args model.PageArgs, filter *api.DeliveryFilter, order *model.DeliveryOrder,
	columns ...string,
) (*model.DeliveryConnection, error) {
	p := principal.Must(ctx)
	list, err := newDeliveryList(p.WorkspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	if _, err := s.findWebhook(ctx, p.WorkspaceID, webhookID); err != nil {
		return nil, err
	}
	all := list.Where
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return all(q).Where("webhook_id = ?", webhookID) }
	page, err := list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// checkDeliveryFilter returns an error for an unknown event. Otherwise it would look like an event
// without deliveries.
func checkDeliveryFilter(f *api.DeliveryFilter) error {
	if f == nil {
		return nil
	}
	var invalid errs.FieldErrors
	if event := f.Event.Value(); event != nil && !slices.Contains(model.EventTypes, *event) {
		invalid.Query("enum", "must be one of "+strings.Join(model.Names(model.EventTypes), ", "), "event")
	}
	return invalid.Err()
}

// Delivery returns a delivery of a webhook, or nil if there is no delivery with this id.
func (s *Service) Delivery(ctx context.Context, webhookID, id string) (*model.Delivery, error) {
	return s.findDelivery(ctx, id, "webhook_id = ?", webhookID)
}

// DeliveryByID returns a delivery of any webhook of the workspace, or nil if there is none with
// this id.
func (s *Service) DeliveryByID(ctx context.Context, id string) (*model.Delivery, error) {
	return s.findDelivery(ctx, id, "webhook_id <> ''")
}

func (s *Service) findDelivery(ctx context.Context, id, which string, args ...any) (*model.Delivery, error) {
	p := principal.Must(ctx)
	d := new(model.Delivery)
	err := s.db.NewSelect().Model(d).Where("workspace_id = ? AND id = ?", p.WorkspaceID, id).Where(which, args...).
		Scan(ctx)
	return dbx.NilIfNotFound(d, err)
}

// retention is how long a finished delivery is kept. deleteBatchSize is how many one statement
// deletes.
const (
	retention       = 30 * 24 * time.Hour
	deleteBatchSize = 1000
)

// deleteExpired deletes finished deliveries that are older than retention.
func (s *Service) deleteExpired(ctx context.Context) error {
	for {
		old := s.db.NewSelect().TableExpr("webhook").
			Join("JOIN webhook_delivery AS old ON old.webhook_id = webhook.id").
			ColumnExpr("old.id").Where("old.created_at < ? AND old.status NOT IN (?)", s.now().Add(-retention),
			openStatuses).Limit(deleteBatchSize)
		result, err := s.db.NewDelete().Model((*model.Delivery)(nil)).Where("?", s.db.Among("id", old)).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n < deleteBatchSize {
			return dbx.Err(err)
		}
	}
}

// ByIDs returns the workspace's webhooks with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Webhook,
	error) {
	found, err := dbx.ByIDs[model.Webhook](ctx, s.db, workspaceID, ids, columns...)
	for _, w := range found {
		s.hideAddress(principal.Must(ctx), w)
	}
	return found, err
}

// List returns one page of the workspace's webhooks with the named columns, oldest first (see
// dbx.List).
func (s *Service) List(ctx context.Context, args model.PageArgs, columns ...string) (*model.WebhookConnection, error) {
	p := principal.Must(ctx)
	list := newWebhookList(p.WorkspaceID, columns)
	list.Order.Desc = false
	page, err := list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	for _, w := range page.Nodes {
		s.hideAddress(p, w)
	}
	return page, nil
}

// newWebhookList returns the list of the workspace's webhooks, newest first.
func newWebhookList(workspaceID string, columns []string) dbx.List[model.Webhook] {
	return dbx.List[model.Webhook]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.Webhook) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// Pages returns a page of webhooks per key, newest first, for example the webhooks of each link;
// parent is the column with the keys (see dbx.Nested).
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Webhook], error) {
	pages, err := dbx.Nested[model.Webhook]{List: newWebhookList(workspaceID, columns), Parent: parent}.Pages(ctx, s.db,
		keys, args)
	for _, w := range model.NodesOf(pages) {
		s.hideAddress(principal.Must(ctx), w)
	}
	return pages, err
}

// DeliveryPages returns a page of the deliveries that match the filter per key, newest first unless
// an order is given; parent is the column with the keys. It returns errs.ValidationFailed for
// invalid arguments.
func (s *Service) DeliveryPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *api.DeliveryFilter,
	order *model.DeliveryOrder,
	columns ...string,
) ([]*model.Connection[model.Delivery], error) {
	list, err := newDeliveryList(workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	return dbx.Nested[model.Delivery]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// DeliveriesByID returns the workspace's deliveries with the ids (see dbx.ByIDs).
func (s *Service) DeliveriesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Delivery, error) {
	return dbx.ByIDs[model.Delivery](ctx, s.db, workspaceID, ids, columns...)
}
