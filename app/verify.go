package app

import (
	"context"
	"errors"
	"fmt"

	"rostrum/model"
)

type verifyCommand struct{}

func (verifyCommand) Run(ctx context.Context, config Config) error {
	n, err := recountAll(ctx, config, false)
	if err == nil && n > 0 {
		err = fmt.Errorf("%d stored figures are wrong; rostrum repair corrects them", n)
	}
	return err
}

type repairCommand struct{}

func (repairCommand) Run(ctx context.Context, config Config) error {
	_, err := recountAll(ctx, config, true)
	return err
}

// withServices runs an operator's command with the services of a migrated database. The program may
// run at the same time.
func withServices(ctx context.Context, config Config, do func(*App) error) error {
	base, err := openStores(ctx, config)
	if err != nil {
		return err
	}
	if _, err := migrateSchema(ctx, base.db); err != nil {
		return errors.Join(err, base.closeAll())
	}
	a := &App{stores: base, config: config}
	if err := a.buildServices(ctx); err != nil {
		return errors.Join(err, base.closeAll())
	}
	return errors.Join(do(a), a.visitors.Close(), base.closeAll())
}

// recountAll prints the stored figures that differ from the counted rows, corrects them if repair
// is set, and returns their number.
func recountAll(ctx context.Context, config Config, repair bool) (wrong int, err error) {
	err = withServices(ctx, config, func(a *App) error {
		ids, err := a.accounts.WorkspaceIDs(ctx)
		for _, id := range ids {
			found, err := a.recountWorkspace(ctx, id, repair)
			if err != nil {
				return err
			}
			for _, figure := range found {
				fmt.Printf("%s %s: stored %d, counted %d\n", figure.WorkspaceID, figure.Subject, figure.Stored,
					figure.Counted)
			}
			wrong += len(found)
		}
		return err
	})
	return wrong, err
}

func (a *App) recountWorkspace(ctx context.Context, id string, repair bool) (all []*model.CountDifference, err error) {
	for _, recount := range []func(context.Context, string, bool) ([]*model.CountDifference, error){
		a.accounts.Recount, a.tags.Recount, a.documents.Recount, a.links.Recount,
	} {
		found, err := recount(ctx, id, repair)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
