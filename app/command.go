package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"rostrum/app/cli"
	"rostrum/domain/account"
	"rostrum/domain/event"
	"rostrum/domain/webhook"
	"rostrum/graph"
	"rostrum/model"
)

// Commands is the command line. Standard output contains only a command's result. Run methods of
// operators' commands take a context, the Config, and the standard input as an io.Reader; those of
// users take what cli says.
type Commands struct {
	cli.Commands `group:"use"`

	Serve      serveCommand              `cmd:"" default:"1" group:"operate" help:"Serve GraphQL and REST, and run jobs (default)."`
	Work       workCommand               `cmd:"" group:"operate" help:"Run jobs only."`
	Ready      readyCommand              `cmd:"" group:"operate" help:"Ask the gateway of this machine whether it is ready: health checks of containers."`
	Doctor     doctorCommand             `cmd:"" group:"operate" help:"Check the settings, the database, Redis and the files, and say what to mend."`
	Migrate    migrateCommand            `cmd:"" group:"operate" help:"Migrate the database."`
	Backup     backupCommand             `cmd:"" group:"operate" help:"Write the database and the stored files to one file, while the program is in use."`
	Restore    restoreCommand            `cmd:"" group:"operate" help:"Fill a new database and store of files from such a file, of either kind of database."`
	Workspace  workspaceCommand          `cmd:"" group:"operate" help:"Manage workspaces."`
	Key        keyCommand                `cmd:"" group:"operate" help:"Manage keys."`
	User       userCommand               `cmd:"" group:"operate" help:"Manage users."`
	Operations operationsCommand         `cmd:"" group:"operate" help:"Manage the operations that front ends register."`
	Seal       sealCommand               `cmd:"" group:"operate" help:"Manage the key that encrypts the signing secrets of webhooks, the passwords of mailboxes and the secrets of authenticator apps."`
	Verify     verifyCommand             `cmd:"" group:"operate" help:"Compare the stored counts with the rows, and print the differences."`
	Repair     repairCommand             `cmd:"" group:"operate" help:"Correct the stored counts."`
	OpenAPI    openAPICommand            `cmd:"" group:"operate" name:"openapi" help:"Print the OpenAPI 3.1 document."`
	Schema     schemaCommand             `cmd:"" group:"operate" help:"Print the GraphQL schema."`
	Completion kongcompletion.Completion `cmd:"" group:"use" help:"Print what activates completion by Tab in bash, zsh or fish."`
	Version    versionCommand            `cmd:"" group:"operate" help:"Print the version: the revision of the source, and Go's."`
}

// CommandGroups are the headings of the commands in the help.
var CommandGroups = []kong.Group{
	{Key: "use", Title: "Use a gateway:", Description: "over its public API, from any machine"},
	{Key: "operate", Title: "Operate a gateway:", Description: "beside its database, with its settings"},
}

type serveCommand struct{}

func (serveCommand) Run(ctx context.Context, config Config) error { return serveRequests(ctx, config) }

type workCommand struct{}

func (workCommand) Run(ctx context.Context, config Config) error { return workJobs(ctx, config) }

type migrateCommand struct {
	Up     migrateUp     `cmd:"" default:"1" help:"Apply the missing migrations (default)."`
	Status migrateStatus `cmd:"" help:"List the missing migrations."`
}

type migrateUp struct{}

func (migrateUp) Run(ctx context.Context, config Config) (err error) {
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.closeAll()) }()
	steps, err := migrateSchema(ctx, base.db)
	for _, step := range steps {
		fmt.Println(step)
	}
	return err
}

type migrateStatus struct{}

func (migrateStatus) Run(ctx context.Context, config Config) (err error) {
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.closeAll()) }()
	steps, err := base.db.Pending(ctx)
	for _, step := range steps {
		fmt.Println(step)
	}
	return err
}

type workspaceCommand struct {
	Create workspaceCreate `cmd:"" help:"Create a workspace and print its id."`
	List   workspaceList   `cmd:"" help:"List the workspaces: id, plan, when it was made, name."`
	Plan   workspacePlan   `cmd:"" help:"Change a workspace's plan."`
	Budget workspaceBudget `cmd:"" help:"Set a workspace's run budget and print it."`
	Delete workspaceDelete `cmd:"" help:"Delete a workspace with its documents, links, files and jobs."`
}

type workspaceList struct{}

