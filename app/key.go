package app

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"rostrum/app/cli"
	"rostrum/domain/account"
	"rostrum/model"
)

type keyCommand struct {
	Mint   keyMint   `cmd:"" help:"Create a key and print its secret."`
	List   keyList   `cmd:"" help:"List a workspace's keys: id, start of the secret, scopes, state, when it was last used, name."`
	Revoke keyRevoke `cmd:"" help:"End a key. Processes that have just used it refuse it within 2 seconds."`
}

type keyMint struct {
	Workspace string        `required:"" help:"The workspace's id."`
	Name      string        `required:"" help:"The purpose of the key."`
	Scopes    []model.Scope `default:"read,write,admin" enum:"read,write,admin" help:"The scopes of the key."`
}

func (c keyMint) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		made, err := accounts.Mint(ctx, c.Workspace, "system", c.Name, c.Scopes, nil)
		if err == nil {
			fmt.Println(made.Secret)
		}
		return err
	})
}

type keyList struct {
	Workspace string `required:"" help:"The workspace's id."`
}

func (c keyList) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		keys, err := accounts.KeysOf(ctx, c.Workspace)
		for _, key := range keys {
			used := "never"
			if key.LastUsedAt != nil {
				used = key.LastUsedAt.Format(time.RFC3339)
			}
			scopes := make([]string, len(key.Scopes))
			for i, scope := range key.Scopes {
				scopes[i] = string(scope)
			}
			fmt.Printf("%s\t%s\t%s\t%s\t%s\t%s\n", key.ID, key.Prefix, strings.Join(scopes, ","), keyState(key), used,
				cli.CleanLine(key.Name))
		}
		return err
	})
}

// keyState returns whether a key works.
func keyState(key *model.APIKey) string {
	switch {
	case key.RevokedAt != nil:
		return "revoked"
	case key.ExpiresAt != nil && !model.Now().Before(*key.ExpiresAt):
		return "expired"
	}
	return "live"
}

type keyRevoke struct {
	Workspace string `required:"" help:"The workspace's id."`
	Key       string `required:"" help:"The key's id."`
}

func (c keyRevoke) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		return accounts.RevokeKeyOf(ctx, c.Workspace, c.Key)
	})
}

type versionCommand struct{}

func (versionCommand) Run() error {
	fmt.Println(version())
	return nil
}

// version returns the revision that the program was built from, and Go's version. A build outside
// a repository has no revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, changed := "unknown", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = " with changes"
		}
	}
	return fmt.Sprintf("rostrum %s%s, %s", revision, changed, info.GoVersion)
}
