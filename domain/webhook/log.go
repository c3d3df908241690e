package webhook

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Deliveries reads one page of what was sent to a webhook, newest first, of each only the named columns (all when none is named). It
// fails with not_found for a webhook that the workspace does not have, and with validation_failed for an event that there is not.
func (s *Service) Deliveries(
	ctx context.Context, webhookID string, args model.PageArgs, filter *model.DeliveryFilter, columns ...string,
) (*model.DeliveryConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkDeliveryFilter(filter); err != nil {
		return nil, err
	}
	if _, err := s.one(ctx, p.WorkspaceID, webhookID); err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, dbx.Order{Column: "created_at", Time: true, Desc: true})
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append(columns, "created_at")
	}
	q := narrow(s.db.NewSelect().Model((*model.Delivery)(nil)).Column(columns...), p.WorkspaceID, webhookID, filter)
	rows, err := dbx.Read[model.Delivery](ctx, s.db, window.Apply(q))
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(d *model.Delivery) (any, string) { return d.CreatedAt, d.ID })
	page.Count = func(ctx context.Context) (int, error) {
		n, err := narrow(s.db.NewSelect().Model((*model.Delivery)(nil)), p.WorkspaceID, webhookID, filter).Count(ctx)
		return int(n), dbx.Err(err)
	}
	return &model.DeliveryConnection{Connection: page}, nil
}

// checkDeliveryFilter refuses an event that there is not, which would else look as if nothing had been delivered.
func checkDeliveryFilter(f *model.DeliveryFilter) error {
	if f == nil {
		return nil
	}
	if event := f.Event.Value(); event != nil && !slices.Contains(model.EventNames, *event) {
		return errs.Invalid(errs.QueryField("enum", "must be one of "+strings.Join(model.EventNames, ", "), "event"))
	}
	return nil
}

func narrow(q *bun.SelectQuery, workspaceID, webhookID string, f *model.DeliveryFilter) *bun.SelectQuery {
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

// Delivery reads one delivery to a webhook; nil when there is none of that id.
func (s *Service) Delivery(ctx context.Context, webhookID, id string) (*model.Delivery, error) {
	return s.delivery(ctx, id, "webhook_id = ?", webhookID)
}

// DeliveryByID reads one delivery to any of the workspace's webhooks; nil when there is none of that id.
func (s *Service) DeliveryByID(ctx context.Context, id string) (*model.Delivery, error) {
	return s.delivery(ctx, id, "webhook_id <> ''")
}

func (s *Service) delivery(ctx context.Context, id, which string, args ...any) (*model.Delivery, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	d := new(model.Delivery)
	err = s.db.NewSelect().Model(d).Where("workspace_id = ? AND id = ?", p.WorkspaceID, id).Where(which, args...).Scan(ctx)
	return dbx.OrNone(d, err)
}

// keptFor is how long a delivery that has ended is listed, and tidyBatch how many are dropped with one statement.
const (
	keptFor   = 30 * 24 * time.Hour
	tidyBatch = 1000
)

// tidy drops deliveries that ended long ago.
func (s *Service) tidy(ctx context.Context) error {
	for {
		old := s.db.NewSelect().TableExpr("webhook").Join("JOIN webhook_delivery AS old ON old.webhook_id = webhook.id").
			ColumnExpr("old.id").Where("old.created_at < ? AND old.status NOT IN (?)", s.now().Add(-keptFor), open).Limit(tidyBatch)
		result, err := s.db.NewDelete().Model((*model.Delivery)(nil)).Where("id IN (?)", old).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n < tidyBatch {
			return dbx.Err(err)
		}
	}
}
