package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/webhook/message"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
	"rostrum/platform/principal"
)

// hideAddress removes the secret part of a chat's address for callers who may not change webhooks,
// because anyone can post with it. They see for example https://hooks.slack.com/hidden.
func (s *Service) hideAddress(p principal.Principal, w *model.Webhook) {
	if p.Allows(model.ScopeWrite) || !message.IsChat(w.URL, s.chatURLs) {
		return
	}
	if u, err := url.Parse(w.URL); err == nil {
		w.URL = u.Scheme + "://" + u.Host + "/hidden"
	}
}

// Get returns a webhook, or nil if the workspace has no webhook with this id.
func (s *Service) Get(ctx context.Context, id string) (*model.Webhook, error) {
	p := principal.Must(ctx)
	w, err := s.findWebhook(ctx, p.WorkspaceID, id)
	if err == nil {
		s.hideAddress(p, w)
	}
	return dbx.NilIfNotFound(w, err)
}

// maxWebhooks limits the webhooks of a workspace: each event makes a delivery for each of them.
const maxWebhooks = 50

// Create creates a webhook. It returns errs.UpgradeRequired on the free plan, errs.NotFound for an
// unknown link or saved search, and errs.Conflict if the workspace has 50 webhooks. It returns
// errs.ValidationFailed for a URL that is not https or not public.
func (s *Service) Create(ctx context.Context, in api.CreateWebhookInput) (*api.CreateWebhookPayload, error) {
	p := principal.Must(ctx)
	w := s.newWebhook(p.WorkspaceID, in)
	// before the transaction, which must not wait for a second connection: that can deadlock
	subjectErr := s.checkSubjects(ctx, w)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.checkPlan(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if err := s.validateInput(in); err != nil {
			return err
		}
		if subjectErr != nil {
			return subjectErr
		}
		if w.Signed() {
			if err := s.CheckSealTx(ctx, tx); err != nil {
				return err
			}
		}
		if err := insertWebhook(ctx, tx, w); err != nil {
			return err
		}
		s.markChanged(tx, w)
		return s.audit(ctx, tx, p.WorkspaceID, "webhook.created", w.ID, webhookDetails(w))
	})
	if err != nil {
		return nil, fmt.Errorf("create webhook: %w", err)
	}
	return &api.CreateWebhookPayload{Webhook: w}, nil
}

// webhookDetails returns the audit details of a webhook. The path of its address may be a secret.
func webhookDetails(w *model.Webhook) map[string]any {
	host := ""
	if u, err := url.Parse(w.URL); err == nil {
		host = u.Host
	}
	return map[string]any{"label": w.Label, "host": host, "is_active": w.IsActive}
}

func (s *Service) newWebhook(workspaceID string, in api.CreateWebhookInput) *model.Webhook {
	w := &model.Webhook{
		ID: model.NewID(model.WebhookPrefix), WorkspaceID: workspaceID, LinkID: in.LinkID.Value(),
		SearchID: in.SearchID.Value(), URL: strings.TrimSpace(in.URL),
		Label: optional.ValueOr(in.Label.Value(), ""), IsActive: optional.ValueOr(in.IsActive.Value(), true),
		Events:  in.Events.Value(),
		Ordered: optional.ValueOr(in.Ordered.Value(), false), CreatedAt: s.now(),
	}
	if !w.IsActive {
		reason := model.PausedReasonOwner
		w.PausedReason, w.PausedAt = &reason, &w.CreatedAt
	}
	if optional.ValueOr(in.Signing.Value(), false) {
		secret := message.NewSecret()
		w.Secret, w.SigningSecret = s.sealer.Seal(w.ID, secret), &secret
	}
	return w
}

// checkPlan locks the workspace's plan for the transaction. It returns errs.UpgradeRequired on the
// free plan.
func (s *Service) checkPlan(ctx context.Context, tx dbx.Tx, workspaceID string) error {
	plan, err := s.accounts.PlanForUpdate(ctx, tx, workspaceID)
	if err != nil || plan != model.PlanFree {
		return err
	}
	return errs.New(errs.UpgradeRequired, "webhooks are a feature of the pro and team plans; upgrade the workspace to use them").With("upgrade_required", true)
}

// validateInput returns an error that names every invalid field. It does not resolve host names,
// because their addresses are checked on every connection.
func (s *Service) validateInput(in api.CreateWebhookInput) error {
	var invalid errs.FieldErrors
	u, err := s.client.CheckURL(in.URL)
	if failure, ok := errors.AsType[*fetch.Error](err); ok {
		invalid.Body("url_refused", urlMessages[failure.Kind], "url")
	} else if u.Scheme != "https" {
		invalid.Body("url_scheme", "must be an https address", "url")
	}
	for i, event := range in.Events.Value() {
		if message.Sample(event) == nil {
			invalid.Body("enum", "is not an event that webhooks receive", "events", i)
		} else if in.LinkID.Value() != nil && !slices.Contains(model.LinkEventTypes, event) {
			invalid.Body("conflict", "is not an event of a link: leave out link_id, or this event", "events", i)
		}
	}
	if in.SearchID.Value() != nil && !slices.Contains(in.Events.Value(), model.EventTypeSearchMatched) {
		invalid.Body("conflict", "needs search.matched in events", "searchId")
	}
	return invalid.Err()
}

var urlMessages = map[fetch.Kind]string{
	fetch.BadURL:  "must be an absolute https address without user name and password",
	fetch.Scheme:  "must be an https address",
	fetch.Blocked: "is a private or reserved address, which webhooks do not reach",
}

