package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/domain/webhook/message"
	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/model"
)

// List reads the caller's webhooks in the order in which they were made.
func (s *Service) List(ctx context.Context) ([]*model.Webhook, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.all(ctx, p.WorkspaceID)
}

// Get reads one webhook; nil when the workspace has none of that id.
func (s *Service) Get(ctx context.Context, id string) (*model.Webhook, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.one(ctx, p.WorkspaceID, id)
	return dbx.OrNone(w, err)
}

// Create makes a webhook. It fails with upgrade_required on the free plan, with validation_failed for an address that is not https or not
// public, and with not_found for a link that the workspace does not have.
func (s *Service) Create(ctx context.Context, in model.CreateWebhookInput) (*model.CreateWebhookPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	w := s.fresh(p.WorkspaceID, in)
	foreign := s.ownLink(ctx, p.WorkspaceID, w.LinkID) // asked here: a transaction that waits for another connection can wait for ever
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.entitled(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if bad := s.check(in); len(bad) > 0 {
			return errs.Invalid(bad...)
		}
		if foreign != nil {
			return foreign
		}
		_, err := tx.NewInsert().Model(w).Exec(ctx)
		return dbx.Err(err)
	})
	if err != nil {
		return nil, fmt.Errorf("create webhook: %w", err)
	}
	return &model.CreateWebhookPayload{Webhook: w}, nil
}

func (s *Service) fresh(workspaceID string, in model.CreateWebhookInput) *model.Webhook {
	w := &model.Webhook{
		ID: model.NewID(model.WebhookPrefix), WorkspaceID: workspaceID, LinkID: in.LinkID.Value(), URL: strings.TrimSpace(in.URL),
		Label: model.ValueOr(in.Label.Value(), ""), IsActive: model.ValueOr(in.IsActive.Value(), true), Events: in.Events.Value(),
		Ordered: model.ValueOr(in.Ordered.Value(), false), CreatedAt: s.now(),
	}
	if !w.IsActive {
		reason := model.PausedReasonOwner
		w.PausedReason, w.PausedAt = &reason, &w.CreatedAt
	}
	if model.ValueOr(in.Signing.Value(), false) {
		secret := message.NewSecret()
		w.Secret, w.SigningSecret = s.seal(w.ID, secret), &secret
	}
	return w
}

// entitled reports whether the workspace's plan has webhooks, and holds it so.
func (s *Service) entitled(ctx context.Context, tx dbx.Tx, workspaceID string) error {
	plan, err := s.accounts.PlanForUpdate(ctx, tx, workspaceID)
	if err != nil || plan != model.PlanFree {
		return err
	}
	return errs.New(errs.UpgradeRequired, "webhooks are a feature of the pro and team plans; upgrade the workspace to use them").With("upgrade_required", true)
}

// check names what is wrong with a new webhook. Where a name leads is not asked here: it is checked each time it is dialled.
func (s *Service) check(in model.CreateWebhookInput) (bad []errs.Field) {
	u, err := s.client.CheckURL(in.URL)
	if failure, ok := errors.AsType[*fetch.Error](err); ok {
		bad = append(bad, errs.BodyField("url_refused", sentences[failure.Kind], "url"))
	} else if u.Scheme != "https" {
		bad = append(bad, errs.BodyField("url_scheme", "must be an https address", "url"))
	}
	for i, event := range in.Events.Value() {
		if message.Sample(event) == nil {
			bad = append(bad, errs.BodyField("enum", "is no event that webhooks hear of", "events", i))
		}
	}
	return bad
}

var sentences = map[fetch.Kind]string{
	fetch.BadURL:  "must be an absolute https address without user name and password",
	fetch.Scheme:  "must be an https address",
	fetch.Blocked: "is a private or reserved address, which webhooks do not reach",
}

func (s *Service) ownLink(ctx context.Context, workspaceID string, linkID *string) error {
	if linkID == nil {
		return nil
	}
	found, err := s.hasLink(ctx, workspaceID, *linkID)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "the workspace has no link of that link_id")
	}
	return err
}

