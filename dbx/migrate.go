package dbx

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/uptrace/bun/migrate"

	"rostrum/errs"
)

//go:embed migrations
var migrations embed.FS

// Migrate applies the pending migrations and returns their names. Concurrent processes wait for
// each other. It returns an error if a newer version of the program has migrated the database.
func (db *DB) Migrate(ctx context.Context) ([]string, error) { return db.MigrateUntil(ctx, "") }

// MigrateUntil is Migrate up to the migration with that name; with an empty name it applies all.
func (db *DB) MigrateUntil(ctx context.Context, last string) ([]string, error) {
	var names []string
	err := db.WithMigrationLock(ctx, func(ctx context.Context) error {
		m, err := db.newMigrator(ctx)
		if err != nil {
			return err
		}
		if err := checkKnown(ctx, m); err != nil {
			return err
		}
		if last != "" {
			if m, err = db.migratorUntil(last); err != nil {
				return err
			}
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

// checkKnown returns errs.Unavailable if the database has a migration that this program does not
// know.
func checkKnown(ctx context.Context, m *migrate.Migrator) error {
	known, err := m.MigrationsWithStatus(ctx)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	applied, err := m.AppliedMigrations(ctx)
	if err != nil {
		return fmt.Errorf("read applied migrations: %w", err)
	}
	for _, step := range applied {
		if !slices.ContainsFunc(known, func(k migrate.Migration) bool { return k.Name == step.Name }) {
			return errs.New(errs.Unavailable, "a newer version of rostrum has migrated the database (migration %s); start that version", step.Name)
		}
	}
	return nil
}

// CheckSchema returns an error if a newer version of the program has migrated the database since
// Migrate. It then refuses all further writes with that error. It also returns errors of reading
// the database.
func (db *DB) CheckSchema(ctx context.Context) error {
	m, err := db.migrator()
	if err == nil {
		err = checkKnown(ctx, m)
	}
	if failure, ok := errors.AsType[*errs.Error](err); ok {
		db.refused.Store(failure)
	}
	return err
}

// writeError returns the error with which CheckSchema made the DB refuse writes, or nil.
func (db *DB) writeError() error {
	if refused := db.refused.Load(); refused != nil {
		return refused
	}
	return nil
}

// WithMigrationLock runs fn while no other process migrates, for libraries with tables of their
// own. A process that dies releases the lock.
func (db *DB) WithMigrationLock(ctx context.Context, fn func(context.Context) error) error {
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

// newMigrator returns a migrator and creates its tables.
func (db *DB) newMigrator(ctx context.Context) (*migrate.Migrator, error) {
	m, err := db.migrator()
	if err != nil {
		return nil, err
	}
	if err := m.Init(ctx); err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	return m, nil
}

// discoverMigrations returns the embedded migrations in order. All databases of a process share
// them.
var discoverMigrations = sync.OnceValues(func() (*migrate.Migrations, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	steps := migrate.NewMigrations()
	return steps, steps.Discover(files)
})

func (db *DB) migrator() (*migrate.Migrator, error) {
	steps, err := discoverMigrations()
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return db.migratorOf(steps), nil
}

func (db *DB) migratorOf(steps *migrate.Migrations) *migrate.Migrator {
	return migrate.NewMigrator(db.writer, steps, migrate.WithTemplateData(db.dialect.schema), migrate.WithMarkAppliedOnSuccess(true))
}

// migratorUntil returns a migrator of the migrations up to the one with the name, which must exist.
func (db *DB) migratorUntil(last string) (*migrate.Migrator, error) {
	all, err := discoverMigrations()
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	some, isKnown := migrate.NewMigrations(), false
	for _, step := range all.Sorted() {
		if step.Name <= last {
			some.Add(step)
		}
		isKnown = isKnown || step.Name == last
	}
	if !isKnown {
		return nil, errs.New(errs.Unavailable, "this release does not know the migration %s; use a newer release", last)
	}
	return db.migratorOf(some), nil
}

// SchemaVersion returns the name of the newest applied migration; it is empty for a new database.
func (db *DB) SchemaVersion(ctx context.Context) (string, error) {
	m, err := db.migrator()
	if err != nil {
		return "", err
	}
	tables, err := db.Tables(ctx)
	if err != nil || len(tables) == 0 {
		return "", err
	}
	applied, err := m.AppliedMigrations(ctx)
	if err != nil {
		return "", fmt.Errorf("read applied migrations: %w", err)
	}
	newest := ""
	for _, step := range applied {
		newest = max(newest, step.Name)
	}
	return newest, nil
}
