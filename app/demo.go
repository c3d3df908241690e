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
	"rostrum/domain/persona"
	"rostrum/model"
	"rostrum/platform/principal"
)

// printBanner prints the addresses and, on a first start, creates the demo workspace.
func (a *App) printBanner(ctx context.Context) {
	url := a.config.publicURL()
	fmt.Fprintf(os.Stderr, "\n  Rostrum is ready.\n\n    console     %s/console/\n    playground  %s/playground\n    guide       %s/guide/\n    docs        %s/docs  %s/redoc\n    health      %s/healthz\n    texts by    %s\n", url, url, url, url, url, url, a.models.Model())
	if err := a.createDemo(ctx); err != nil {
		slog.Error("create the demo workspace", "error", err)
	}
	if err := a.offerSetup(ctx); err != nil {
		slog.Error("make the token of the first workspace", "error", err)
	}
	fmt.Fprintln(os.Stderr)
}

// createDemo creates the demo workspace once, prints its key, and fills it with bundled files.
func (a *App) createDemo(ctx context.Context) error {
	wanted, err := a.wantsDemo(ctx)
	if err != nil || !wanted {
		return err
	}
	workspace, secret, err := a.Provision(ctx, account.NewWorkspace{Name: "Demo", Plan: model.PlanPro, Demo: true,
		RunLimit: demoRuns})
	if err != nil {
		return err
	}
	if err := os.WriteFile(a.keyFile(), []byte(secret+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the demo key: %w", err)
	}
	// Browsers do not send the fragment, and the console removes it from the address. So the key is
	// only in the page's memory.
	fmt.Fprintf(os.Stderr, "\n    demo key    %s\n                (shown once; also in %s)\n    open        %s/console/#key=%s\n",
		secret, a.keyFile(), a.config.publicURL(), secret)
	go a.fillDemo(context.WithoutCancel(ctx), workspace)
	return nil
}

// demoRuns is the fixed run budget of a demo workspace.
const demoRuns = 1000

func (a *App) keyFile() string { return filepath.Join(a.config.DataDir, "demo.key") }

// wantsDemo reports whether this start creates the demo workspace: if requested, or with an empty
// embedded database.
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

// fillDemo creates the personas and ingests the bundled files.
func (a *App) fillDemo(ctx context.Context, workspaceID string) {
	as := principal.With(ctx, principal.Principal{WorkspaceID: workspaceID})
	for _, profile := range demoPersonas {
		if _, err := a.personas.Create(as, profile.Input()); err != nil {
			slog.Error("create a demo persona", "persona", profile.Name, "error", err)
		}
	}
	for _, file := range sample.Files {
		if err := a.storeSample(ctx, workspaceID, file); err != nil {
			slog.Error("ingest a bundled file", "file", file.Name, "error", err)
		}
	}
}

// demoPersonas have different interests, so that they react differently to the same text.
var demoPersonas = []persona.Profile{
	{
		Name: "Coastal Investors", Category: "investors", Description: "Funds that own shares of utilities.",
		Interests:          "revenue, break even, dividends, new turbines",
		Concerns:           "operating loss, debt, cost overruns, delays",
		CommunicationStyle: "Short and numerate.",
	},
	{
		Name: "Kirkholm Crews", Category: "community", Description: "The crews of the boats that fish the sound.",
		Interests:          "lobster ground, compensation, lost gear paid for",
		Concerns:           "exclusion zone, lost nets, broken promises",
		CommunicationStyle: "Plain and warm.",
	},
	{
		Name: "Marit Solheim", Category: "press", Description: "A reporter on energy for a national paper.",
		Interests: "wildlife counts, independent figures, safety", Concerns: "late counts, late compensation, lobbying",
		CommunicationStyle: "Sceptical; asks for sources.",
	},
}

func (a *App) storeSample(ctx context.Context, workspaceID string, file sample.File) error {
	body, err := file.Read()
	if err != nil {
		return err
	}
	_, err = a.ingest.Store(ctx, workspaceID, ingest.File{
		Name: file.Name, MediaType: file.MediaType, Body: body, Provenance: model.MediaProvenance(file.Provenance),
	})
	return err
}
