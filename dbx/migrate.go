package dbx

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/uptrace/bun/migrate"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the schema up to date; it returns the names of the steps it took. Processes that start together wait for each other.
func (db *DB) Migrate(ctx context.Context) ([]string, error) {
	var names []string
	err := db.Migrating(ctx, func(ctx context.Context) error {
		m, err := db.migrator(ctx)
		if err != nil {
			return err
		}
		group, err := m.Migrate(ctx)
		if err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		for _, step := range group.Migrations {
			names = append(names, step.Name+"_"+step.Comment)
		}
		return nil
	})
	return names, err
}

// Migrating runs fn while no other process migrates, for libraries that bring tables of their own. A process that dies gives
// its turn back.
func (db *DB) Migrating(ctx context.Context, fn func(context.Context) error) error {
	if db.dialect.turn == nil {
		return fn(ctx)
	}
	return db.dialect.turn(ctx, db, fn)
}

// Pending lists the steps that Migrate would take.
func (db *DB) Pending(ctx context.Context) ([]string, error) {
	m, err := db.migrator(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := m.MigrationsWithStatus(ctx)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	var names []string
	for _, step := range steps.Unapplied() {
		names = append(names, step.Name+"_"+step.Comment)
	}
	return names, nil
}

func (db *DB) migrator(ctx context.Context) (*migrate.Migrator, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	steps := migrate.NewMigrations()
	if err := steps.Discover(files); err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	m := migrate.NewMigrator(db.writer, steps, migrate.WithTemplateData(db.dialect.schema), migrate.WithMarkAppliedOnSuccess(true))
	if err := m.Init(ctx); err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	return m, nil
}
