package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/model"
)

// database is a temporary database on a Postgres server.
type database struct {
	server  string
	name    string
	address string
	version string // of the server
}

// createDatabase creates an empty database on the server of the address.
func createDatabase(ctx context.Context, server string) (*database, error) {
	at, err := url.Parse(server)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	d := &database{server: server, name: "rostrum_" + model.NewID("bench")}
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return nil, fmt.Errorf("reach the database server (-database, TEST_DATABASE_URL): %w", err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SHOW server_version").Scan(&d.version); err != nil {
		return nil, fmt.Errorf("read the server's version: %w", err)
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+d.name); err != nil {
		return nil, fmt.Errorf("create the run's database: %w", err)
	}
	at.Path = "/" + d.name
	d.address = at.String()
	return d, nil
}

// drop removes the database, even after the run was interrupted.
func (d *database) drop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, d.server)
	if err != nil {
		return fmt.Errorf("drop the run's database %s: %w", d.name, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "DROP DATABASE "+d.name+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop the run's database %s: %w", d.name, err)
	}
	return nil
}