func (workspaceList) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		workspaces, err := accounts.AllWorkspaces(ctx)
		for _, w := range workspaces {
			fmt.Printf("%s\t%s\t%s\t%s\n", w.ID, w.Plan, w.CreatedAt.Format(time.RFC3339), cli.CleanLine(w.Name))
		}
		return err
	})
}

type workspaceCreate struct {
	Name string     `required:"" help:"The workspace's name."`
	Plan model.Plan `default:"free" enum:"free,pro,team" help:"The plan: free, pro or team."`
}

func (c workspaceCreate) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		w, err := accounts.CreateWorkspace(ctx, account.NewWorkspace{Name: c.Name, Plan: c.Plan})
		if err == nil {
			fmt.Println(w.ID)
		}
		return err
	})
}

type workspacePlan struct {
	Workspace string     `required:"" help:"The workspace's id."`
	Plan      model.Plan `required:"" enum:"free,pro,team" help:"The plan: free, pro or team."`
}

func (c workspacePlan) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		return accounts.SetPlan(ctx, c.Workspace, c.Plan)
	})
}

type workspaceBudget struct {
	Workspace string    `required:"" help:"The workspace's id."`
	Limit     int       `required:"" help:"Model runs per budget period."`
	ResetsAt  time.Time `name:"resets-at" format:"2006-01-02" help:"The day (UTC) on which the budget resets, and monthly after it; unchanged if absent."`
}

func (c workspaceBudget) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		wanted := account.BudgetSettings{Limit: c.Limit}
		if !c.ResetsAt.IsZero() {
			wanted.ResetsAt = &c.ResetsAt
		}
		budget, err := accounts.SetBudget(ctx, c.Workspace, wanted)
		if err != nil {
			return err
		}
		resets := "never"
		if budget.ResetsAt != nil {
			resets = budget.ResetsAt.Format(time.RFC3339)
		}
		fmt.Printf("limit %d, used %d, remaining %d, resets %s\n", budget.Limit, budget.Used, budget.Remaining, resets)
		return nil
	})
}

type workspaceDelete struct {
	Workspace string `required:"" help:"The workspace's id."`
	Confirm   string `required:"" help:"The workspace's id again."`
}

func (c workspaceDelete) Run(ctx context.Context, config Config) error {
	if c.Workspace != c.Confirm {
		return errors.New("--confirm must repeat the workspace's id: a deleted workspace cannot be restored")
	}
	return withServices(ctx, config, func(a *App) error {
		remove, err := a.links.RemoveFiles(ctx, c.Workspace)
		if err != nil {
			return err
		}
		if err := a.accounts.DeleteWorkspace(ctx, c.Workspace); err != nil {
			return err
		}
		return errors.Join(remove(), a.documents.RemoveOriginals(ctx, c.Workspace), a.bulk.RemoveFiles(ctx, c.Workspace))
	})
}

type sealCommand struct {
	Renew sealRenew `cmd:"" help:"Use the present seal key after the former one was lost, and print the webhooks whose secrets must be rotated and the mailboxes whose passwords must be entered again: workspace, id, name."`
}

type sealRenew struct{}

func (sealRenew) Run(ctx context.Context, config Config) error {
	return withServices(ctx, config, func(a *App) error {
		lost, err := a.webhooks.RenewSeal(ctx)
		for _, secret := range lost {
			fmt.Println(secret.WorkspaceID, secret.ID, cli.CleanLine(secret.Name))
		}
		return err
	})
}

type openAPICommand struct{}

func (openAPICommand) Run(config Config) error {
	document, err := openAPIDocument(config)
	if err == nil {
		_, err = os.Stdout.Write(document)
	}
	return err
}

type schemaCommand struct{}

func (schemaCommand) Run() error {
	_, err := os.Stdout.WriteString(graph.SDL())
	return err
}

// withAccount runs an operator's command with the account service of a migrated database.
func withAccount(ctx context.Context, config Config, do func(*account.Service) error) (err error) {
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.closeAll()) }()
	if _, err := migrateSchema(ctx, base.db); err != nil {
		return err
	}
	events := event.New(event.Config{DB: base.db, Live: base.live})
	return do(account.New(account.Config{DB: base.db, Live: base.live, RecordChange: events.RecordChange,
		OnPlan: []account.OnPlan{lockFeedOnPlan, webhook.PauseOnFreePlan}}))
}
