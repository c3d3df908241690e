package operation_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/operation"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

const sdl = `type Query { document(id: ID!): Document documents(filter: Filter): [Document!]! }
type Document { id: ID! title: String! kind: Kind }
enum Kind { NEWS MEMO }
input Filter { kind: Kind words: String }`

// bundle is one process, and an admin of a workspace as the caller.
type bundle struct {
	*operation.Service
	db          *dbx.DB
	ctx         context.Context
	workspaceID string
}

// setup returns a process with a new workspace, with the schema of the text.
func setup(t *testing.T, db *dbx.DB, text string) *bundle {
	t.Helper()
	redis := dbtest.OpenLive(t, live.Config{})
	accounts := account.New(account.Config{DB: db, Live: redis})
	w, err := accounts.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Harbour"})
	if err != nil {
		t.Fatal(err)
	}
	return &bundle{db: db, workspaceID: w.ID,
		ctx: principal.With(t.Context(), principal.Principal{WorkspaceID: w.ID, KeyID: "key_1"}),
		Service: operation.New(operation.Config{DB: db, Live: redis, SDL: text, Schema: loadSchema(t, text),
			LockWorkspace: accounts.LockWorkspace, Audit: accounts.Audit})}
}

func loadSchema(t *testing.T, text string) *ast.Schema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// register registers a manifest as a version of the app.
func (b *bundle) register(app, version, manifest string) (*model.AppVersion, error) {
	made, err := b.Register(b.ctx, api.RegisterOperationsInput{App: app, Version: version, Manifest: json.RawMessage(manifest)})
	if err != nil {
		return nil, err
	}
	return made.AppVersion, nil
}

func (b *bundle) mustRegister(t *testing.T, app, version, manifest string) *model.AppVersion {
	t.Helper()
	made, err := b.register(app, version, manifest)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// find returns the text of an operation, or an empty text.
func (b *bundle) find(t *testing.T, workspaceID, id, app, version string) string {
	t.Helper()
	text, _, err := b.Find(t.Context(), workspaceID, id, app, version)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const home = "query Home { documents { id } }"

// TestRegister registers the manifests of each tool, and manifests that are not valid.
func TestRegister(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, sdl)
		sha, md, sha1 := operation.HashesOf(home)
		apollo := `{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "` + sha +
			`", "name": "Home", "type": "query", "body": "` + home + `"}]}`
		for name, manifest := range map[string]string{"apollo": apollo, "relay": `{"` + md + `": "` + home + `"}`,
			"codegen": `{"` + sha1 + `": "` + home + `"}`, "tada": `{"sha256:` + sha + `": "` + home + `"}`,
			"own": `{"home": "` + home + `"}`} {
			made := b.mustRegister(t, name, "1", manifest)
			if again := b.mustRegister(t, name, "1", manifest); again.ID != made.ID || made.OperationCount != 1 {
				t.Errorf("%s is registered as %s and %s with %d operations", name, made.ID, again.ID, made.OperationCount)
			}
		}
		for _, id := range []string{sha, "sha256:" + sha, strings.ToUpper(sha), md, sha1, "home"} {
			if text := b.find(t, b.workspaceID, id, "", ""); text != home {
				t.Errorf("%s finds %q", id, text)
			}
		}
		for manifest, want := range map[string]string{
			`{"home": "query Home { documents { id } }", "b": "query B { documents {\n id\n nothing } }"}`: `manifest/b: B, line 3: Cannot query field "nothing" on type "Document".`,
			`{"b": "query B {"}`:            "manifest/b: B, line 1:",
			`{"b": "{ documents { id } }"}`: "manifest/b: has an operation without a name",
			`{"b": "query B { documents { id } } query C { documents { id } }"}`: "manifest/b: has 2 operations",
			`{"b": 7}`:            "manifest/b: is not the text of an operation",
			`{}`:                  "manifest: has no operations",
			`{"format": "other"}`: "manifest: has a format that is not known",
			`{"` + strings.Repeat("0", 64) + `": "` + home + `"}`:                   "which is not the SHA-256 of its text: that is " + sha,
			`{"` + strings.Repeat("0", 32) + `": "` + home + `"}`:                   "which is not the MD5 of its text: that is " + md,
			`{"` + sha + `": "` + home + `", "sha256:` + sha + `": "` + home + `"}`: "has the id of another operation",
			`{"home": "` + home + `", "home": "query Other { documents { id } }"}`:  "has the id of another operation: home",
			strings.Replace(apollo, `"Home"`, `"House"`, 1):                         "is the query Home, and the manifest says query House",
			strings.Replace(apollo, `"query"`, `"mutation"`, 1):                     "is the query Home, and the manifest says mutation Home",
			`{"` + strings.Repeat("A", 64) + `": "` + home + `"}`:                   "which is not the SHA-256 of its text: that is " + sha,
		} {
			if _, err := b.register("web", "1", manifest); !errs.Is(err, errs.ValidationFailed) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", manifest, err, want)
			}
		}
		many := make(map[string]string, operation.MaxOperations+1)
		for i := range operation.MaxOperations + 1 {
			many[strconv.Itoa(i)] = home
		}
		manifest, err := json.Marshal(many)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.register("web", "1", string(manifest)); !errs.Is(err, errs.TooLarge) {
			t.Errorf("%d operations: %v", len(many), err)
		}
		if page, err := b.List(b.ctx, model.PageArgs{}); err != nil || len(page.Nodes) != 5 {
			t.Errorf("%+v, %v", page, err)
		}
		if _, err := b.register("own", "1", `{"home": "query Other { documents { id } }"}`); !errs.Is(err, errs.Conflict) {
			t.Errorf("other operations of a version: %v", err)
		}
	})
}

