package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/app/cli"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/event"
	"rostrum/domain/operation"
	"rostrum/graph"
)

// newOperations returns the service of registered operations.
func (b *stores) newOperations(accounts *account.Service) *operation.Service {
	return operation.New(operation.Config{DB: b.db, Live: b.live, Schema: graph.Schema(), SDL: graph.SDL(),
		LockWorkspace: accounts.LockWorkspace, Audit: accounts.Audit})
}

// operationsMigration ends the name of the migration that makes the tables of registered operations.
const operationsMigration = "_app_version"

// hasOperations reports whether the database has the tables of registered operations.
func hasOperations(ctx context.Context, db *dbx.DB) (bool, error) {
	pending, err := db.Pending(ctx)
	return !slices.ContainsFunc(pending, func(step string) bool { return strings.HasSuffix(step, operationsMigration) }),
		err
}

// findBroken returns the registered operations that a schema breaks. It does not migrate the
// database.
func findBroken(ctx context.Context, db *dbx.DB, schema *ast.Schema, sdl string) ([]operation.Broken, error) {
	if ok, err := hasOperations(ctx, db); !ok || err != nil {
		return nil, err
	}
	return operation.Check(ctx, db, schema, sdl)
}

// refuseBroken returns an error that names the registered operations that this release breaks.
func refuseBroken(ctx context.Context, db *dbx.DB) error {
	broken, err := findBroken(ctx, db, graph.Schema(), graph.SDL())
	if err == nil && len(broken) > 0 {
		err = operation.BrokenError(broken)
	}
	return err
}

type operationsCommand struct {
	Push   operationsPush   `cmd:"" help:"Register the operations of a version of a front end at a gateway."`
	List   operationsList   `cmd:"" help:"List the registered versions: workspace, app, version, operations, requests, when one was last used."`
	Retire operationsRetire `cmd:"" help:"Remove a version with its operations."`
	Check  operationsCheck  `cmd:"" help:"Name the registered operations that this release, or a schema, would break."`
}

type operationsPush struct {
	Manifest string `arg:"" type:"existingfile" help:"The manifest that Apollo, Relay, GraphQL Code Generator or gql.tada has written."`
	App      string `required:"" help:"The front end, such as web."`
	Version  string `required:"" help:"Its version, such as 12."`
	cli.Gateway
}

// pushTime is the time of a push.
const pushTime = time.Minute

func (c operationsPush) Run(ctx context.Context) error {
	manifest, err := os.ReadFile(c.Manifest)
	if err != nil {
		return fmt.Errorf("read the manifest: %w", err)
	}
	if !json.Valid(manifest) {
		return fmt.Errorf("%s is not JSON", c.Manifest)
	}
	gateway, err := c.Connect()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	var made struct {
		ID         string
		Operations int `json:"operation_count"`
	}
	if err := gateway.Post(ctx, "/api/v1/app-versions", map[string]any{"app": c.App, "version": c.Version,
		"manifest": json.RawMessage(manifest)}, &made); err != nil {
		return err
	}
	fmt.Printf("%s\t%s %s\t%d operations\n", made.ID, c.App, c.Version, made.Operations)
	return nil
}

type operationsList struct{}

func (operationsList) Run(ctx context.Context, config Config) error {
	return withOperations(ctx, config, func(operations *operation.Service) error {
		rows, err := operations.All(ctx)
		for _, row := range rows {
			used := "never"
			if row.LastUsedAt != nil {
				used = row.LastUsedAt.Format(time.RFC3339)
			}
			fmt.Printf("%s\t%s\t%s\t%d\t%d\t%s\n", row.WorkspaceID, row.App, row.Version, row.OperationCount, row.Requests, used)
		}
		return err
	})
}

type operationsRetire struct {
	Workspace string `required:"" help:"The workspace's id."`
	App       string `required:"" help:"The front end."`
	Version   string `required:"" help:"Its version."`
}

func (c operationsRetire) Run(ctx context.Context, config Config) error {
	return withOperations(ctx, config, func(operations *operation.Service) error {
		return operations.RetireVersion(ctx, c.Workspace, c.App, c.Version)
	})
}

type operationsCheck struct {
	Schema string `arg:"" optional:"" type:"existingfile" help:"A schema to check instead of this release's."`
}

func (c operationsCheck) Run(ctx context.Context, config Config) (err error) {
	schema, sdl := graph.Schema(), graph.SDL()
	if c.Schema != "" {
		text, err := os.ReadFile(c.Schema)
		if err != nil {
			return fmt.Errorf("read the schema: %w", err)
		}
		sdl = string(text)
		if schema, err = gqlparser.LoadSchema(&ast.Source{Name: c.Schema, Input: sdl}); err != nil {
			return fmt.Errorf("read the schema: %w", err)
		}
	}
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.closeAll()) }()
	broken, err := findBroken(ctx, base.db, schema, sdl)
	if err != nil || len(broken) == 0 {
		return err
	}
	for _, b := range broken {
		fmt.Println(b)
	}
	return fmt.Errorf("the schema breaks %d registered operations", len(broken))
}

// withOperations runs an operator's command with the service of registered operations. It does not
// migrate the database, because the release may be one that does not start.
func withOperations(ctx context.Context, config Config, do func(*operation.Service) error) (err error) {
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.closeAll()) }()
	if ok, err := hasOperations(ctx, base.db); !ok || err != nil {
		return errors.Join(err, errors.New("the database has no registered operations: it is that of an earlier release"))
	}
	events := event.New(event.Config{DB: base.db, Live: base.live})
	return do(base.newOperations(account.New(account.Config{DB: base.db, Live: base.live, RecordChange: events.RecordChange})))
}
