package party

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// partyTable returns the table of a kind's parties.
func partyTable(kind model.PartyKind) bun.Ident { return bun.Ident(kind) }

// aliasTable returns the table of a kind's names.
func aliasTable(kind model.PartyKind) bun.Ident { return bun.Ident(kind + "_alias") }

// removedTable returns the table of the aliases that a person removed from a kind's parties.
func removedTable(kind model.PartyKind) bun.Ident { return bun.Ident(kind + "_removed_alias") }

// selectNamed starts a query of the workspace's parties p that have a name a.
func (s *Service) selectNamed(db dbx.Reader, workspaceID string, kind model.PartyKind) *bun.SelectQuery {
	return db.NewSelect().TableExpr("? AS a", aliasTable(kind)).
		Join("JOIN ? AS p ON p.id = a.party_id AND p.workspace_id = a.workspace_id", partyTable(kind)).
		Where("a.workspace_id = ?", workspaceID)
}

// findForUpdate locks the parties with the names and returns them by the key of the name.
func (s *Service) findForUpdate(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind,
	names []keyedName) (map[string]model.Party, error) {
	var rows []struct {
		NameKey string
		model.Party
	}
	q := s.selectNamed(tx, workspaceID, kind).ColumnExpr("a.name_key, p.id, p.name").
		Where("a.name_key IN ?", bun.Tuple(keysOf(names))).OrderExpr("p.id")
	if err := s.DB.ForUpdate(q).Scan(ctx, &rows); err != nil {
		return nil, dbx.Err(err)
	}
	found := make(map[string]model.Party, len(rows))
	for _, row := range rows {
		found[row.NameKey] = row.Party
	}
	return found, nil
}

// partyRow is a new party of either kind.
type partyRow struct {
	ID          string
	WorkspaceID string
	Name        string
	NameKey     string
	CreatedAt   time.Time
}

// insertParties stores parties with their names. It leaves alone what a concurrent transaction
// stored.
func insertParties(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, names []keyedName) error {
	now := model.Now()
	rows := make([]partyRow, len(names))
	for i, name := range names {
		rows[i] = partyRow{ID: model.NewID(kind.Prefix()), WorkspaceID: workspaceID, Name: name.name, NameKey: name.key,
			CreatedAt: now}
	}
	_, err := tx.NewInsert().Model(&rows).ModelTableExpr("?", partyTable(kind)).
		On("CONFLICT (workspace_id, name_key) DO NOTHING").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	own := tx.NewSelect().TableExpr("?", partyTable(kind)).ColumnExpr("workspace_id, name_key, id, name, ?, created_at",
		model.AliasSourceOwn).
		Where("workspace_id = ? AND name_key IN ?", workspaceID, bun.Tuple(keysOf(names)))
	_, err = tx.NewRaw("INSERT INTO ? (workspace_id, name_key, party_id, name, source, created_at) ? ON CONFLICT (workspace_id, name_key) DO NOTHING",
		aliasTable(kind), own).Exec(ctx)
	return dbx.Err(err)
}

// NamedIDs returns a query of the ids of the parties that have one of the names.
func (s *Service) NamedIDs(workspaceID string, kind model.PartyKind, names ...string) *bun.SelectQuery {
	keys := []string{""}
	for _, name := range names {
		keys = append(keys, model.NameKey(name))
	}
	return s.DB.NewSelect().TableExpr("?", aliasTable(kind)).Column("party_id").
		Where("workspace_id = ? AND name_key IN ?", workspaceID, bun.Tuple(keys))
}

// Find returns the party of each name that the workspace knows, by the name.
func (s *Service) Find(ctx context.Context, workspaceID string, kind model.PartyKind,
	names ...string) (map[string]model.Party, error) {
	wanted := firstNames(names)
	if len(wanted) == 0 {
		return nil, nil
	}
	var rows []struct {
		NameKey string
		model.Party
	}
	err := s.selectNamed(s.DB, workspaceID, kind).ColumnExpr("a.name_key, p.id, p.name").
		Where("a.name_key IN ?", bun.Tuple(keysOf(wanted))).Scan(ctx, &rows)
	byKey := make(map[string]model.Party, len(rows))
	for _, row := range rows {
		byKey[row.NameKey] = row.Party
	}
	parties := make(map[string]model.Party, len(names))
	for _, name := range names {
		if party, ok := byKey[model.NameKey(name)]; ok {
			parties[name] = party
		}
	}
	return parties, dbx.Err(err)
}

// aliasesOf returns the parties' other names, by the party's id and sorted.
func (s *Service) aliasesOf(ctx context.Context, workspaceID string, kind model.PartyKind,
	ids []string) (map[string][]string, error) {
	var rows []struct{ PartyID, Name string }
	err := s.selectNamed(s.DB, workspaceID, kind).ColumnExpr("a.party_id, a.name").Where("p.id IN ?", bun.Tuple(ids)).
		Where("a.name_key <> p.name_key").OrderExpr("a.name_key").Scan(ctx, &rows)
	names := make(map[string][]string, len(ids))
	for _, row := range rows {
		names[row.PartyID] = append(names[row.PartyID], row.Name)
	}
	return names, dbx.Err(err)
}
