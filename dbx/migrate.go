package dbx

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/uptrace/bun/migrate"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the schema up to date; it returns the names of the steps it took. Processes that start together wait for each other.
func (db *DB) Migrate(ctx context.Context) ([]string, error) {
	m, err := db.migrator(ctx)
	if err != nil {
		return nil, err
	}
	if err := lockMigrations(ctx, m); err != nil {
		return nil, err
	}
	defer m.Unlock(context.WithoutCancel(ctx)) //nolint:errcheck // the next lock says so
	group, err := m.Migrate(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	var names []string
	for _, step := range group.Migrations {
		names = append(names, step.Name+"_"+step.Comment)
	}
	return names, nil
}

// Migrating runs fn under the lock that Migrate takes, for libraries that bring tables of their own.
func (db *DB) Migrating(ctx context.Context, fn func(context.Context) error) error {
	m, err := db.migrator(ctx)
	if err != nil {
		return err
	}
	if err := lockMigrations(ctx, m); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx)) //nolint:errcheck // the next lock says so
	return fn(ctx)
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
	m := migrate.NewMigrator(db.DB, steps, migrate.WithTemplateData(db.dialect.schema), migrate.WithMarkAppliedOnSuccess(true))
	if err := m.Init(ctx); err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	return m, nil
}

// lockMigrations waits its turn for at most half a minute.
func lockMigrations(ctx context.Context, m *migrate.Migrator) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := m.Lock(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another process is migrating: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
