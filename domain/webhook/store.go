package webhook

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/webhook/message"
	"rostrum/errs"
	"rostrum/model"
)

// openStatuses are the statuses of deliveries that are not finished.
var openStatuses = bun.List([]model.DeliveryStatus{model.DeliveryStatusPending, model.DeliveryStatusRetrying})

// undeliveredStatuses are the statuses of deliveries that finished without success.
var undeliveredStatuses = bun.List([]model.DeliveryStatus{model.DeliveryStatusFailed, model.DeliveryStatusSkipped})

// insertWebhook stores a webhook; the workspace must be locked. It returns errs.Conflict at the
// limit of webhooks.
func insertWebhook(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	n, err := tx.NewSelect().Model((*model.Webhook)(nil)).Where("workspace_id = ?", w.WorkspaceID).Count(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n >= maxWebhooks {
		return errs.New(errs.Conflict, "the workspace has %d webhooks already; delete one first", maxWebhooks)
	}
	_, err = tx.NewInsert().Model(w).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) findWebhook(ctx context.Context, workspaceID, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	err := s.db.NewSelect().Model(w).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return w, dbx.Err(err)
}

// findForUpdate locks the feed and then the webhook, in the order of those who append events.
func (s *Service) findForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Webhook, error) {
	if err := s.lockFeed(ctx, tx, workspaceID); err != nil {
		return nil, err
	}
	w := new(model.Webhook)
	err := s.db.ForUpdate(tx.NewSelect().Model(w).Where("workspace_id = ? AND id = ?", workspaceID, id)).Scan(ctx)
	return w, dbx.Err(err)
}

// findByID returns a webhook of any workspace, for tasks. It returns errs.NotFound for an unknown
// id.
func (s *Service) findByID(ctx context.Context, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	return w, dbx.Err(s.db.NewSelect().Model(w).Where("id = ?", id).Scan(ctx))
}

func (s *Service) findByIDForUpdate(ctx context.Context, tx dbx.Tx, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	return w, dbx.Err(s.db.ForUpdate(tx.NewSelect().Model(w).Where("id = ?", id)).Scan(ctx))
}

func updateColumns(ctx context.Context, tx dbx.Tx, w *model.Webhook, columns ...string) error {
	_, err := tx.NewUpdate().Model(w).Column(columns...).Where("workspace_id = ? AND id = ?", w.WorkspaceID, w.ID).
		Exec(ctx)
	return dbx.Err(err)
}

func deleteWebhook(ctx context.Context, tx dbx.Tx, workspaceID, id string) error {
	_, err := tx.NewDelete().Model((*model.Webhook)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).
		Exec(ctx)
	return dbx.Err(err)
}

// pauseWorkspace pauses all webhooks of a workspace because of its plan, and skips their open
// deliveries.
func pauseWorkspace(ctx context.Context, tx dbx.Tx, workspaceID string) error {
	_, err := tx.NewUpdate().Model((*model.Webhook)(nil)).
		Set("is_active = ?, paused_reason = ?, paused_at = ?, probes = 0, probe_at = NULL", false,
			model.PausedReasonPlan, model.Now()).
		Where("workspace_id = ? AND (is_active OR paused_reason = ?)", workspaceID, model.PausedReasonFailures).
		Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	return skipOpenDeliveries(ctx, tx, workspaceID, "")
}

// skipOpenDeliveries skips the open deliveries of a webhook, or of the whole workspace if webhookID
// is empty.
func skipOpenDeliveries(ctx context.Context, tx dbx.Tx, workspaceID, webhookID string) error {
	q := tx.NewUpdate().Model((*model.Delivery)(nil)).
		Set("status = ?, next_attempt_at = NULL, waiting_since = NULL, ordering_key = NULL",
			model.DeliveryStatusSkipped).
		Where("status IN (?)", openStatuses)
	if webhookID != "" {
		q = q.Where("workspace_id = ? AND webhook_id = ?", workspaceID, webhookID)
	} else {
		q = q.Where("webhook_id IN (SELECT id FROM webhook WHERE workspace_id = ?)", workspaceID)
	}
	_, err := q.Exec(ctx)
	return dbx.Err(err)
}

