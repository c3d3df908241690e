package app

import (
	"context"
	"fmt"
	"os"
	"time"

	"rostrum/domain/account"
	"rostrum/domain/webhook"
	"rostrum/graph"
	"rostrum/model"
)

// Commands is the command line; what a command prints on standard output is its result and nothing else.
type Commands struct {
	Serve     serveCommand     `cmd:"" default:"1" help:"Serve GraphQL and REST, and work jobs (default)."`
	Work      workCommand      `cmd:"" help:"Work jobs only."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the database's schema up to date."`
	Workspace workspaceCommand `cmd:"" help:"Manage workspaces."`
	Key       keyCommand       `cmd:"" help:"Manage keys."`
	User      userCommand      `cmd:"" help:"Manage who may sign in."`
	OpenAPI   openAPICommand   `cmd:"" name:"openapi" help:"Print the REST contract, OpenAPI 3.1."`
	Schema    schemaCommand    `cmd:"" help:"Print the GraphQL contract."`
}

type serveCommand struct{}

func (serveCommand) Run(ctx context.Context, config Config) error { return serve(ctx, config) }

type workCommand struct{}

func (workCommand) Run(ctx context.Context, config Config) error { return work(ctx, config) }

type migrateCommand struct {
	Up     migrateUp     `cmd:"" default:"1" help:"Take the steps that are missing (default)."`
	Status migrateStatus `cmd:"" help:"List the steps that are missing."`
}

type migrateUp struct{}

func (migrateUp) Run(ctx context.Context, config Config) error {
	base, err := openBase(ctx, config)
	if err != nil {
		return err
	}
	defer base.close()
	steps, err := migrate(ctx, base.db)
	for _, step := range steps {
		fmt.Println(step)
	}
	return err
}

type migrateStatus struct{}

func (migrateStatus) Run(ctx context.Context, config Config) error {
	base, err := openBase(ctx, config)
	if err != nil {
		return err
	}
	defer base.close()
	steps, err := base.db.Pending(ctx)
	for _, step := range steps {
		fmt.Println(step)
	}
	return err
}

type workspaceCommand struct {
	Create workspaceCreate `cmd:"" help:"Make a workspace and print its id."`
	Plan   workspacePlan   `cmd:"" help:"Change what a workspace has contracted."`
	Budget workspaceBudget `cmd:"" help:"Set a workspace's run budget and print it."`
}

type workspaceCreate struct {
	Name string     `required:"" help:"The workspace's name."`
	Plan model.Plan `default:"free" enum:"free,pro,team" help:"What it has contracted: free, pro or team."`
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
	Plan      model.Plan `required:"" enum:"free,pro,team" help:"What it has contracted: free, pro or team."`
}

func (c workspacePlan) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		return accounts.SetPlan(ctx, c.Workspace, c.Plan)
	})
}

type workspaceBudget struct {
	Workspace string    `required:"" help:"The workspace's id."`
	Limit     int       `required:"" help:"Model-backed runs of one budget period."`
	ResetsAt  time.Time `name:"resets-at" format:"2006-01-02" help:"The day (UTC) on which the budget starts anew, and each month after it; it is left as it is when absent."`
}

func (c workspaceBudget) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		wanted := account.Budget{Limit: c.Limit}
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

type keyCommand struct {
	Mint keyMint `cmd:"" help:"Make a key and print its secret."`
}

type keyMint struct {
	Workspace string        `required:"" help:"The workspace's id."`
	Name      string        `required:"" help:"What the key is for."`
	Scopes    []model.Scope `default:"read,write,admin" enum:"read,write,admin" help:"What it may do."`
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

type openAPICommand struct{}

func (openAPICommand) Run(config Config) error {
	document, err := contract(config)
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

// withAccount gives an operator's command the account room on a database whose schema is up to date.
func withAccount(ctx context.Context, config Config, do func(*account.Service) error) error {
	base, err := openBase(ctx, config)
	if err != nil {
		return err
	}
	defer base.close()
	if _, err := migrate(ctx, base.db); err != nil {
		return err
	}
	return do(account.New(base.db, base.live, webhook.OnPlan))
}
