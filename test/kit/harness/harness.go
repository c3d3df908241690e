// Package harness has what the commands that attack the built gateway share: its servers, its
// workspaces, their clients and the report. Each command has its own inputs and promises.
package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"rostrum/test/kit/process"
)

// Run builds the program and calls the function with it and a temporary folder. It ends the command
// with status 1 after an error, and cancels the context on an interrupt.
func Run(name string, run func(ctx context.Context, program, folder string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := runIn(ctx, run)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

func runIn(ctx context.Context, run func(ctx context.Context, program, folder string) error) (err error) {
	folder, err := os.MkdirTemp("", "rostrum-harness-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	program, err := process.BuildProgram(ctx, ".", folder)
	if err != nil {
		return err
	}
	return run(ctx, program, folder)
}

// StartPostgres creates and starts a Postgres server with an empty database in a new folder below
// the other one. The process also has the settings of env.
func StartPostgres(ctx context.Context, folder string, env ...string) (*process.Server, error) {
	folder = filepath.Join(folder, "postgres")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, err
	}
	server, err := process.NewPostgres(ctx, folder, env...)
	if err != nil {
		return nil, err
	}
	if err := server.Start(ctx); err != nil {
		return server, err
	}
	conn, err := pgx.Connect(ctx, strings.Replace(DatabaseURL(server.Address), "/rostrum", "/postgres", 1))
	if err != nil {
		return server, err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "CREATE DATABASE rostrum")
	return server, err
}

// DatabaseURL returns the setting DATABASE_URL for a server of StartPostgres, or for a proxy of it.
func DatabaseURL(address string) string {
	return "postgres://postgres@" + address + "/rostrum?sslmode=disable"
}

// NewGateway returns the process of a gateway on a free address. It runs in the folder and appends
// its output to a log there, whose name begins with "log-".
func NewGateway(program func() string, folder string, settings ...string) (*process.Server, error) {
	address, err := process.FreeAddress()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(folder, "log-"+strings.ReplaceAll(address, ":", "-")))
	if err != nil {
		return nil, err
	}
	settings = append([]string{"ROSTRUM_PUBLIC_URL=http://" + address}, settings...)
	return process.NewGateway(address, func() *exec.Cmd {
		command := process.ServeCommand(program(), folder, address, settings...)
		command.Stdout, command.Stderr = log, log
		return command
	}), nil
}

// CreateWorkspace creates a workspace of the plan team with a budget and a key, as an operator
// does.
func CreateWorkspace(ctx context.Context, gateway *process.Server, name string) (id, key string, err error) {
	command := gateway.Command()
	if id, err = process.Operate(ctx, command, "workspace", "create", "--name", name, "--plan", "team"); err != nil {
		return "", "", err
	}
	_, err = process.Operate(ctx, command, "workspace", "budget", "--workspace", id, "--limit", "1000000")
	if err != nil {
		return "", "", err
	}
	key, err = process.Operate(ctx, command, "key", "mint", "--workspace", id, "--name", "harness")
	return id, key, err
}