// checkSubjects returns errs.NotFound if the workspace lacks the link or the saved search of a new
// webhook.
func (s *Service) checkSubjects(ctx context.Context, w *model.Webhook) error {
	for _, subject := range []struct {
		id         *string
		has        func(ctx context.Context, workspaceID, id string) (bool, error)
		name, what string
	}{{w.LinkID, s.hasLink, "link_id", "link"}, {w.SearchID, s.hasSearch, "search_id", "saved search"}} {
		if subject.id == nil {
			continue
		}
		found, err := subject.has(ctx, w.WorkspaceID, *subject.id)
		if err == nil && !found {
			err = errs.New(errs.NotFound, "the workspace has no %s with this %s", subject.what, subject.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Update pauses, resumes or renames a webhook. It returns errs.NotFound for an unknown id,
// errs.ValidationFailed for an empty patch, and errs.UpgradeRequired if the plan does not allow to
// resume it.
func (s *Service) Update(ctx context.Context, in api.UpdateWebhookInput) (*api.UpdateWebhookPayload, error) {
	p := principal.Must(ctx)
	if _, err := s.findWebhook(ctx, p.WorkspaceID, in.WebhookID); err != nil {
		return nil, fmt.Errorf("update webhook: %w", err)
	}
	if err := validatePatch(in); err != nil {
		return nil, fmt.Errorf("update webhook: %w", err)
	}
	var w *model.Webhook
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if active := in.IsActive.Value(); active != nil && *active {
			if err := s.checkPlan(ctx, tx, p.WorkspaceID); err != nil {
				return err
			}
		}
		if w, err = s.findForUpdate(ctx, tx, p.WorkspaceID, in.WebhookID); err != nil {
			return err
		}
		if err := s.applyPatch(ctx, tx, w, in); err != nil {
			return err
		}
		s.markChanged(tx, w)
		return s.audit(ctx, tx, p.WorkspaceID, "webhook.updated", w.ID, webhookDetails(w))
	})
	if err != nil {
		return nil, fmt.Errorf("update webhook: %w", err)
	}
	return &api.UpdateWebhookPayload{Webhook: w}, nil
}

// validatePatch returns an error for an empty patch.
func validatePatch(in api.UpdateWebhookInput) error {
	var invalid errs.FieldErrors
	switch {
	case !in.IsActive.IsSet() && !in.Label.IsSet():
		msg := "at least one of is_active and label is required; nothing else can be changed"
		invalid.Body("missing", msg, "isActive")
		invalid.Body("missing", msg, "label")
	case in.IsActive.IsSet() && in.IsActive.Value() == nil:
		invalid.Body("bool_type", "must be true or false", "isActive")
	}
	return invalid.Err()
}

func (s *Service) applyPatch(ctx context.Context, tx dbx.Tx, w *model.Webhook, in api.UpdateWebhookInput) error {
	if in.Label.IsSet() {
		w.Label = optional.ValueOr(in.Label.Value(), "")
		if err := updateColumns(ctx, tx, w, "label"); err != nil {
			return err
		}
	}
	active := in.IsActive.Value()
	switch {
	case active == nil:
		return nil
	case *active && !w.IsActive:
		return s.resumeWebhook(ctx, tx, w)
	case !*active && (w.IsActive || *w.PausedReason == model.PausedReasonFailures):
		return s.pauseWebhook(ctx, tx, w, model.PausedReasonOwner)
	}
	return nil
}

// Delete deletes a webhook with its deliveries, also unsent ones. It returns errs.NotFound for an
// unknown id.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteWebhookPayload, error) {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.findForUpdate(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		if err := deleteWebhook(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		s.markChanged(tx, w)
		return s.audit(ctx, tx, p.WorkspaceID, "webhook.deleted", id, webhookDetails(w))
	})
	if err != nil {
		return nil, fmt.Errorf("delete webhook: %w", err)
	}
	return &api.DeleteWebhookPayload{DeletedID: id}, nil
}

// Rotate creates a new signing secret and returns it once. Until the overlap ends, 24 hours by
// default, deliveries are signed with both secrets, and with earlier ones in their overlap. It
// returns errs.NotFound for an unknown id, and errs.Conflict for too many overlaps.
func (s *Service) Rotate(ctx context.Context, in api.RotateWebhookSecretInput) (*api.RotateWebhookSecretPayload,
	error) {
	p := principal.Must(ctx)
	overlap := 24 * time.Hour
	if seconds := in.OverlapSeconds.Value(); seconds != nil {
		overlap = time.Duration(*seconds) * time.Second
	}
	secret := message.NewSecret()
	out := &api.RotateWebhookSecretPayload{Secret: secret}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.findForUpdate(ctx, tx, p.WorkspaceID, in.WebhookID)
		if err != nil {
			return err
		}
		if err := s.CheckSealTx(ctx, tx); err != nil {
			return err
		}
		out.Webhook = w
		if out.PreviousValidUntil, err = s.replaceSecret(w, secret, overlap); err != nil {
			return err
		}
		if err := updateColumns(ctx, tx, w, "secret", "former_secret", "former_until"); err != nil {
			return err
		}
		s.markChanged(tx, w)
		return s.audit(ctx, tx, p.WorkspaceID, "webhook.secret_rotated", w.ID,
			map[string]any{"previous_valid_until": out.PreviousValidUntil})
	})
	if err != nil {
		return nil, fmt.Errorf("rotate secret: %w", err)
	}
	return out, nil
}
