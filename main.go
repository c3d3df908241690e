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
	kongcompletion "github.com/jotaen/kong-completion"

	"rostrum/app"
	"rostrum/app/cli"
)

func main() {
	app.ServeExtraction()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx)
	code, isPrinted := cli.ExitCode(err)
	if isPrinted {
		fmt.Fprintln(os.Stderr, "rostrum:", err)
	}
	os.Exit(code)
}

func run(ctx context.Context) error {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	var commands app.Commands
	parser := kong.Must(&commands,
		kong.Name("rostrum"), kong.Description("A GraphQL gateway with a REST layer for communications teams.\n\n"+cli.ExitCodes),
		kong.ExplicitGroups(app.CommandGroups), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.UsageOnError(),
		kong.Exit(exit), kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdin, (*io.Reader)(nil)),
		kong.Bind(cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}), kong.BindToProvider(app.FromEnvironment))
	kongcompletion.Register(parser) // answers the shell when it completes a line
	command, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	return command.Run()
}

// exit ends the program in place of kong, which has a code of its own for wrong use.
func exit(code int) {
	if code != 0 {
		code = cli.ExitUsage
	}
	os.Exit(code)
}
