package webhook

import (
	"context"
	"log/slog"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
)

// pauseWebhook pauses a locked webhook. If the reason is failures, its open deliveries are kept and
// probes begin; otherwise its open deliveries are skipped.
func (s *Service) pauseWebhook(ctx context.Context, tx dbx.Tx, w *model.Webhook, reason model.PausedReason) error {
	now := s.now()
	w.IsActive, w.PausedReason, w.PausedAt, w.Probes, w.ProbeAt = false, &reason, &now, 0, nil
	if reason == model.PausedReasonFailures {
		if err := s.scheduleProbe(ctx, tx, w); err != nil {
			return err
		}
	}
	if reason != model.PausedReasonOwner {
		slog.WarnContext(ctx, "a webhook was paused", "webhook", w.ID, "workspace", w.WorkspaceID, "reason",
			string(reason))
	}
	if err := s.switchState(ctx, tx, w); err != nil {
		return err
	}
	if err := updateColumns(ctx, tx, w, stateColumns...); err != nil {
		return err
	}
	if w.Held() {
		return holdOpenDeliveries(ctx, tx, w, now)
	}
	return skipOpenDeliveries(ctx, tx, w.WorkspaceID, w.ID)
}

// resumeWebhook activates a locked webhook. It releases the deliveries kept while it failed, the
// oldest first.
func (s *Service) resumeWebhook(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	w.IsActive, w.PausedReason, w.PausedAt, w.Probes, w.ProbeAt, w.ConsecutiveFailures, w.FailingSince = true, nil, nil,
		0, nil, 0, nil
	tx.AfterCommit(func() { s.deferred.addIDs(w.ID) })
	if err := s.switchState(ctx, tx, w); err != nil {
		return err
	}
	return updateColumns(ctx, tx, w, stateColumns...)
}

// stateColumns are the columns that change when a webhook is paused or resumed.
var stateColumns = []string{"is_active", "paused_reason", "paused_at", "probes", "probe_at", "consecutive_failures",
	"failing_since", "switches"}

// scheduleProbe enqueues the next probe of a paused webhook; the caller saves the webhook.
func (s *Service) scheduleProbe(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	at := s.now().Add(probeDelay(w.Probes))
	w.ProbeAt = &at
	w.Probes++
	return s.tasks.EnqueueTasks(ctx, tx, JobProbe, job.TaskArgs{Ref: taskRef{w.ID, w.Probes}.String(), At: at})
}

// PauseOnFreePlan pauses the webhooks of a workspace that changes to the free plan, in the
// transaction of the change. It does nothing for other plans.
func PauseOnFreePlan(ctx context.Context, tx dbx.Tx, workspaceID string, plan model.Plan) error {
	if plan != model.PlanFree {
		return nil
	}
	return pauseWorkspace(ctx, tx, workspaceID)
}
