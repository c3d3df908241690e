package integration

import (
	"context"
	"net/http"
	"testing"

	"rostrum/dbx"
	"rostrum/test/kit"
)

// TestPartialResponse checks that the table of an edge can be unreadable and the rest of the
// response is still there.
func TestPartialResponse(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db := a.OpenDB(t)
		rows := newScreenRows(t, a, db, "Mine")
		rows.add()
		rename := func(ctx context.Context, tx dbx.Tx) error {
			_, err := tx.NewRaw("ALTER TABLE reaction RENAME TO reaction_moved").Exec(ctx)
			return err
		}
		if err := db.InTx(t.Context(), rename); err != nil {
			t.Fatal(err)
		}
		answer := a.Do(t, http.MethodPost, "/graphql", nil,
			`{"query":"{ documents(first: 1) { nodes { reactions(first: 1) { totalCount } } } drafts(first: 1) { nodes { __typename } } }"}`)
		answer.Want(t, http.StatusOK, `"path":["documents","nodes",0,"reactions","totalCount"]`, `"code":"internal"`,
			`{"documents":{"nodes":[{"reactions":null}]},"drafts":{"nodes":[{"__typename":"Draft"}]}}`)
	})
}
