package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rostrum/domain/account"
)

// setupPage is the console's page that creates the first workspace. Browsers do not send the token
// after #.
const setupPage = "/console/setup#"

// offerSetup prints the address at which a browser creates the first workspace, while there is
// none. The token in it is only in the log and in a file that only the server's user can read, so
// that a stranger on the network cannot take the installation, also on loopback: what listens there
// may be published by a proxy.
func (a *App) offerSetup(ctx context.Context) error {
	needed, err := a.accounts.NeedsSetup(ctx)
	if err != nil {
		return err
	}
	if !needed {
		return ignoreMissing(os.Remove(a.setupFile()))
	}
	token, err := a.setupToken()
	if err != nil {
		return err
	}
	if err := a.accounts.AddSetupToken(ctx, token); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "\n    first run   %s%s%s\n                (creates a workspace and its owner; the token is also in %s)\n",
		a.config.publicURL(), setupPage, token, a.setupFile())
	return nil
}

func (a *App) setupFile() string { return filepath.Join(a.config.DataDir, "setup.token") }

// setupToken returns the token of an earlier start, or a new one that it writes to the file.
func (a *App) setupToken() (string, error) {
	known, err := os.ReadFile(a.setupFile())
	if err == nil && account.IsSecret(strings.TrimSpace(string(known))) {
		return strings.TrimSpace(string(known)), nil
	}
	if err := ignoreMissing(err); err != nil {
		return "", fmt.Errorf("read the setup token: %w", err)
	}
	token, err := account.NewSetupToken()
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(a.setupFile(), []byte(token+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("write the setup token: %w", err)
	}
	return token, nil
}

// ignoreMissing returns an error that is not about a missing file.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