// holdOpenDeliveries defers the open deliveries of a webhook until it is resumed. Their tasks
// become void; an attempt under way still writes its result.
func holdOpenDeliveries(ctx context.Context, tx dbx.Tx, w *model.Webhook, now time.Time) error {
	_, err := tx.NewUpdate().Model((*model.Delivery)(nil)).Set("waiting_since = ?, next_attempt_at = NULL", now).
		Where("workspace_id = ? AND webhook_id = ? AND status IN (?)", w.WorkspaceID, w.ID, openStatuses).Exec(ctx)
	return dbx.Err(err)
}

// subscribedWebhooks returns the webhooks of the events' workspaces. It locks ordered ones, so that
// an event cannot overtake an earlier one.
func (s *Service) subscribedWebhooks(ctx context.Context, tx dbx.Tx, events []*model.Event) ([]*model.Webhook, error) {
	workspaces := map[string]bool{}
	for _, e := range events {
		workspaces[e.WorkspaceID] = true
	}
	var rows []*model.Webhook
	err := tx.NewSelect().Model(&rows).Where("workspace_id IN (?)", bun.List(slices.Collect(maps.Keys(workspaces)))).
		Order("id").Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	for i, w := range rows {
		if !w.Ordered {
			continue
		}
		if rows[i], err = s.findByIDForUpdate(ctx, tx, w.ID); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// readDeliveries returns deliveries of any workspace by id, with their webhooks and events. It runs
// three statements for any number of deliveries.
func (s *Service) readDeliveries(ctx context.Context, refs []taskRef) (map[string]*loadedDelivery, error) {
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.id
	}
	var deliveries []*model.Delivery
	if err := s.db.NewSelect().Model(&deliveries).Where("id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	if len(deliveries) == 0 {
		return nil, nil
	}
	webhookIDs, eventIDs := map[string]*model.Webhook{}, map[string]*model.Event{}
	for _, d := range deliveries {
		webhookIDs[d.WebhookID], eventIDs[d.EventID] = nil, nil
	}
	if err := s.readWebhooksAndEvents(ctx, webhookIDs, eventIDs); err != nil {
		return nil, err
	}
	found := make(map[string]*loadedDelivery, len(deliveries))
	for _, d := range deliveries {
		found[d.ID] = &loadedDelivery{delivery: d, webhook: webhookIDs[d.WebhookID],
			event: eventOf(d, eventIDs[d.EventID])}
	}
	return found, nil
}

// readWebhooksAndEvents fills both maps with the rows of their keys.
func (s *Service) readWebhooksAndEvents(ctx context.Context, webhooks map[string]*model.Webhook,
	events map[string]*model.Event) error {
	var found []*model.Webhook
	if err := s.db.NewSelect().Model(&found).Where("id IN (?)", bun.List(slices.Collect(maps.Keys(webhooks)))).
		Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	for _, w := range found {
		webhooks[w.ID] = w
	}
	storedEvents, err := s.readEvents(ctx, slices.Collect(maps.Keys(events)))
	if err != nil {
		return err
	}
	for _, e := range storedEvents {
		events[e.ID] = e
	}
	return nil
}

// eventOf returns the event of a delivery. Test events are not stored, so they are created again.
func eventOf(d *model.Delivery, stored *model.Event) *model.Event {
	if !d.Test {
		return stored
	}
	sample := message.Sample(d.EventName)
	sample.ID, sample.WorkspaceID, sample.Timestamp = d.EventID, d.WorkspaceID, d.CreatedAt
	return sample
}

// lockAffected locks and returns the webhooks that a batch may change, ordered by id: webhooks with
// failures, present or past, and webhooks with ordered deliveries.
func (s *Service) lockAffected(ctx context.Context, tx dbx.Tx, summaries map[string]*batchSummary) ([]*model.Webhook,
	error) {
	changed := []string{""}
	for _, k := range summaries {
		if k.failed > 0 || k.ordered {
			changed = append(changed, k.id)
		}
	}
	var rows []*model.Webhook
	q := tx.NewSelect().Model(&rows).Where("id IN (?)", bun.List(slices.Collect(maps.Keys(summaries)))).
		Where("(consecutive_failures > 0 OR id IN (?))", bun.List(changed)).Order("id")
	return rows, dbx.Err(s.db.ForUpdate(q).Scan(ctx))
}

// anyFailing reports whether one of the webhooks has consecutive failures.
func (s *Service) anyFailing(ctx context.Context, summaries map[string]*batchSummary) (bool, error) {
	found, err := s.db.NewSelect().Model((*model.Webhook)(nil)).Where("id IN (?) AND consecutive_failures > 0",
		bun.List(slices.Collect(maps.Keys(summaries)))).Exists(ctx)
	return found, dbx.Err(err)
}

// saveUpdates writes updates to deliveries with an unchanged generation, with one statement.
func saveUpdates(ctx context.Context, db dbx.ReadWriter, rows []*deliveryUpdate) error {
	if len(rows) == 0 {
		return nil
	}
	q := db.NewUpdate().With("result", db.NewValues(&rows)).Model((*model.Delivery)(nil)).TableExpr("result")
	for _, column := range []string{"generation", "status", "attempts", "tries", "next_attempt_at", "waiting_since",
		"ordering_key", "delivered_at"} {
		q = q.Set("? = result.?", bun.Ident(column), bun.Ident(column))
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.RowID
	}
	// Redundant with the join, but keeps Postgres from scanning the whole table.
	_, err := q.Where("delivery.id IN (?)", bun.List(ids)).
		Where("delivery.id = result.row_id AND delivery.generation = result.expected_generation").Exec(ctx)
	return dbx.Err(err)
}

// nextDeferred returns the oldest deferred deliveries of a webhook. It leaves out a delivery while
// an earlier one has its ordering key, for example the same link.
func nextDeferred(ctx context.Context, tx dbx.Tx, webhookID string, limit int) ([]*model.Delivery, error) {
	var rows []*model.Delivery
	err := tx.NewSelect().Model(&rows).Column("id", "generation", "next_attempt_at").
		Where("webhook_id = ? AND waiting_since IS NOT NULL", webhookID).
		Where("(ordering_key IS NULL OR NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook_id = delivery.webhook_id" +
			" AND earlier.ordering_key = delivery.ordering_key AND earlier.position < delivery.position))").
		Order("position").Limit(int64(limit)).Scan(ctx)
	return rows, dbx.Err(err)
}

// markEnqueued increments the generation of deliveries and marks them as enqueued.
func markEnqueued(ctx context.Context, tx dbx.Tx, ids []string) error {
	_, err := tx.NewUpdate().Model((*model.Delivery)(nil)).Set("generation = generation + 1, waiting_since = NULL").
		Where("id IN (?)", bun.List(ids)).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) webhooksWithDeferred(ctx context.Context, since time.Time) (ids []string, err error) {
	err = s.db.NewSelect().Model((*model.Delivery)(nil)).ColumnExpr("DISTINCT webhook_id").
		Where("waiting_since < ?", since).
		Where("webhook_id IN (SELECT id FROM webhook WHERE is_active)").Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// nextProbed returns a delivery to probe with: the oldest kept one, else the newest undelivered
// one, else nil. Unless deliveries are ordered, every other probe sends the newest kept one,
// because the receiver may reject only the oldest.
func (s *Service) nextProbed(ctx context.Context, w *model.Webhook) (*deliveryResult, error) {
	order := "position"
	if !w.Ordered && w.Probes%2 == 0 {
		order = "position DESC"
	}
	rows := []*model.Delivery{}
	err := s.db.NewSelect().Model(&rows).Column("id").Where("webhook_id = ? AND waiting_since IS NOT NULL", w.ID).
		Order(order).Limit(1).Scan(ctx)
	if err == nil && len(rows) == 0 {
		err = s.db.NewSelect().Model(&rows).Column("id").Where("workspace_id = ? AND webhook_id = ?", w.WorkspaceID,
			w.ID).
			Where("status IN (?) AND NOT test", undeliveredStatuses).Order("created_at DESC", "id DESC").Limit(1).
			Scan(ctx)
	}
	if err != nil || len(rows) == 0 {
		return nil, dbx.Err(err)
	}
	found, err := s.readDeliveries(ctx, []taskRef{{id: rows[0].ID}})
	p := found[rows[0].ID]
	if err != nil || p == nil || p.webhook == nil {
		return nil, err
	}
	return &deliveryResult{loadedDelivery: p, finishedAt: s.now()}, nil
}
