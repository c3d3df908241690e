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

// Migrate applies the pending migrations and returns their names. Concurrent processes wait for each other.
func (db *DB) Migrate(ctx context.Context) ([]string, error) {
	var names []string
	err := db.WithMigrationLock(ctx, func(ctx context.Context) error {
		m, err := db.newMigrator(ctx)
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

// WithMigrationLock runs fn while no other process migrates, for libraries with their own tables. The lock is released when the process dies.
func (db *DB) WithMigrationLock(ctx context.Context, fn func(context.Context) error) error {
	if db.dialect.migrationLock == nil {
		return fn(ctx)
	}
	return db.dialect.migrationLock(ctx, db, fn)
}

// Pending returns the names of the migrations that Migrate would apply.
func (db *DB) Pending(ctx context.Context) ([]string, error) {
	m, err := db.newMigrator(ctx)
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

func (db *DB) newMigrator(ctx context.Context) (*migrate.Migrator, error) {
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
