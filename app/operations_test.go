package app

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"rostrum/app/cli"
	"rostrum/domain/account"
	"rostrum/model"
)

// TestOperations pushes a manifest, and starts a release whose schema breaks one of its operations.
func TestOperations(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, err := New(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(a.Handler())
		workspaceID, key, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Test"})
		if err != nil {
			t.Fatal(err)
		}
		manifest := filepath.Join(t.TempDir(), "manifest.json")
		push := operationsPush{Manifest: manifest, App: "web", Version: "12", Gateway: cli.Gateway{URL: server.URL, Key: key}}
		write := func(text string) {
			content, err := json.Marshal(map[string]string{"home": text})
			if err == nil {
				err = os.WriteFile(manifest, content, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		write("query Home {\n viewer { nothing } }")
		if err := push.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "Home, line 2: Cannot query field") {
			t.Errorf("an invalid operation is pushed: %v", err)
		}
		write("query Home { viewer { scopes } }")
		if err := push.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := (operationsCheck{}).Run(t.Context(), config); err != nil {
			t.Error(err)
		}
		narrow(t, a, workspaceID)
		server.Close()
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		refused(t, config, workspaceID)
		if err := (operationsRetire{Workspace: workspaceID, App: "web", Version: "12"}).Run(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		again, err := New(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	})
}

// narrow makes the operations those of an earlier release, in whose schema a viewer always has a
// role.
func narrow(t *testing.T, a *App, workspaceID string) {
	t.Helper()
	former := &model.OperationSchema{Hash: model.NewID("sch"),
		Text: "type Query { viewer: Viewer! }\ntype Viewer { role: Role! }\nenum Role { OWNER }"}
	_, err := a.db.NewInsert().Model(former).Exec(t.Context())
	for table, set := range map[string]string{"app_version": former.Hash,
		"registered_operation": "query Home { viewer { role } }"} {
		column := map[string]string{"app_version": "schema_hash", "registered_operation": "text"}[table]
		if err == nil {
			_, err = a.db.NewUpdate().Table(table).Set("? = ?", bun.Ident(column), set).
				Where("workspace_id = ?", workspaceID).Exec(t.Context())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks that neither a start nor a migration goes on, and that both name the operation.
func refused(t *testing.T, config Config, workspaceID string) {
	t.Helper()
	want := "workspace " + workspaceID + ", app web, version 12, operation Home: "
	for name, run := range map[string]func(context.Context, Config) error{
		"start": func(ctx context.Context, config Config) error {
			_, err := New(ctx, config)
			return err
		},
		"migrate": (migrateUp{}).Run,
	} {
		err := run(t.Context(), config)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "rostrum operations retire --workspace=") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (operationsCheck{}).Run(t.Context(), config); err == nil {
		t.Error("the check finds nothing")
	}
}
