package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"rostrum/domain/account"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/sample"
	"rostrum/model"
)

// greet says where everything is and, on a first start, makes the demo workspace.
func (a *App) greet(ctx context.Context) {
	url := a.config.publicURL()
	fmt.Fprintf(os.Stderr, "\n  Rostrum is ready.\n\n    playground  %s/playground\n    docs        %s/docs  %s/redoc\n    health      %s/healthz\n", url, url, url, url)
	if err := a.demo(ctx); err != nil {
		slog.Error("the demo workspace could not be made", "error", err)
	}
	fmt.Fprintln(os.Stderr)
}

// demo makes the demo workspace, prints its key, and fills it from the bundled files; once.
func (a *App) demo(ctx context.Context) error {
	wanted, err := a.wantsDemo(ctx)
	if err != nil || !wanted {
		return err
	}
	workspace, secret, err := a.Provision(ctx, account.NewWorkspace{Name: "Demo", Plan: model.PlanPro, Demo: true, RunLimit: demoRuns})
	if err != nil {
		return err
	}
	if err := os.WriteFile(a.keyFile(), []byte(secret+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the demo key: %w", err)
	}
	fmt.Fprintf(os.Stderr, "\n    demo key    %s\n                (shown once; also in %s)\n    try         %s/playground#key=%s\n",
		secret, a.keyFile(), a.config.publicURL(), secret)
	go a.fill(context.WithoutCancel(ctx), workspace)
	return nil
}

// demoRuns is the fixed budget of a demo workspace.
const demoRuns = 1000

func (a *App) keyFile() string { return filepath.Join(a.config.DataDir, "demo.key") }

// wantsDemo reports whether this start makes the demo workspace: asked for or on an embedded database, and never twice.
func (a *App) wantsDemo(ctx context.Context) (bool, error) {
	wanted := a.config.Database == ""
	if a.config.Demo != nil {
		wanted = *a.config.Demo
	}
	if !wanted {
		return false, nil
	}
	if _, err := os.Stat(a.keyFile()); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	empty, err := a.accounts.Empty(ctx)
	return empty, err
}

// fill puts the bundled files through the same extraction as any source.
func (a *App) fill(ctx context.Context, workspaceID string) {
	for _, file := range sample.Files {
		if err := a.store(ctx, workspaceID, file); err != nil {
			slog.Error("a bundled file could not be stored", "file", file.Name, "error", err)
		}
	}
}

func (a *App) store(ctx context.Context, workspaceID string, file sample.File) error {
	body, err := file.Read()
	if err != nil {
		return err
	}
	_, err = a.ingest.Store(ctx, workspaceID, ingest.File{
		Name: file.Name, MediaType: file.MediaType, Body: body, Provenance: model.MediaProvenance(file.Provenance),
	})
	return err
}
