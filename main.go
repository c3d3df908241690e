// Command rostrum is a GraphQL gateway with a REST layer for communications teams.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"rostrum/app"
)

func main() {
	app.ServeExtraction()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "rostrum:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	config, err := app.FromEnvironment()
	if err != nil {
		return err
	}
	var commands app.Commands
	command := kong.Parse(&commands,
		kong.Name("rostrum"), kong.Description("A GraphQL gateway with a REST layer for communications teams."),
		kong.UsageOnError(), kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdin, (*io.Reader)(nil)),
		kong.Bind(config))
	return command.Run()
}
