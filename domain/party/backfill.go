package party

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/periodic"
)

const (
	// backfillNames is the number of names that Backfill reads at once.
	backfillNames = 1000
	// backfillPause is the time between two searches of Run for names.
	backfillPause = time.Minute
	// attributedRows limits the rows that one transaction attributes, because it locks their
	// workspace.
	attributedRows = 5000
)

// Backfill attributes the rows that have a name without a party, because they are older than
// parties. It is idempotent, and several processes may run it concurrently.
func (s *Service) Backfill(ctx context.Context) error {
	for _, rows := range s.rows {
		for _, kind := range model.PartyKinds {
			if err := s.backfillRows(ctx, rows, kind); err != nil {
				return fmt.Errorf("attribute rows to a %s: %w", kind, err)
			}
		}
	}
	return nil
}

func (s *Service) backfillRows(ctx context.Context, rows Rows, kind model.PartyKind) error {
	for {
		names, err := s.unattributedNames(ctx, rows, kind)
		if err != nil || len(names) == 0 {
			return err
		}
		byWorkspace := map[string][]string{}
		for _, name := range names {
			byWorkspace[name.WorkspaceID] = append(byWorkspace[name.WorkspaceID], name.Name)
		}
		attributed := 0
		for workspaceID, names := range byWorkspace {
			n, err := s.attributeWorkspace(ctx, workspaceID, rows, kind, names)
			if err != nil {
				return err
			}
			attributed += n
		}
		if attributed == 0 {
			return nil
		}
	}
}

// attributeWorkspace attributes a workspace's rows with the names, attributedRows per transaction,
// and returns their number.
func (s *Service) attributeWorkspace(ctx context.Context, workspaceID string, rows Rows, kind model.PartyKind,
	names []string) (int, error) {
	for sum := 0; ; {
		attributed := 0
		err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
			attributed, err = s.attributeNames(ctx, tx, workspaceID, rows, kind, names)
			return err
		})
		if sum += attributed; err != nil || attributed < attributedRows {
			return sum, err
		}
	}
}

// attributeNames attributes up to attributedRows rows with the names, and returns their number.
func (s *Service) attributeNames(ctx context.Context, tx dbx.Tx, workspaceID string, rows Rows, kind model.PartyKind,
	names []string) (int, error) {
	if _, err := s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return 0, err
	}
	parties, err := s.Attach(ctx, tx, workspaceID, kind, names...)
	if err != nil {
		return 0, err
	}
	found := make([]attribution, 0, len(parties))
	for _, name := range names {
		if party, ok := parties[name]; ok {
			found = append(found, attribution{Written: name, PartyID: party.ID, PartyName: party.Name})
		}
	}
	if len(found) == 0 {
		return 0, nil
	}
	return s.attributeRows(ctx, tx, workspaceID, rows, kind, found)
}

// Run attributes rows until the context ends, because a process of the previous release may store
// some while this one starts.
func (s *Service) Run(ctx context.Context) {
	periodic.Every(ctx, backfillPause, "attribute rows to their companies and executives", s.Backfill)
}
