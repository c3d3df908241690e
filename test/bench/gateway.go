package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/model"
)

// withDatabase calls a function with the address of an empty database on the server, which it drops
// afterwards, even after the run was interrupted.
func withDatabase(ctx context.Context, server string, use func(address string) error) (err error) {
	at, err := url.Parse(server)
	if err != nil {
		return fmt.Errorf("read the database's address: %w", err)
	}
	name := "rostrum_" + model.NewID("bench")
	if err := executeOn(ctx, server, "CREATE DATABASE "+name); err != nil {
		return fmt.Errorf("create the run's database (-database, TEST_DATABASE_URL): %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = errors.Join(err, executeOn(ctx, server, "DROP DATABASE "+name+" WITH (FORCE)"))
	}()
	at.Path = "/" + name
	return use(at.String())
}

func executeOn(ctx context.Context, server, statement string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// serverVersion returns the version of the Postgres server.
func serverVersion(ctx context.Context, server string) (version string, err error) {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", fmt.Errorf("reach the database server (-database, TEST_DATABASE_URL): %w", err)
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, "SHOW server_version").Scan(&version)
	return version, err
}

// gateway is the program, running in this process and serving on loopback.
type gateway struct {
	app     *app.App
	handler http.Handler
	base    string
	stop    func() error
	folder  string
}

// withGateway runs the program with the settings and a data folder of its own, on SQLite without a
// database. It may fetch pages of this machine.
func withGateway(ctx context.Context, config app.Config, use func(*gateway) error) error {
	folder, err := os.MkdirTemp("", "rostrum-bench-")
	if err != nil {
		return fmt.Errorf("create a data folder: %w", err)
	}
	g := &gateway{folder: folder}
	config.DataDir, config.Namespace, config.Playground = folder, "bench", folder
	config.KeyStreams, config.SpaceStreams = 2*manySubscribers, 2*manySubscribers
	config.FetchAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	if g.app, err = app.New(ctx, config); err != nil {
		return errors.Join(fmt.Errorf("build the gateway: %w", err), os.RemoveAll(folder))
	}
	g.handler = g.app.Handler()
	if err = g.app.Start(ctx); err == nil {
		if g.base, g.stop, err = serveLoopback(ctx, g.handler); err == nil {
			err = errors.Join(use(g), g.stop())
		}
	}
	return errors.Join(err, g.app.Close(), os.RemoveAll(folder))
}

// onPostgres runs a gateway on a temporary database of the server.
func onPostgres(ctx context.Context, server string, use func(g *gateway, address string) error) error {
	return withDatabase(ctx, server, func(address string) error {
		return withGateway(ctx, app.Config{Database: address}, func(g *gateway) error { return use(g, address) })
	})
}

// onEach runs a gateway on Postgres, and then one on SQLite.
func onEach(ctx context.Context, server string, use func(g *gateway, database string) error) error {
	if err := onPostgres(ctx, server, func(g *gateway, _ string) error { return use(g, "Postgres") }); err != nil {
		return err
	}
	return withGateway(ctx, app.Config{}, func(g *gateway) error { return use(g, "SQLite") })
}

// createWorkspace creates an empty workspace with a key.
func (g *gateway) createWorkspace(ctx context.Context, name string) (*seededWorkspace, error) {
	id, key, err := g.app.Provision(ctx, account.NewWorkspace{Name: name})
	if err != nil {
		return nil, fmt.Errorf("create a workspace: %w", err)
	}
	return &seededWorkspace{workspaceID: id, key: key}, nil
}

// serveLoopback serves on a free loopback port until stop is called.
func serveLoopback(ctx context.Context, handler http.Handler) (base string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) // it ends with stop, and requests fail when it ends before
	return "http://" + listener.Addr().String(), server.Close, nil
}
