package webhook

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/webhook/message"
	"rostrum/model"
)

// open are the statuses of deliveries that are still to be made.
var open = bun.In([]model.DeliveryStatus{model.DeliveryStatusPending, model.DeliveryStatusRetrying})

// undelivered are those of deliveries that have ended without arriving.
var undelivered = bun.In([]model.DeliveryStatus{model.DeliveryStatusFailed, model.DeliveryStatusSkipped})

func (s *Service) all(ctx context.Context, workspaceID string) ([]*model.Webhook, error) {
	rows := []*model.Webhook{}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID).Order("created_at", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) one(ctx context.Context, workspaceID, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	err := s.db.NewSelect().Model(w).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return w, dbx.Err(err)
}

func (s *Service) oneForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	err := s.db.Locked(tx.NewSelect().Model(w).Where("workspace_id = ? AND id = ?", workspaceID, id)).Scan(ctx)
	return w, dbx.Err(err)
}

// byID and byIDForUpdate find a webhook of any workspace, for the workers.
func (s *Service) byID(ctx context.Context, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	return w, dbx.Err(s.db.NewSelect().Model(w).Where("id = ?", id).Scan(ctx))
}

func (s *Service) byIDForUpdate(ctx context.Context, tx dbx.Tx, id string) (*model.Webhook, error) {
	w := new(model.Webhook)
	return w, dbx.Err(s.db.Locked(tx.NewSelect().Model(w).Where("id = ?", id)).Scan(ctx))
}

func update(ctx context.Context, tx dbx.Tx, w *model.Webhook, columns ...string) error {
	_, err := tx.NewUpdate().Model(w).Column(columns...).Where("workspace_id = ? AND id = ?", w.WorkspaceID, w.ID).Exec(ctx)
	return dbx.Err(err)
}

func remove(ctx context.Context, tx dbx.Tx, workspaceID, id string) error {
	_, err := tx.NewDelete().Model((*model.Webhook)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).Exec(ctx)
	return dbx.Err(err)
}

// pauseAll pauses a workspace's webhooks for its plan's sake.
func pauseAll(ctx context.Context, tx dbx.Tx, workspaceID string) error {
	_, err := tx.NewUpdate().Model((*model.Webhook)(nil)).
		Set("is_active = ?, paused_reason = ?, paused_at = ?, probes = 0, probe_at = NULL", false, model.PausedReasonPlan, model.Now()).
		Where("workspace_id = ? AND (is_active OR paused_reason = ?)", workspaceID, model.PausedReasonFailures).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	return skip(ctx, tx, workspaceID, "")
}

// skip ends the open deliveries of a webhook, or of all of the workspace's when none is named.
func skip(ctx context.Context, tx dbx.Tx, workspaceID, webhookID string) error {
	q := tx.NewUpdate().Model((*model.Delivery)(nil)).
		Set("status = ?, next_attempt_at = NULL, waiting_since = NULL, line = NULL", model.DeliveryStatusSkipped).
		Where("status IN (?)", open)
	if webhookID != "" {
		q = q.Where("workspace_id = ? AND webhook_id = ?", workspaceID, webhookID)
	} else {
		q = q.Where("webhook_id IN (SELECT id FROM webhook WHERE workspace_id = ?)", workspaceID)
	}
	_, err := q.Exec(ctx)
	return dbx.Err(err)
}