// TestFind finds operations for their own workspace only, in all processes, and counts requests.
func TestFind(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b, other := setup(t, db, sdl), setup(t, db, sdl)
		const newer = "query Home { documents { id title } }"
		first := b.mustRegister(t, "web", "1", `{"home": "`+home+`"}`)
		second := b.mustRegister(t, "web", "2", `{"home": "`+newer+`"}`)
		phone := b.mustRegister(t, "phone", "1", `{"home": "`+home+`"}`)
		if b.find(t, other.workspaceID, "home", "", "") != "" || other.Has(other.workspaceID) {
			t.Error("another workspace has the operation")
		}
		if err := other.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		if other.find(t, b.workspaceID, "home", "", "") != home || other.find(t, other.workspaceID, "home", "", "") != "" {
			t.Error("the other process does not find the operation for its workspace only")
		}
		for _, client := range []struct{ app, version, want string }{{"", "", home}, {"web", "1", home}, {"web", "2", newer},
			{"web", "3", newer}, {"phone", "", home}, {"tv", "1", home}} {
			if got := b.find(t, b.workspaceID, "home", client.app, client.version); got != client.want {
				t.Errorf("%s %s gets %q", client.app, client.version, got)
			}
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		b.Run(stopped)
		other.Run(stopped)
		requests, err := b.Requests(b.ctx, []string{first.ID, second.ID, phone.ID})
		if err != nil || *requests[0] != 1 || *requests[1] != 2 || *requests[2] != 4 {
			t.Errorf("%v requests, %v", requests, err)
		}
		if used, err := b.LastUsed(b.ctx, []string{first.ID}); err != nil || used[0] == nil || used[0].After(model.Now()) {
			t.Errorf("last used %v, %v", used, err)
		}
		if rows, err := b.All(t.Context()); err != nil || len(rows) < 3 {
			t.Errorf("%d versions, %v", len(rows), err)
		}
		if _, err := other.Retire(other.ctx, phone.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("another workspace retires a version: %v", err)
		}
		if _, err := b.Retire(b.ctx, phone.ID); err != nil {
			t.Fatal(err)
		}
		if err := b.RetireVersion(t.Context(), b.workspaceID, "web", "2"); err != nil {
			t.Fatal(err)
		}
		if b.find(t, b.workspaceID, "home", "web", "2") != home {
			t.Error("a retired version is found")
		}
	})
}

// TestCheck finds what a later schema breaks.
func TestCheck(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, sdl)
		b.mustRegister(t, "web", "12", `{"a": "query A { documents { title } }", "b": "query B { documents { id } }"}`)
		broken := func(text string) (mine []operation.Broken) {
			found, err := operation.Check(t.Context(), db, loadSchema(t, text), text)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range found {
				if one.Version.WorkspaceID == b.workspaceID {
					mine = append(mine, one)
				}
			}
			return mine
		}
		if same, wider := broken(sdl), broken(strings.Replace(sdl, "NEWS", "BOOK NEWS", 1)); len(same)+len(wider) > 0 {
			t.Errorf("%v, %v", same, wider)
		}
		found := broken(strings.Replace(sdl, "title: String!", "title: String", 1))
		if len(found) != 1 {
			t.Fatalf("%v", found)
		}
		text := operation.BrokenError(found).Error()
		for _, part := range []string{"workspace " + b.workspaceID + ", app web, version 12, operation A: Document.title was String! and may be null now",
			`rostrum operations retire --workspace=` + b.workspaceID + ` --app='web' --version='12'`} {
			if !strings.Contains(text, part) {
				t.Errorf("%s\nlacks %s", text, part)
			}
		}
	})
}
