package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/domain/account"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/sample"
	"rostrum/model"
)

// greet says where everything is and, on a first start, makes the demo workspace.
func (a *App) greet(ctx context.Context) {
	url := a.config.publicURL()
	fmt.Fprintf(os.Stderr, "\n  Rostrum is ready.\n\n    playground  %s/playground\n    docs        %s/docs  %s/redoc\n    health      %s/healthz\n    texts by    %s\n", url, url, url, url, a.models.Model())
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

// fill makes the personas, and puts the bundled files that one can ask them about through the same extraction as any source.
func (a *App) fill(ctx context.Context, workspaceID string) {
	as := model.WithPrincipal(ctx, model.Principal{WorkspaceID: workspaceID})
	for _, one := range demoPersonas {
		if _, err := a.personas.Create(as, one.input()); err != nil {
			slog.Error("a persona could not be made", "persona", one.name, "error", err)
		}
	}
	for _, file := range sample.Files {
		if err := a.store(ctx, workspaceID, file); err != nil {
			slog.Error("a bundled file could not be stored", "file", file.Name, "error", err)
		}
	}
}

// demoPersona is somebody to ask in the demo workspace.
type demoPersona struct{ name, category, description, interests, concerns, style string }

// demoPersonas care for different things, so that they answer differently to the same text.
var demoPersonas = []demoPersona{
	{"Coastal Investors", "investors", "Funds that own shares of utilities.", "revenue, break even, dividends, new turbines",
		"operating loss, debt, cost overruns, delays", "Short and numerate."},
	{"Kirkholm Crews", "community", "The crews of the boats that fish the sound.", "lobster ground, compensation, lost gear paid for",
		"exclusion zone, lost nets, broken promises", "Plain and warm."},
	{"Marit Solheim", "press", "A reporter on energy for a national paper.", "wildlife counts, independent figures, safety",
		"late counts, late compensation, lobbying", "Sceptical; asks for sources."},
}

func (p demoPersona) input() model.CreatePersonaInput {
	return model.CreatePersonaInput{
		Name: p.name, Category: graphql.OmittableOf(&p.category), Description: graphql.OmittableOf(&p.description),
		Interests: graphql.OmittableOf(&p.interests), Concerns: graphql.OmittableOf(&p.concerns),
		CommunicationStyle: graphql.OmittableOf(&p.style),
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
