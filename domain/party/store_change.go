package party

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// lockParties locks and returns the parties with the ids, in the order of the ids, as far as they
// exist.
func (s *Service) lockParties(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind,
	ids []string) ([]model.Party, error) {
	var rows []model.Party
	q := tx.NewSelect().TableExpr("? AS p", partyTable(kind)).ColumnExpr("p.id, p.name").
		Where("p.workspace_id = ? AND p.id IN ?", workspaceID, bun.Tuple(ids)).OrderExpr("p.id")
	return rows, dbx.Err(s.DB.ForUpdate(q).Scan(ctx, &rows))
}

func updateName(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, party model.Party) error {
	_, err := tx.NewRaw("UPDATE ? SET name = ?, name_key = ? WHERE workspace_id = ? AND id = ?",
		partyTable(kind), party.Name, model.NameKey(party.Name), workspaceID, party.ID).Exec(ctx)
	return dbx.Err(err)
}

// addAlias stores a name of a party. It returns errs.Conflict if another party has the name.
func (s *Service) addAlias(
	ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, party model.Party, name string,
	source model.AliasSource,
) error {
	found, err := s.findForUpdate(ctx, tx, workspaceID, kind, firstNames([]string{name}))
	if err != nil {
		return err
	}
	if owner, ok := found[model.NameKey(name)]; ok {
		if owner.ID == party.ID {
			return nil
		}
		return errs.New(errs.Conflict, "%s is a name of the %s %s (%s); merge the two instead", name, kind, owner.Name,
			owner.ID)
	}
	return insertAlias(ctx, tx, workspaceID, kind, party.ID, name, source)
}

// insertAlias stores a name of a party that no party has.
func insertAlias(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, id, name string,
	source model.AliasSource) error {
	_, err := tx.NewRaw("INSERT INTO ? (workspace_id, name_key, party_id, name, source, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, name_key) DO NOTHING",
		aliasTable(kind), workspaceID, model.NameKey(name), id, name, source, model.Now()).Exec(ctx)
	return dbx.Err(err)
}

// deleteAlias deletes an alias and reports whether the party had it. RecordIntroduced does not add
// it again.
func deleteAlias(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, id, key string) (bool,
	error) {
	result, err := tx.NewRaw("DELETE FROM ? WHERE workspace_id = ? AND party_id = ? AND name_key = ?", aliasTable(kind),
		workspaceID, id, key).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	if n, err := result.RowsAffected(); n == 0 || err != nil {
		return false, dbx.Err(err)
	}
	_, err = tx.NewRaw("INSERT INTO ? (party_id, name_key) VALUES (?, ?) ON CONFLICT (party_id, name_key) DO NOTHING",
		removedTable(kind), id, key).Exec(ctx)
	return true, dbx.Err(err)
}

// allowAlias lets texts add an alias again that a person removed.
func allowAlias(ctx context.Context, tx dbx.Tx, kind model.PartyKind, id, key string) error {
	_, err := tx.NewRaw("DELETE FROM ? WHERE party_id = ? AND name_key = ?", removedTable(kind), id, key).Exec(ctx)
	return dbx.Err(err)
}

// removedKeys returns the keys of the aliases that a person removed from a party.
func removedKeys(ctx context.Context, tx dbx.Tx, kind model.PartyKind, id string) (keys []string, err error) {
	err = tx.NewSelect().TableExpr("?", removedTable(kind)).ColumnExpr("name_key").Where("party_id = ?", id).
		Scan(ctx, &keys)
	return keys, dbx.Err(err)
}

func countAliases(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, id string) (n int,
	err error) {
	err = tx.NewSelect().TableExpr("?", aliasTable(kind)).ColumnExpr("count(*)").
		Where("workspace_id = ? AND party_id = ?", workspaceID, id).Scan(ctx, &n)
	return n, dbx.Err(err)
}

// absorb gives the merged parties' names and removed aliases to one party and deletes the merged
// ones.
func (s *Service) absorb(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, id string,
	merged []string) error {
	_, err := tx.NewRaw("UPDATE ? SET party_id = ? WHERE workspace_id = ? AND party_id IN ?", aliasTable(kind), id,
		workspaceID, bun.Tuple(merged)).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	removed := tx.NewSelect().Distinct().TableExpr("?", removedTable(kind)).ColumnExpr("?, name_key", id).
		Where("party_id IN ?", bun.Tuple(merged))
	_, err = tx.NewRaw("INSERT INTO ? (party_id, name_key) ? ON CONFLICT (party_id, name_key) DO NOTHING",
		removedTable(kind), removed).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if kind == model.PartyKindCompany {
		_, err := tx.NewUpdate().Model((*model.Company)(nil)).Set("is_own = true").
			Where("workspace_id = ? AND id = ?", workspaceID, id).
			Where("EXISTS (SELECT 1 FROM company AS other WHERE other.is_own AND other.id IN ?)", bun.Tuple(merged)).
			Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	_, err = tx.NewRaw("DELETE FROM ? WHERE workspace_id = ? AND id IN ?", partyTable(kind), workspaceID,
		bun.Tuple(merged)).Exec(ctx)
	return dbx.Err(err)
}

// markOwn makes the companies with the ids the workspace's only own ones.
func markOwn(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string) error {
	_, err := tx.NewUpdate().Model((*model.Company)(nil)).
		Set("is_own = (id IN ?)", bun.Tuple(append([]string{""}, ids...))).
		Where("workspace_id = ?", workspaceID).Exec(ctx)
	return dbx.Err(err)
}
