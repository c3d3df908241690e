package webhook

import (
	"context"
	"log/slog"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// pause stops a webhook whose row is locked: what was still to be delivered is kept as skipped. One that failed is probed from then on.
func (s *Service) pause(ctx context.Context, tx dbx.Tx, w *model.Webhook, reason model.PausedReason) error {
	now := s.now()
	w.IsActive, w.PausedReason, w.PausedAt, w.Probes, w.ProbeAt = false, &reason, &now, 0, nil
	if reason == model.PausedReasonFailures {
		if err := s.probeLater(ctx, tx, w); err != nil {
			return err
		}
	}
	if reason != model.PausedReasonOwner {
		slog.WarnContext(ctx, "a webhook was paused", "webhook", w.ID, "workspace", w.WorkspaceID, "reason", string(reason))
	}
	if err := update(ctx, tx, w, state...); err != nil {
		return err
	}
	return skip(ctx, tx, w.WorkspaceID, w.ID)
}

// resume turns a webhook on again.
func resume(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	w.IsActive, w.PausedReason, w.PausedAt, w.Probes, w.ProbeAt, w.ConsecutiveFailures = true, nil, nil, 0, nil, 0
	return update(ctx, tx, w, state...)
}

// state are the columns that pausing and resuming change.
var state = []string{"is_active", "paused_reason", "paused_at", "probes", "probe_at", "consecutive_failures"}

// probeLater sets the time of a paused webhook's next probe.
func (s *Service) probeLater(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	at := s.now().Add(probeAfter(w.Probes))
	w.ProbeAt = &at
	w.Probes++
	return s.tasks.EnqueueTasks(ctx, tx, probeTask, job.Errand{Ref: ref{w.ID, w.Probes}.String(), At: at})
}

// OnPlan pauses the webhooks of a workspace whose new plan has none, and keeps them, in the transaction that changes the plan.
func OnPlan(ctx context.Context, tx dbx.Tx, workspaceID string, plan model.Plan) error {
	if plan != model.PlanFree {
		return nil
	}
	return pauseAll(ctx, tx, workspaceID)
}
