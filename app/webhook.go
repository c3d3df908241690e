package app

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/domain/webhook"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/seal"
)

// newWebhooks returns the webhook service. Its client has no pause between requests to one host.
func (a *App) newWebhooks(roots *x509.CertPool) *webhook.Service {
	client := fetch.New(fetch.Config{
		Allow: a.config.FetchAllow, Roots: roots, Timeout: webhook.SendTimeout, PerHost: webhook.MaxRunning,
		Pause: time.Nanosecond,
	})
	return webhook.New(webhook.Config{
		DB: a.db, Tasks: a.jobs, Accounts: a.accounts, HasLink: a.hasLink, HasSearch: a.hasSearch, ReadEvents: a.readEvents, Client: client,
		Sealer: a.sealer, OtherSecrets: a.otherSecrets,
		Audit: a.accounts.Audit, ChatURLs: a.config.ChatURLs, RecordChange: a.recordChange,
		AppendState: a.appendWebhookState, LockFeed: event.LockFeed,
	})
}

// otherSecrets returns how many passwords of mailboxes and secrets of authenticator apps are sealed,
// and the lost ones. It is a method because the ingest service is built after the webhooks.
func (a *App) otherSecrets(ctx context.Context, tx dbx.Tx) (sealed int, lost []webhook.LostSecret, err error) {
	sealed, sources, err := a.ingest.LostPasswords(ctx, tx)
	if err != nil {
		return 0, nil, err
	}
	for _, src := range sources {
		lost = append(lost, webhook.LostSecret{WorkspaceID: src.WorkspaceID, ID: src.ID, Name: src.Name,
			Action: "source.password_lost"})
	}
	factors, members, err := a.accounts.LostFactors(ctx, tx)
	for _, member := range members {
		lost = append(lost, webhook.LostSecret{WorkspaceID: member.WorkspaceID, ID: member.UserID, Name: member.UserID,
			Action: "second_factor.lost"})
	}
	return sealed + factors, lost, err
}

// checkSeal returns an error if the secrets of the database are sealed with another key. It is a
// method because the webhook service is built after the accounts.
func (a *App) checkSeal(ctx context.Context, tx dbx.Tx) error { return a.webhooks.CheckSealTx(ctx, tx) }

// recordChange adds a change of a row to the workspace's feed. It is a method because the event
// service is built after the services that use it.
func (a *App) recordChange(tx dbx.Tx, workspaceID, name, id string) {
	a.events.RecordChange(tx, workspaceID, name, id)
}

// appendWebhookState appends a pause or resumption to the workspace's feed, as recordChange does.
func (a *App) appendWebhookState(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	return a.events.AppendWebhookState(ctx, tx, w)
}

// lockFeedOnPlan locks the feed before a change of the plan pauses webhooks.
func lockFeedOnPlan(ctx context.Context, tx dbx.Tx, workspaceID string, _ model.Plan) error {
	return event.LockFeed(ctx, tx, workspaceID)
}

// recordBudget adds budget.reached to the workspace's feed, as recordChange does.
func (a *App) recordBudget(tx dbx.Tx, w *model.Workspace, percent int) {
	a.events.RecordBudget(tx, w, percent)
}

// readEvents returns stored events. It is a method because the event service is built after the
// webhook service, which is one of its hooks.
func (a *App) readEvents(ctx context.Context, ids []string) ([]*model.Event, error) {
	return a.events.ByIDs(ctx, ids)
}

// hasLink reports whether a workspace has the link.
func (a *App) hasLink(ctx context.Context, workspaceID, id string) (bool, error) {
	_, err := a.links.Summary(ctx, workspaceID, id)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// hasSearch reports whether a workspace has the saved search. It is a method because the service of
// saved searches is built after the webhooks.
func (a *App) hasSearch(ctx context.Context, workspaceID, id string) (bool, error) {
	return a.searches.Has(ctx, workspaceID, id)
}

// certPool returns the system's certificate authorities and the configured ones; nil without a
// setting.
func (c Config) certPool() (*x509.CertPool, error) {
	if c.FetchCA == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.FetchCA)
	if err != nil {
		return nil, fmt.Errorf("read ROSTRUM_FETCH_CA: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, errors.New("read ROSTRUM_FETCH_CA: the file has no certificate in PEM")
	}
	return roots, nil
}

// sealKeyBytes is the length of the key that encrypts secrets.
const sealKeyBytes = 32

// sealKey returns the configured key, or the one in the data directory, which is created once.
func (c Config) sealKey() ([]byte, error) {
	text := c.SealKey
	if text == "" {
		var err error
		if text, err = loadOrCreateKey(filepath.Join(c.DataDir, "seal.key")); err != nil {
			return nil, fmt.Errorf("keep the seal key: %w", err)
		}
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != sealKeyBytes {
		return nil, fmt.Errorf("ROSTRUM_SEAL_KEY, or seal.key in the data directory, is not %d bytes in base64",
			sealKeyBytes)
	}
	return key, nil
}

// newSealer returns the sealer of the configured key.
func (c Config) newSealer() (*seal.Sealer, error) {
	key, err := c.sealKey()
	if err != nil {
		return nil, err
	}
	return seal.New(key)
}

// loadOrCreateKey reads a file's key or creates it. Concurrent processes create one key, because
// each links a complete file to the name.
func loadOrCreateKey(path string) (string, error) {
	if text, err := os.ReadFile(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return string(text), err
	}
	key := make([]byte, sealKeyBytes)
	_, _ = rand.Read(key) // never fails
	temporary, err := os.CreateTemp(filepath.Dir(path), "seal-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err = errors.Join(err, temporary.Close()); err != nil {
		return "", err
	}
	if err := os.Link(temporary.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	text, err := os.ReadFile(path)
	return string(text), err
}
