package integration

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/dbx"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestIdempotency_after_a_failure lets the database refuse a mutation, in a statement and at the
// commit. The response is not stored, and a repeated request is executed once.
func TestIdempotency_after_a_failure(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db := a.OpenDB(t)
		const path, body = "/api/v1/documents", `{"title":"A","content":"b"}`
		for _, when := range []string{"statement", "commit"} {
			create, drop := refuseDocuments(db, when == "commit")
			execute(t, db, create...)
			for range 2 {
				if got := a.Do(t, "POST", path, keyHeader(when), body); got.Status < 500 ||
					got.Header.Get("Idempotent-Replayed") != "" {
					t.Errorf("%s: %d %s %v", when, got.Status, got.Body, got.Header)
				}
			}
			execute(t, db, drop)
			before := count(t, a)
			first, second := a.Do(t, "POST", path, keyHeader(when), body), a.Do(t, "POST", path, keyHeader(when), body)
			if first.Status != 200 || first.Header.Get("Idempotent-Replayed") != "" ||
				second.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: after it %d %s, then %d %s", when, first.Status, first.Body, second.Status, second.Body)
			}
			if n := count(t, a) - before; n != 1 {
				t.Errorf("%s: %d documents were created", when, n)
			}
		}
	})
}

// TestIdempotency_of_unread_results lets the database refuse to read the rows that a mutation has
// stored. The response is not stored with its error, and a repeated request fails with conflict.
func TestIdempotency_of_unread_results(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db := a.OpenDB(t)
		const body = `{"query":"mutation { createDocument(input: { title: \"A\", content: \"b\" }) { document { id reactions(first: 1) { nodes { id } } } } }"}`
		execute(t, db, "ALTER TABLE reaction RENAME TO moved")
		first := a.Do(t, "POST", "/graphql", keyHeader("unread"), body)
		execute(t, db, "ALTER TABLE moved RENAME TO reaction")
		second := a.Do(t, "POST", "/graphql", keyHeader("unread"), body)
		if !strings.Contains(string(first.Body), `"code":"internal"`) ||
			!strings.Contains(string(second.Body), `"code":"conflict"`) ||
			second.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%s, then %s %v", first.Body, second.Body, second.Header)
		}
		if n := count(t, a); n != 1 {
			t.Errorf("%d documents were created", n)
		}
	})
}

// refuseDocuments returns the statements that make inserts of documents fail, at once or at the
// commit, and the one that ends it.
func refuseDocuments(db *dbx.DB, atCommit bool) (create []string, drop string) {
	switch {
	case db.InProcess() && atCommit: // a deferred foreign key that no row satisfies
		return []string{
			"CREATE TABLE none (id text PRIMARY KEY)",
			"CREATE TABLE refused (id text REFERENCES none (id) DEFERRABLE INITIALLY DEFERRED)",
			"CREATE TRIGGER refuse AFTER INSERT ON document BEGIN INSERT INTO refused VALUES (new.id); END",
		}, "DROP TRIGGER refuse"
	case db.InProcess():
		return []string{"CREATE TRIGGER refuse BEFORE INSERT ON document BEGIN SELECT RAISE(ABORT, 'refused'); END"},
			"DROP TRIGGER refuse"
	}
	function := "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53000'; END $$"
	if atCommit {
		return []string{function, "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON document DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"}, "DROP TRIGGER refuse ON document"
	}
	return []string{function, "CREATE TRIGGER refuse BEFORE INSERT ON document FOR EACH ROW EXECUTE FUNCTION refuse()"},
		"DROP TRIGGER refuse ON document"
}

