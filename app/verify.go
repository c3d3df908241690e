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

// recountAll prints the stored figures that differ from the rows they count, corrects them if repair is set, and returns their number. The
// program may run at the same time.
func recountAll(ctx context.Context, config Config, repair bool) (wrong int, err error) {
	base, err := openStores(ctx, config)
	if err != nil {
		return 0, err
	}
	if _, err := migrateSchema(ctx, base.db); err != nil {
		return 0, errors.Join(err, base.closeAll())
	}
	a := &App{stores: base, config: config}
	if err := a.buildServices(ctx); err != nil {
		return 0, errors.Join(err, base.closeAll())
	}
	defer func() { err = errors.Join(err, a.visitors.Close(), base.closeAll()) }()
	ids, err := a.accounts.WorkspaceIDs(ctx)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		for _, recount := range []func(context.Context, string, bool) ([]*model.CountDifference, error){a.accounts.Recount, a.documents.Recount, a.links.Recount} {
			found, err := recount(ctx, id, repair)
			if err != nil {
				return wrong, err
			}
			for _, figure := range found {
				fmt.Printf("%s %s: stored %d, counted %d\n", figure.WorkspaceID, figure.Subject, figure.Stored, figure.Counted)
			}
			wrong += len(found)
		}
	}
	return wrong, nil
}