// Update pauses, resumes or renames a webhook. It fails with not_found, with validation_failed where nothing is to be changed, and with
// upgrade_required where a plan without webhooks would resume one.
func (s *Service) Update(ctx context.Context, id string, in model.UpdateWebhookInput) (*model.UpdateWebhookPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if _, err = s.one(ctx, p.WorkspaceID, id); err != nil {
		return nil, fmt.Errorf("update webhook: %w", err)
	}
	if err := patch(in); err != nil {
		return nil, fmt.Errorf("update webhook: %w", err)
	}
	var w *model.Webhook
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if active := in.IsActive.Value(); active != nil && *active {
			if err := s.entitled(ctx, tx, p.WorkspaceID); err != nil {
				return err
			}
		}
		if w, err = s.oneForUpdate(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		return s.amend(ctx, tx, w, in)
	})
	if err != nil {
		return nil, fmt.Errorf("update webhook: %w", err)
	}
	return &model.UpdateWebhookPayload{Webhook: w}, nil
}

// patch refuses one that says nothing.
func patch(in model.UpdateWebhookInput) error {
	switch {
	case !in.IsActive.IsSet() && !in.Label.IsSet():
		msg := "at least one of is_active and label is required; nothing else can be changed"
		return errs.Invalid(errs.BodyField("missing", msg, "isActive"), errs.BodyField("missing", msg, "label"))
	case in.IsActive.IsSet() && in.IsActive.Value() == nil:
		return errs.Invalid(errs.BodyField("bool_type", "must be true or false", "isActive"))
	}
	return nil
}

func (s *Service) amend(ctx context.Context, tx dbx.Tx, w *model.Webhook, in model.UpdateWebhookInput) error {
	if in.Label.IsSet() {
		w.Label = model.ValueOr(in.Label.Value(), "")
		if err := update(ctx, tx, w, "label"); err != nil {
			return err
		}
	}
	active := in.IsActive.Value()
	switch {
	case active == nil:
		return nil
	case *active && !w.IsActive:
		return resume(ctx, tx, w)
	case !*active && (w.IsActive || *w.PausedReason == model.PausedReasonFailures):
		return s.pause(ctx, tx, w, model.PausedReasonOwner)
	}
	return nil
}

// Delete removes a webhook with its deliveries, those that are still to be made too. It fails with not_found.
func (s *Service) Delete(ctx context.Context, id string) (*model.DeleteWebhookPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.oneForUpdate(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		return remove(ctx, tx, p.WorkspaceID, id)
	})
	if err != nil {
		return nil, fmt.Errorf("delete webhook: %w", err)
	}
	return &model.DeleteWebhookPayload{ID: id}, nil
}

// Rotate gives a webhook a new signing secret, its first one if it does not sign yet, and shows it once; the former one signs beside it
// for the overlap, 24 hours unless said otherwise. It fails with not_found.
func (s *Service) Rotate(ctx context.Context, id string, in *model.RotateWebhookSecretInput) (*model.RotateWebhookSecretPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	overlap := 24 * time.Hour
	if in != nil && in.OverlapSeconds.Value() != nil {
		overlap = time.Duration(*in.OverlapSeconds.Value()) * time.Second
	}
	secret := message.NewSecret()
	out := &model.RotateWebhookSecretPayload{Secret: secret}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.oneForUpdate(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		if w.FormerSecret, w.FormerUntil = nil, nil; w.Signed() && overlap > 0 {
			until := s.now().Add(overlap)
			w.FormerSecret, w.FormerUntil = w.Secret, &until
		}
		w.Secret, out.PreviousValidUntil = s.seal(w.ID, secret), w.FormerUntil
		return update(ctx, tx, w, "secret", "former_secret", "former_until")
	})
	if err != nil {
		return nil, fmt.Errorf("rotate secret: %w", err)
	}
	return out, nil
}
