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

	"rostrum/domain/webhook"
	"rostrum/errs"
	"rostrum/fetch"
)

// deliverer is the room of webhooks, with a client of its own: many posts at once to one host, and no pause between them.
func (a *App) deliverer() (*webhook.Service, error) {
	roots, err := a.config.roots()
	if err != nil {
		return nil, err
	}
	key, err := a.config.sealKey()
	if err != nil {
		return nil, err
	}
	client := fetch.New(fetch.Config{
		Allow: a.config.FetchAllow, Roots: roots, Timeout: webhook.SendTime, PerHost: webhook.Workers, Pause: time.Nanosecond,
	})
	return webhook.New(a.db, a.jobs, a.accounts, a.hasLink, client, webhook.Config{SealKey: key, ChatURLs: a.config.ChatURLs})
}

// hasLink reports whether a workspace has the link.
func (a *App) hasLink(ctx context.Context, workspaceID, id string) (bool, error) {
	_, err := a.links.Summary(ctx, workspaceID, id)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// roots are the system's authorities and those of the setting; nil when there is none.
func (c Config) roots() (*x509.CertPool, error) {
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

// sealKeyBytes is the length of the key that secrets are sealed under.
const sealKeyBytes = 32

// sealKey is the setting's, or the data directory's, where it is made once.
func (c Config) sealKey() ([]byte, error) {
	text := c.SealKey
	if text == "" {
		var err error
		if text, err = keptKey(filepath.Join(c.DataDir, "seal.key")); err != nil {
			return nil, fmt.Errorf("keep the seal key: %w", err)
		}
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != sealKeyBytes {
		return nil, fmt.Errorf("ROSTRUM_SEAL_KEY, or seal.key in the data directory, is not %d bytes in base64", sealKeyBytes)
	}
	return key, nil
}

// keptKey reads the file's key, or makes it. Of processes that start together one makes it, by linking a whole file to the name.
func keptKey(path string) (string, error) {
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
