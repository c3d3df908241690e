package party_test

import (
	"context"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/party"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
)

// TestRename_lockedRows renames an executive while another process locks its documents in the order
// of ids. The table has another order.
func TestRename_lockedRows(t *testing.T) {
	t.Parallel()
	for _, b := range dbtest.Backends(t) {
		if b.Name == "sqlite" {
			continue // it has one writer
		}
		address := b.Address(t)
		db, peer := openAt(t, address), openAt(t, address)
		s := setup(t, db)
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: "w",
			Scopes: []model.Scope{model.ScopeAdmin}})
		ana := storeDocuments(ctx, t, db, s, "doc_b", "doc_a")
		renamed := make(chan error, 1)
		err := peer.InTx(ctx, func(inTx context.Context, tx dbx.Tx) error {
			if err := lockDocument(inTx, tx, "doc_a"); err != nil {
				return err
			}
			go func() { renamed <- s.Rename(ctx, model.PartyKindExecutive, ana, "Ana Maria Lima") }()
			dbtest.AwaitLockedStatement(t, peer)
			return lockDocument(inTx, tx, "doc_b")
		})
		if err != nil {
			t.Error(err)
		}
		if err := <-renamed; err != nil {
			t.Error(err)
		}
		n, err := db.NewSelect().Model((*model.Document)(nil)).Where("executive = ?", "Ana Maria Lima").Count(ctx)
		if err != nil || n != 2 {
			t.Errorf("%d documents have the new name: %v", n, err)
		}
	}
}

func openAt(t *testing.T, address string) *dbx.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), address, slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// storeDocuments stores an executive with the documents, one after the other, and returns its id.
func storeDocuments(ctx context.Context, t *testing.T, db *dbx.DB, s *party.Service, ids ...string) string {
	t.Helper()
	var ana model.Party
	err := db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		found, err := s.Attach(ctx, tx, "w", model.PartyKindExecutive, "Ana Lima")
		ana = found["Ana Lima"]
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		row := &model.Document{ID: id, WorkspaceID: "w", Executive: &ana.Name, ExecutiveID: &ana.ID,
			Visibility: model.VisibilityPublic, CreatedAt: model.Now(), UpdatedAt: model.Now()}
		if _, err := db.NewInsert().Model(row).Exec(ctx); err != nil {
			t.Fatal(err)
		}
	}
	return ana.ID
}

// lockDocument locks the row of a document by an update that changes nothing.
func lockDocument(ctx context.Context, tx dbx.Tx, id string) error {
	_, err := tx.NewUpdate().Model((*model.Document)(nil)).Set("title = title").Where("id = ?", id).Exec(ctx)
	return err
}
