package integration

import (
	"fmt"
	"net/http"
	"testing"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestKeyUsage reads the counts of deprecated fields through the graph: those of the caller's
// workspace, with one statement for the keys.
func TestKeyUsage(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db, foreign := a.OpenDB(t), a.Tenant(t)
		insertUsage(t, db, foreign, "Document.secret")
		query := map[string]any{"query": `{ keyUsage { field requests key { workspaceId } } }`}
		wantResponse(t, graphBody(t, a, nil, query), http.StatusOK, `{"data":{"keyUsage":[]}}`)
		insertUsage(t, db, a, "Document.one")
		one, _ := runCounted(t, a, usageCounted, map[string]any{"id": a.WorkspaceID})
		for n := range 5 {
			insertUsage(t, db, a, fmt.Sprintf("Document.more%d", n))
		}
		if six, text := runCounted(t, a, usageCounted, map[string]any{"id": a.WorkspaceID}); six != one {
			t.Errorf("%d statements with 1 row and %d with 6: %s", one, six, text)
		}
		query["query"] = `{ keyUsage(first: 1) { field requests key { workspaceId } } }`
		wantResponse(t, graphBody(t, a, nil, query), http.StatusOK,
			`{"data":{"keyUsage":[{"field":"Document.more4","requests":7,"key":{"workspaceId":"`+a.WorkspaceID+`"}}]}}`)
		query["query"] = `{ keyUsage(first: 101) { field } }`
		wantResponse(t, graphBody(t, a, nil, query), http.StatusOK, `"code":"validation_failed"`)
		reader := a.Do(t, http.MethodPost, "/api/v1/auth/keys", nil, `{"name": "reader", "scopes": ["read"]}`)
		query["query"] = `{ keyUsage { field } }`
		wantResponse(t, graphBody(t, a, http.Header{"X-Api-Key": {field(t, reader, "secret")}}, query), http.StatusOK,
			`"code":"insufficient_scope"`)
	})
}

const usageCounted = `query($id: ID!) { node(id: $id) { id } keyUsage { field requests lastUsedAt key { name workspaceId } } }`

// insertUsage stores that the app's first key requested a field, later than all before.
func insertUsage(t *testing.T, db *dbx.DB, a *kit.App, name string) {
	t.Helper()
	row := &model.KeyUsage{WorkspaceID: a.WorkspaceID, Field: name, Requests: 7, LastUsedAt: model.Now()}
	err := db.NewSelect().TableExpr("api_key").Column("id").Where("workspace_id = ?", a.WorkspaceID).
		OrderExpr("created_at, id").Limit(1).Scan(t.Context(), &row.KeyID)
	if err == nil {
		_, err = db.NewInsert().Model(row).Exec(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}
