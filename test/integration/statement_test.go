package integration

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"rostrum/dbx"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/test/kit"
)

// countedOperation is an operation whose statements must not grow with rows.
type countedOperation struct {
	text   string
	prefix string // of the id that is its variable id
	ids    string // the table whose rows' ids are its variable ids
}

// screenNouns are the prefixes of the nouns that screens show one of.
var screenNouns = map[string]string{
	"document": model.DocumentPrefix, "persona": model.PersonaPrefix, "personas": model.PersonaPrefix, "draft": model.DraftPrefix,
	"link": model.LinkPrefix, "webhook": model.WebhookPrefix, "source": model.SourcePrefix,
	"search":     model.SavedSearchPrefix,
	"comparison": model.InsightPrefix, "filter": model.FilterPrefix, "tag": model.AutoTagPrefix,
}

// screens returns the operations of e2e/screens by name.
func screens(t *testing.T) map[string]countedOperation {
	t.Helper()
	files, err := filepath.Glob("../e2e/screens/*.graphql")
	if err != nil || len(files) != 10 {
		t.Fatalf("%d screens, %v", len(files), err)
	}
	found := map[string]countedOperation{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".graphql")
		found[name] = countedOperation{text: string(text), prefix: screenNouns[name]}
	}
	return found
}

// frameQuery is the console's query of the frame around screens, which shows no rows, and
// accountQuery that of a user's own sessions, of which a key has none.
const (
	frameQuery   = "FrameOfScreen"
	accountQuery = "Account"
)

// passageQuery is the console's search by meaning, which needs an embedding model;
// TestPassages_statements counts its statements.
const passageQuery = "NearPassages"

// listedTables are the tables whose rows queries of the console name by their ids.
var listedTables = map[string]string{"DraftVersionTexts": "draft_version"}

// consoleQueries returns the queries of the console, by name, that show rows and need no input.
func consoleQueries(t *testing.T) map[string]countedOperation {
	t.Helper()
	var sources []*ast.Source
	files := os.DirFS("../../console/src")
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".graphql") {
			return err
		}
		text, err := fs.ReadFile(files, name)
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
		return err
	})
	if err != nil || len(sources) < 10 {
		t.Fatalf("%d files: %v", len(sources), err)
	}
	var texts strings.Builder
	for _, source := range sources {
		texts.WriteString(source.Input + "\n")
	}
	doc, errs := gqlparser.LoadQueryWithRules(graph.Schema(), texts.String(), nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	found := map[string]countedOperation{}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source.Name), ".graphql")
		for _, op := range doc.Operations {
			isHere := strings.Contains(source.Input, "query "+op.Name+"(") ||
				strings.Contains(source.Input, "query "+op.Name+" ")
			if isHere && op.Name != frameQuery && op.Name != accountQuery && op.Name != passageQuery &&
				op.VariableDefinitions.ForName("input") == nil {
				found["console "+op.Name] = countedOperation{text: operationText(op), prefix: screenNouns[name],
					ids: listedTables[op.Name]}
			}
		}
	}
	return found
}

// operationText returns the text of a validated operation with the fragments that it uses.
func operationText(op *ast.OperationDefinition) string {
	one := &ast.QueryDocument{Operations: ast.OperationList{op}}
	addFragments(one, op.SelectionSet)
	var text strings.Builder
	formatter.NewFormatter(&text).FormatQueryDocument(one)
	return text.String()
}

func addFragments(doc *ast.QueryDocument, set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			addFragments(doc, s.SelectionSet)
		case *ast.InlineFragment:
			addFragments(doc, s.SelectionSet)
		case *ast.FragmentSpread:
			if doc.Fragments.ForName(s.Name) == nil {
				doc.Fragments = append(doc.Fragments, s.Definition)
				addFragments(doc, s.Definition.SelectionSet)
			}
		}
	}
}

// nodeQueries return the nodes of types whose rows need more than their table, by their ids.
var nodeQueries = map[string]countedOperation{
	"audience groups": {text: `query($ids: [ID!]!) { nodes(ids: $ids) { ... on AudienceGroup { name personas(first: 1) { totalCount } } } }`, ids: "audience_group"},
	"reviews":         {text: `query($ids: [ID!]!) { nodes(ids: $ids) { ... on AutoTagReview { name documentTitle extractedValue document { title } } } }`, ids: "auto_tag_review"},
	"audit entries":   {text: `query($ids: [ID!]!) { nodes(ids: $ids) { ... on AuditEntry { actor { __typename } subject { ... on ApiKey { name } } } } }`, ids: "audit_entry"},
}

// TestScreens_statements checks that no screen, no query of the console and no list of nodes takes
// more SQL statements for more rows on any level.
func TestScreens_statements(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db := a.OpenDB(t)
		rows := newScreenRows(t, a, db, "Mark")
		counts := map[string][]int64{}
		shown, console := screens(t), consoleQueries(t)
		for _, more := range []int{5, 45} {
			for range more {
				rows.add()
			}
			rows.index()
			for _, operations := range []map[string]countedOperation{shown, console, nodeQueries} {
				for name, operation := range operations {
					// The less of two runs, as the first may note that a key was used, which happens once a while.
					n := min(operation.run(t, a, db, rows, name), operation.run(t, a, db, rows, name))
					counts[name] = append(counts[name], n)
				}
			}
		}
		for name, n := range counts {
			if n[0] != n[1] {
				t.Errorf("%s takes %d statements with 5 rows and %d with 50", name, n[0], n[1])
			}
		}
		t.Log("statements", counts)
	})
}

// run returns the number of the operation's statements.
func (o countedOperation) run(t *testing.T, a *kit.App, db *dbx.DB, rows *screenRows, name string) int64 {
	t.Helper()
	variables := map[string]any{"id": rows.ids[o.prefix], "first": rows.mark, "second": "Nobody", "name": rows.mark,
		"opensSince": "2026-11-28T00:00:00Z", "activityFrom": "2026-11-28T00:00:00Z", "activityUnit": "DAY", "dimension": "COUNTRY",
		"timeZone": "Europe/Zurich", "q": rows.mark,
		"jobId": rows.ids[model.JobPrefix], "hasJob": true}
	if o.ids != "" {
		variables["ids"] = rowIDs(t, db, rows, o.ids)
	}
	statements, text := runCounted(t, a, o.text, variables)
	if !strings.Contains(text, rows.mark) {
		t.Errorf("%s holds no row: %s", name, text)
	}
	return statements
}

func rowIDs(t *testing.T, db *dbx.DB, rows *screenRows, table string) (ids []string) {
	t.Helper()
	if err := db.NewSelect().Table(table).Column("id").Where("workspace_id = ?", rows.workspaceID).
		Scan(t.Context(), &ids); err != nil {
		t.Fatal(err)
	}
	return ids
}
