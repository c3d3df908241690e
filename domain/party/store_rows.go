package party

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// idColumn returns the column of rows with the id of a party of the kind.
func idColumn(kind model.PartyKind) bun.Ident { return bun.Ident(kind + "_id") }

// nameColumn returns the column of rows with the name of a party of the kind.
func nameColumn(kind model.PartyKind) bun.Ident { return bun.Ident(kind) }

// workspaceName is a name in a workspace's rows.
type workspaceName struct{ WorkspaceID, Name string }

// unattributedNames returns different names of rows without a party, the most frequent first: the
// most frequent spelling becomes the party's name.
func (s *Service) unattributedNames(ctx context.Context, rows Rows, kind model.PartyKind) ([]workspaceName, error) {
	var names []workspaceName
	err := rows.Select(s.DB).ColumnExpr("workspace_id, ? AS name", nameColumn(kind)).
		Where("? IS NULL AND ? <> '' AND trim(?) <> ''", idColumn(kind), nameColumn(kind), nameColumn(kind)).
		GroupExpr("workspace_id, ?", nameColumn(kind)).OrderExpr("count(*) DESC, ?", nameColumn(kind)).
		Limit(backfillNames).Scan(ctx, &names)
	return names, dbx.Err(err)
}

// attribution is the party that a name in rows stands for.
type attribution struct {
	Written   string `bun:"written"`
	PartyID   string `bun:"party_id"`
	PartyName string `bun:"party_name"`
}

// attributeRows sets the party of up to attributedRows rows that have one of the names without a
// party. It returns their number.
func (s *Service) attributeRows(ctx context.Context, tx dbx.Tx, workspaceID string, rows Rows, kind model.PartyKind,
	found []attribution) (int, error) {
	id, name := idColumn(kind), nameColumn(kind)
	written := make([]string, len(found))
	for i, f := range found {
		written[i] = f.Written
	}
	some := rows.Select(tx).Column("id").Where("workspace_id = ? AND ? IS NULL AND ? IN ?", workspaceID, id, name,
		bun.Tuple(written)).Limit(attributedRows)
	locked := s.lockInOrder(rows.Select(tx).Column("id").Where("?", s.DB.Among("id", some)))
	q := rows.Update(tx).With("found", tx.NewValues(&found)).TableExpr("found").Set("? = found.party_id", id).
		Set("? = found.party_name", name)
	result, err := q.Where("? AND ? = found.written", s.DB.Among("id", locked), name).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return int(n), dbx.Err(err)
}

// lockInOrder locks the rows of a query of ids in the order of the ids, as the triggers of
// auto-tags do. Transactions that lock the same rows in another order could deadlock.
func (s *Service) lockInOrder(ids *bun.SelectQuery) *bun.SelectQuery {
	return s.DB.ForUpdate(ids.OrderExpr("id"))
}

// moveRows gives a party's rows to another party, or the party another name, and returns the hooks'
// warnings.
func (s *Service) moveRows(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, from,
	to model.Party) (warnings []string, err error) {
	for _, rows := range s.rows {
		q := rows.Update(tx).Set("? = ?", idColumn(kind), to.ID).Set("? = ?", nameColumn(kind), to.Name)
		if rows.ChangedAt != "" {
			q = q.Set("? = ?", bun.Ident(rows.ChangedAt), model.Now())
		}
		locked := s.lockInOrder(rows.Select(tx).Column("id").Where("workspace_id = ? AND ? = ?", workspaceID,
			idColumn(kind), from.ID))
		if _, err := q.Where("?", s.DB.Among("id", locked)).Exec(ctx); err != nil {
			return nil, dbx.Err(err)
		}
	}
	for _, hook := range s.hooks {
		warning, err := hook(ctx, tx, workspaceID, kind, from, to)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
	}
	return warnings, nil
}
