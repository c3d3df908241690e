package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

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
	URL      string `required:"" env:"ROSTRUM_URL" help:"The gateway's address, such as https://rostrum.example.com."`
	Key      string `required:"" env:"ROSTRUM_KEY" help:"A key with the scope admin."`
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
	body, err := json.Marshal(map[string]any{"app": c.App, "version": c.Version, "manifest": json.RawMessage(manifest)})
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	var made struct {
		ID         string
		Operations int `json:"operation_count"`
	}
	if err := c.post(ctx, body, &made); err != nil {
		return err
	}
	fmt.Printf("%s\t%s %s\t%d operations\n", made.ID, c.App, c.Version, made.Operations)
	return nil
}

// post sends the request to the gateway's REST API, and decodes its response.
func (c operationsPush) post(ctx context.Context, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.URL, "/")+"/api/v1/app-versions",
		bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the address of the gateway: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", c.Key)
	// A redirect would take the key to another address.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	if response.StatusCode/100 != 2 {
		return refusal(response.Status, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	return nil
}

// refusal returns the error of a problem document.
func refusal(status string, answer []byte) error {
	var problem struct{ Detail string }
	if json.Unmarshal(answer, &problem) != nil || problem.Detail == "" {
		return fmt.Errorf("the gateway answers %s", status)
	}
	return fmt.Errorf("%s: %s", status, problem.Detail)
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