func execute(t *testing.T, db *dbx.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.Writer().ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// secretMutations are all mutations that return a secret. HOOK is a signed
// webhook, KEY a key, INVITE an invite and MEMBER a member.
var secretMutations = map[string]string{
	"createWebhook":       `input: {url: "https://127.0.0.1:1/x", signing: true}) { webhook { signingSecret } }`,
	"rotateWebhookSecret": `input: {webhookId: "HOOK"}) { secret }`,
	"mintKey":             `input: {name: "Replayed", scopes: [ADMIN]}) { secret }`,
	"rotateKey":           `input: {keyId: "KEY"}) { secret }`,
	"inviteMember":        `input: {email: "ola@example.org", role: VIEWER}) { link }`,
	"renewInvite":         `input: {inviteId: "INVITE"}) { link }`,
	"resetPassword":       `input: {memberId: "MEMBER"}) { link }`,
	// signingSecret is null, except in createWebhook
	"updateWebhook": "", "replayWebhookDeliveries": "",
	// a key has no second factor
	"startSecondFactor": "", "confirmSecondFactor": "", "renewRecoveryCodes": "",
}

// TestIdempotency_of_secrets repeats every mutation that returns a secret as another key of
// the workspace. The other key gets no secret, and the first one its own again.
func TestIdempotency_of_secrets(t *testing.T) {
	for _, name := range mutationsWithSecrets(graph.FullSchema()) {
		if _, known := secretMutations[name]; !known {
			t.Errorf("this test does not repeat %s, which returns a secret", name)
		}
	}
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		a.SetWorkspacePlan(t, model.PlanPro)
		hook := field(t, a.Do(t, "POST", "/api/v1/webhooks", nil, `{"url": "https://127.0.0.1:1/y", "signing": true}`).
			Want(t, 201), "id")
		_, other := createKey(t, a)
		replaced, _ := createKey(t, a)
		invited := field(t, a.Do(t, "POST", "/api/v1/invites", nil, `{"email": "uma@example.org", "role": "viewer"}`).
			Want(t, 201), "invite", "id")
		member := addEqualMember(t, &state{app: a})
		for name, arguments := range secretMutations {
			if arguments == "" {
				continue
			}
			query := "mutation { " + name + "(" + strings.NewReplacer("HOOK", hook, "KEY", replaced, "INVITE", invited, "MEMBER", member).Replace(arguments) + " }"
			body := fmt.Sprintf(`{"query": %q}`, query)
			first := a.Do(t, "POST", "/graphql", keyHeader(name), body).Want(t, 200)
			secret := secretPattern.FindString(string(first.Body))
			again := a.Do(t, "POST", "/graphql", keyHeader(name), body)
			header := keyHeader(name)
			header["X-Api-Key"] = []string{other}
			foreign := a.Do(t, "POST", "/graphql", header, body)
			if secret == "" || !strings.Contains(string(again.Body), secret) {
				t.Errorf("%s: %s, then %s", name, first.Body, again.Body)
			}
			if strings.Contains(string(foreign.Body), secret) ||
				!strings.Contains(string(foreign.Body), "idempotency_mismatch") {
				t.Errorf("%s: another key receives %s", name, foreign.Body)
			}
		}
	})
}

var secretPattern = regexp.MustCompile(`(whsec|rsk|rsi|rsp)_[^"]+`)

// mutationsWithSecrets returns the mutations whose payload, or an object in it, has a field of the
// scalar Secret.
func mutationsWithSecrets(schema *ast.Schema) (names []string) {
	hasSecret := func(object *ast.Definition) bool {
		return slices.ContainsFunc(object.Fields, func(f *ast.FieldDefinition) bool { return f.Type.Name() == "Secret" })
	}
	for _, mutation := range schema.Mutation.Fields {
		payload := schema.Types[mutation.Type.Name()]
		if hasSecret(payload) || slices.ContainsFunc(payload.Fields, func(f *ast.FieldDefinition) bool {
			return f.Name != "workspace" && hasSecret(schema.Types[f.Type.Name()])
		}) {
			names = append(names, mutation.Name)
		}
	}
	return names
}

// TestIdempotency_of_files exports a file twice: the export is executed again, and no copy is
// stored.
func TestIdempotency_of_files(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		for range 2 {
			got := a.Do(t, "POST", "/api/v1/content-creation/export", keyHeader("file"),
				`{"format":"txt","content_text":"Words.","title":"T"}`)
			if got.Status != 200 || got.Header.Get("Idempotent-Replayed") != "" ||
				!strings.Contains(string(got.Body), "Words.") {
				t.Errorf("%d %s %v", got.Status, got.Body, got.Header)
			}
		}
		var stored int
		if err := a.OpenDB(t).NewSelect().Table("idempotency").ColumnExpr("count(*)").
			Scan(t.Context(), &stored); err != nil || stored != 0 {
			t.Errorf("%d keys are stored (%v)", stored, err)
		}
	})
}
