package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"

	"rostrum/app"
	"rostrum/domain/account"
)

// gateway is the program, running in this process and serving on loopback.
type gateway struct {
	app     *app.App
	handler http.Handler
	base    string
	stop    func() error
	folder  string
}

// openGateway starts the program on a Postgres address, or on a SQLite file of its own if the
// address is empty, with the embedded Redis.
func openGateway(ctx context.Context, database string) (*gateway, error) {
	return openGatewayWith(ctx, app.Config{Database: database})
}

// openGatewayOn starts the program with the Redis of an address, which other processes can share.
func openGatewayOn(ctx context.Context, database, redis string) (*gateway, error) {
	return openGatewayWith(ctx, app.Config{Database: database, Redis: redis})
}

// openGatewayWith starts the program with the settings and a data folder of its own. It may fetch
// pages of this machine.
func openGatewayWith(ctx context.Context, config app.Config) (*gateway, error) {
	folder, err := os.MkdirTemp("", "rostrum-bench-")
	if err != nil {
		return nil, fmt.Errorf("create a data folder: %w", err)
	}
	g := &gateway{folder: folder}
	config.DataDir, config.Namespace, config.Playground = folder, "bench", folder
	config.FetchAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	if g.app, err = app.New(ctx, config); err != nil {
		return nil, errors.Join(fmt.Errorf("build the gateway: %w", err), os.RemoveAll(folder))
	}
	g.handler = g.app.Handler()
	if err := g.app.Start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the gateway: %w", err), g.close())
	}
	if g.base, g.stop, err = serveLoopback(ctx, g.handler); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// createWorkspace creates an empty workspace with a key.
func (g *gateway) createWorkspace(ctx context.Context, name string) (*seededWorkspace, error) {
	id, key, err := g.app.Provision(ctx, account.NewWorkspace{Name: name})
	if err != nil {
		return nil, fmt.Errorf("create a workspace: %w", err)
	}
	return &seededWorkspace{workspaceID: id, key: key}, nil
}

// databaseFile returns the SQLite file of a gateway without a Postgres address.
func (g *gateway) databaseFile() string { return filepath.Join(g.folder, "rostrum.db") }

func (g *gateway) close() error {
	var err error
	if g.stop != nil {
		err = g.stop()
	}
	return errors.Join(err, g.app.Close(), os.RemoveAll(g.folder))
}
