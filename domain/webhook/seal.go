package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// storedSeal is the fingerprint of the key that encrypts the secrets of this database. There is at
// most one row.
type storedSeal struct {
	bun.BaseModel `bun:"table:seal_key"`

	ID          int       `bun:"id,pk"`
	Fingerprint string    `bun:"fingerprint"`
	CreatedAt   time.Time `bun:"created_at"`
}

// OtherSecrets returns how many secrets another package has sealed, and those that the key cannot
// decrypt.
type OtherSecrets func(ctx context.Context, tx dbx.Tx) (sealed int, lost []LostSecret, err error)

// LostSecret is a secret that the key cannot decrypt, for example that of a webhook. Action is that of
// its entry in the audit log.
type LostSecret struct{ WorkspaceID, ID, Name, Action string }

// CheckSeal returns an error if the database has secrets that were encrypted with another key, so
// that a gateway with a lost key does not start.
func (s *Service) CheckSeal(ctx context.Context) error { return s.db.InTx(ctx, s.CheckSealTx) }

// CheckSealTx stores the key's fingerprint if the database has no secrets yet. It returns an error
// that names the remedy if they were encrypted with another key.
func (s *Service) CheckSealTx(ctx context.Context, tx dbx.Tx) error {
	row := new(storedSeal)
	stored, err := dbx.NilIfNotFound(row, dbx.Err(tx.NewSelect().Model(row).Where("id = 1").Scan(ctx)))
	if err != nil || stored != nil && stored.Fingerprint == s.sealer.Fingerprint() {
		return err
	}
	signed, lost, err := s.lostSecrets(ctx, tx)
	if err != nil {
		return err
	}
	others, lostOthers, err := s.others(ctx, tx)
	if err != nil {
		return err
	}
	if len(lost)+len(lostOthers) > 0 || signed+others > 0 && stored != nil {
		return errs.New(errs.Internal, "this server's seal key is not the one that encrypts the signing secrets of %d webhooks and %d passwords of "+
			"mailboxes and secrets of authenticator apps in this database: restore ROSTRUM_SEAL_KEY, or seal.key of the data "+
			"directory, from the backup. If it is lost, run \"rostrum seal renew\", which names the webhooks whose secrets must be "+
			"rotated, the sources whose passwords must be entered again, and the users who need a new second factor", signed, others)
	}
	return s.storeSeal(ctx, tx)
}

// storeSeal stores the fingerprint of the service's key.
func (s *Service) storeSeal(ctx context.Context, tx dbx.Tx) error {
	_, err := tx.NewInsert().Model(&storedSeal{ID: 1, Fingerprint: s.sealer.Fingerprint(), CreatedAt: s.now()}).
		On("CONFLICT (id) DO UPDATE").Set("fingerprint = EXCLUDED.fingerprint, created_at = EXCLUDED.created_at").
		Exec(ctx)
	return dbx.Err(err)
}

// lostSecrets returns how many webhooks sign, and those whose secret the service's key cannot
// decrypt.
func (s *Service) lostSecrets(ctx context.Context, tx dbx.Tx) (signed int, lost []*model.Webhook, err error) {
	var rows []*model.Webhook
	err = tx.NewSelect().Model(&rows).Column("id", "workspace_id", "label", "secret").Where("secret IS NOT NULL").
		Order("workspace_id", "id").Scan(ctx)
	for _, w := range rows {
		if _, err := s.unsealSecret(w.ID, w.Secret); err != nil {
			lost = append(lost, w)
		}
	}
	return len(rows), lost, dbx.Err(err)
}

// RenewSeal makes the service's key the one of the database, after the former one was lost. It
// returns the webhooks whose secrets are lost, whose deliveries fail until the secret is rotated, and
// the lost secrets of other packages. The audit log has an entry for each.
func (s *Service) RenewSeal(ctx context.Context) (lost []LostSecret, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, webhooks, err := s.lostSecrets(ctx, tx)
		if err != nil {
			return err
		}
		if _, lost, err = s.others(ctx, tx); err != nil {
			return err
		}
		for _, w := range webhooks {
			lost = append(lost, LostSecret{w.WorkspaceID, w.ID, w.Label, "webhook.secret_lost"})
		}
		for _, secret := range lost {
			if err := s.audit(ctx, tx, secret.WorkspaceID, secret.Action, secret.ID, map[string]any{"name": secret.Name}); err != nil {
				return err
			}
		}
		return s.storeSeal(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("renew the seal key: %w", err)
	}
	return lost, nil
}
