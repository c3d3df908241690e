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
	"rostrum/principal"
)

// newestFirst is the order of webhooks and of deliveries.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// Deliveries returns one page of the deliveries of a webhook, newest first, each with the named columns only (all columns if none is
// named). It returns errs.NotFound for a webhook that the workspace does not have, and errs.ValidationFailed for an unknown event.
func (s *Service) Deliveries(
	ctx context.Context, webhookID string, args model.PageArgs, filter *api.DeliveryFilter, columns ...string,
) (*model.DeliveryConnection, error) {
	p := principal.Must(ctx)
	if err := checkDeliveryFilter(filter); err != nil {
		return nil, err
	}
	if _, err := s.findWebhook(ctx, p.WorkspaceID, webhookID); err != nil {
		return nil, err
	}
	page, err := dbx.List[model.Delivery]{
		Order: newestFirst, Columns: columns,
		Key: func(d *model.Delivery) (any, string) { return d.CreatedAt, d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return filterDeliveries(q, p.WorkspaceID, webhookID, filter)
		},
	}.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// checkDeliveryFilter returns an error for an unknown event, which would otherwise look like an event without deliveries.
func checkDeliveryFilter(f *api.DeliveryFilter) error {
	if f == nil {
		return nil
	}
	var invalid errs.FieldErrors
	if event := f.Event.Value(); event != nil && !slices.Contains(model.EventNames, *event) {
		invalid.Query("enum", "must be one of "+strings.Join(model.EventNames, ", "), "event")
	}
	return invalid.Err()
}

func filterDeliveries(q *bun.SelectQuery, workspaceID, webhookID string, f *api.DeliveryFilter) *bun.SelectQuery {
	q = q.Where("workspace_id = ? AND webhook_id = ?", workspaceID, webhookID)
	if f == nil {
		return q
	}
	if status := f.Status.Value(); status != nil {
		q = q.Where("status = ?", *status)
	}
	if event := f.Event.Value(); event != nil {
		q = q.Where("event = ?", *event)
	}
	return q
}

// Delivery returns a delivery of a webhook, or nil if there is no delivery with this id.
func (s *Service) Delivery(ctx context.Context, webhookID, id string) (*model.Delivery, error) {
	return s.findDelivery(ctx, id, "webhook_id = ?", webhookID)
}

// DeliveryByID returns a delivery of any webhook of the workspace, or nil if there is no delivery with this id.
func (s *Service) DeliveryByID(ctx context.Context, id string) (*model.Delivery, error) {
	return s.findDelivery(ctx, id, "webhook_id <> ''")
}

func (s *Service) findDelivery(ctx context.Context, id, which string, args ...any) (*model.Delivery, error) {
	p := principal.Must(ctx)
	d := new(model.Delivery)
	err := s.db.NewSelect().Model(d).Where("workspace_id = ? AND id = ?", p.WorkspaceID, id).Where(which, args...).Scan(ctx)
	return dbx.NilIfNotFound(d, err)
}

// retention is how long a finished delivery is kept, and deleteBatchSize how many are deleted with one statement.
const (
	retention       = 30 * 24 * time.Hour
	deleteBatchSize = 1000
)

// deleteExpired deletes finished deliveries that are older than retention.
func (s *Service) deleteExpired(ctx context.Context) error {
	for {
		old := s.db.NewSelect().TableExpr("webhook").Join("JOIN webhook_delivery AS old ON old.webhook_id = webhook.id").
			ColumnExpr("old.id").Where("old.created_at < ? AND old.status NOT IN (?)", s.now().Add(-retention), openStatuses).Limit(deleteBatchSize)
		result, err := s.db.NewDelete().Model((*model.Delivery)(nil)).Where("id IN (?)", old).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n < deleteBatchSize {
			return dbx.Err(err)
		}
	}
}

// ByIDs returns the workspace's webhooks with the ids, in no order, or only the named columns of them; ids without a webhook are left out.
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Webhook, error) {
	found, err := dbx.ByIDs[model.Webhook](ctx, s.db, workspaceID, ids, columns...)
	for _, w := range found {
		s.hideAddress(principal.Must(ctx), w)
	}
	return found, err
}

// Pages returns a page of the workspace's webhooks for each key, newest first and with the named columns: parent is the column that has the keys. It
// returns errs.ValidationFailed for invalid page arguments.
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Webhook], error) {
	list := dbx.List[model.Webhook]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.Webhook) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	pages, err := dbx.Nested[model.Webhook]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
	for _, page := range pages {
		for _, w := range page.Nodes {
			s.hideAddress(principal.Must(ctx), w)
		}
	}
	return pages, err
}

// DeliveryPages returns a page of the workspace's deliveries for each key, newest first and with the named columns: parent is the column that has the keys. It
// returns errs.ValidationFailed for invalid page arguments.
func (s *Service) DeliveryPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Delivery], error) {
	list := dbx.List[model.Delivery]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.Delivery) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Delivery]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// DeliveriesByID returns the workspace's deliveries with the ids, in no order, or only the named columns of them; ids without a delivery are left out.
func (s *Service) DeliveriesByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Delivery, error) {
	return dbx.ByIDs[model.Delivery](ctx, s.db, workspaceID, ids, columns...)
}