// listening are the webhooks of the events' workspaces. Those that keep an order are locked, so that no event slips past the end of
// the one before it.
func (s *Service) listening(ctx context.Context, tx dbx.Tx, events []*model.Event) ([]*model.Webhook, error) {
	workspaces := map[string]bool{}
	for _, e := range events {
		workspaces[e.WorkspaceID] = true
	}
	var rows []*model.Webhook
	err := tx.NewSelect().Model(&rows).Where("workspace_id IN (?)", bun.In(keys(workspaces))).Order("id").Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	for i, w := range rows {
		if !w.Ordered {
			continue
		}
		if rows[i], err = s.byIDForUpdate(ctx, tx, w.ID); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

func insert(ctx context.Context, tx dbx.Tx, deliveries []*model.Delivery) error {
	_, err := tx.NewInsert().Model(&deliveries).Exec(ctx)
	return dbx.Err(err)
}

// parcels reads deliveries of any workspace with what belongs to them, in three statements for any number.
func (s *Service) parcels(ctx context.Context, refs []ref) (map[string]*parcel, error) {
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.id
	}
	var deliveries []*model.Delivery
	if err := s.db.NewSelect().Model(&deliveries).Where("id IN (?)", bun.In(ids)).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	if len(deliveries) == 0 {
		return nil, nil
	}
	webhookIDs, eventIDs := map[string]*model.Webhook{}, map[string]*model.Event{}
	for _, d := range deliveries {
		webhookIDs[d.WebhookID], eventIDs[d.EventID] = nil, nil
	}
	if err := s.fill(ctx, webhookIDs, eventIDs); err != nil {
		return nil, err
	}
	found := make(map[string]*parcel, len(deliveries))
	for _, d := range deliveries {
		found[d.ID] = &parcel{delivery: d, webhook: webhookIDs[d.WebhookID], event: eventOf(d, eventIDs[d.EventID])}
	}
	return found, nil
}

// fill reads the webhooks and events that the maps name.
func (s *Service) fill(ctx context.Context, webhooks map[string]*model.Webhook, events map[string]*model.Event) error {
	var found []*model.Webhook
	if err := s.db.NewSelect().Model(&found).Where("id IN (?)", bun.In(keys(webhooks))).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	for _, w := range found {
		webhooks[w.ID] = w
	}
	var happened []*model.Event
	if err := s.db.NewSelect().Model(&happened).Where("id IN (?)", bun.In(keys(events))).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	for _, e := range happened {
		events[e.ID] = e
	}
	return nil
}

// eventOf is a delivery's event; that of a test stands in no feed and is made again.
func eventOf(d *model.Delivery, kept *model.Event) *model.Event {
	if !d.Test {
		return kept
	}
	sample := message.Sample(d.Event)
	sample.ID, sample.WorkspaceID, sample.Timestamp = d.EventID, d.WorkspaceID, d.CreatedAt
	return sample
}

// troubled locks the webhooks that a batch may change, in their order: those with failures, new or old, and those with a line.
func (s *Service) troubled(ctx context.Context, tx dbx.Tx, streaks map[string]*streak) ([]*model.Webhook, error) {
	changed := []string{""}
	for _, k := range streaks {
		if k.failed > 0 || k.ordered {
			changed = append(changed, k.id)
		}
	}
	var rows []*model.Webhook
	q := tx.NewSelect().Model(&rows).Where("id IN (?)", bun.In(keys(streaks))).
		Where("(consecutive_failures > 0 OR id IN (?))", bun.In(changed)).Order("id")
	return rows, dbx.Err(s.db.Locked(q).Scan(ctx))
}

// anyFails reports whether one of the webhooks has failed lately.
func (s *Service) anyFails(ctx context.Context, streaks map[string]*streak) (bool, error) {
	found, err := s.db.NewSelect().Model((*model.Webhook)(nil)).Where("id IN (?) AND consecutive_failures > 0", bun.In(keys(streaks))).Exists(ctx)
	return found, dbx.Err(err)
}

// save writes results to the deliveries that are still at their turns, all with one statement.
func save(ctx context.Context, db bun.IDB, rows []*settled) error {
	if len(rows) == 0 {
		return nil
	}
	q := db.NewUpdate().With("result", db.NewValues(&rows)).Model((*model.Delivery)(nil)).TableExpr("result")
	for _, column := range []string{"turn", "status", "attempts", "tries", "next_attempt_at", "waiting_since", "line", "delivered_at"} {
		q = q.Set("? = result.?", bun.Ident(column), bun.Ident(column))
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.RowID
	}
	// The list says the same as the join, and keeps a server from reading the whole table for it.
	_, err := q.Where("delivery.id IN (?)", bun.In(ids)).Where("delivery.id = result.row_id AND delivery.turn = result.at_turn").Exec(ctx)
	return dbx.Err(err)
}

// first are the oldest waiting deliveries of a webhook that no earlier one of their line stands before.
func first(ctx context.Context, tx dbx.Tx, webhookID string, limit int) ([]*model.Delivery, error) {
	var rows []*model.Delivery
	err := tx.NewSelect().Model(&rows).Column("id", "turn", "next_attempt_at").
		Where("webhook_id = ? AND waiting_since IS NOT NULL", webhookID).
		Where("(line IS NULL OR NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook_id = delivery.webhook_id" +
			" AND earlier.line = delivery.line AND earlier.position < delivery.position))").
		Order("position").Limit(int64(limit)).Scan(ctx)
	return rows, dbx.Err(err)
}

// queued gives deliveries their next turn.
func queued(ctx context.Context, tx dbx.Tx, ids []string) error {
	_, err := tx.NewUpdate().Model((*model.Delivery)(nil)).Set("turn = turn + 1, waiting_since = NULL").Where("id IN (?)", bun.In(ids)).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) webhooksWaiting(ctx context.Context, since time.Time) (ids []string, err error) {
	err = s.db.NewSelect().Model((*model.Delivery)(nil)).ColumnExpr("DISTINCT webhook_id").Where("waiting_since < ?", since).Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// lastUndelivered is the newest event that a webhook did not get, ready to be sent; nil when there is none.
func (s *Service) lastUndelivered(ctx context.Context, w *model.Webhook) (*result, error) {
	var rows []*model.Delivery
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND webhook_id = ?", w.WorkspaceID, w.ID).
		Where("status IN (?) AND NOT test", undelivered).Order("created_at DESC", "id DESC").Limit(1).Scan(ctx)
	if err != nil || len(rows) == 0 {
		return nil, dbx.Err(err)
	}
	found, err := s.parcels(ctx, []ref{{id: rows[0].ID}})
	p := found[rows[0].ID]
	if err != nil || p == nil || p.webhook == nil {
		return nil, err
	}
	return &result{parcel: p, at: s.now()}, nil
}
