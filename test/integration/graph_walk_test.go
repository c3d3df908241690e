package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/dbx"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestEdges_of_another_workspace plants ids of another workspace's rows in every column of ids, and
// follows every edge of every node: no response has a text of the other workspace.
func TestEdges_of_another_workspace(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db, foreign := a.OpenDB(t), a.Tenant(t)
		mine, theirs := newScreenRows(t, a, db, "Mine"), newScreenRows(t, foreign, db, "Elsewhere")
		for range 2 {
			mine.add()
			theirs.add()
		}
		addJobs(t, mine, theirs.ids)
		addSources(mine)
		addForeignChild(theirs, mine.ids[model.JobPrefix])
		nodes := nodeIDs(t, db, mine)
		if planted := plantForeignIDs(t, db, mine, theirs); len(planted) < 25 {
			t.Errorf("only these columns took an id of another workspace: %v", planted)
		}
		schema, byType := graph.Schema(), groupByType(t, a, nodes)
		for _, def := range schema.GetPossibleTypes(schema.Types["Node"]) {
			walked := walkEdges(t, a, schema, def, byType[def.Name])
			if !strings.Contains(walked, `"id"`) {
				t.Errorf("there is no %s to walk from: %s", def.Name, walked)
			}
			if strings.Contains(walked, "UnknownJob") {
				t.Errorf("a job's text has an unknown shape: %s", walked)
			}
			if strings.Contains(walked, "Elsewhere") {
				i := strings.Index(walked, "Elsewhere")
				t.Errorf("an edge of %s leads to another workspace: %s", def.Name,
					walked[max(0, i-300):min(len(walked), i+100)])
			}
		}
	})
}

// groupByType returns the ids of nodes by their types.
func groupByType(t *testing.T, a *kit.App, ids []string) map[string][]string {
	t.Helper()
	grouped := map[string][]string{}
	for some := range slices.Chunk(ids, 100) {
		for name, found := range groupSome(t, a, some) {
			grouped[name] = append(grouped[name], found...)
		}
	}
	return grouped
}

// groupSome is groupByType for as many ids as nodes takes.
func groupSome(t *testing.T, a *kit.App, ids []string) map[string][]string {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"query": "query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }",
		"variables": map[string]any{"ids": ids}})
	answer := a.Do(t, http.MethodPost, "/graphql", nil, string(body))
	var response struct {
		Data struct {
			Nodes []*struct {
				Type string `json:"__typename"`
				ID   string
			}
		}
	}
	if err := json.Unmarshal(answer.Body, &response); err != nil {
		t.Fatal(err)
	}
	grouped := map[string][]string{}
	for i, node := range response.Data.Nodes {
		if node == nil {
			t.Fatalf("there is no node %s: %s", ids[i], answer.Body)
		}
		grouped[node.Type] = append(grouped[node.Type], node.ID)
	}
	return grouped
}

// addForeignChild inserts a job of the rows' workspace whose parent is a job of another.
func addForeignChild(rows *screenRows, parentID string) {
	note, now := rows.mark+" child", model.Now()
	rows.insert(&model.Job{
		ID: model.NewID(model.JobPrefix), WorkspaceID: rows.workspaceID, ParentID: &parentID,
		JobTypeText: string(model.JobTypeIngest),
		Status:      model.JobStatusRunning, Note: &note, CreatedAt: now, UpdatedAt: now,
	})
}

func jsonText(t *testing.T, value any) *string {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return new(string(text))
}

// nodeIDs returns the ids of the workspace's nodes.
func nodeIDs(t *testing.T, db *dbx.DB, rows *screenRows) []string {
	ids := []string{rows.workspaceID}
	for _, table := range []string{
		"document", "document_version", "source", "saved_search", "house_rule", "app_version", "registered_operation", "job", "signal", "company", "executive", "insight", "auto_tag", "document_auto_tag",
		"auto_tag_review", "audience_group", "persona", "draft", "draft_version", "draft_state_change", "draft_comment", "reaction", "persona_interaction", "audience_summary",
		"link", "link_session", "link_conversion", "link_submission", "webhook", "event", "webhook_delivery", "api_key",
		"audit_entry", "run_reservation", "membership", "invite", "llm_call",
	} {
		var found []string
		q := db.NewSelect().Table(table).Column("id").Where("workspace_id = ?", rows.workspaceID).Limit(30)
		if table == "auto_tag" {
			q = q.Where("NOT manual") // a filter without a tag is no auto-tag to the graph
		}
		if err := q.Scan(t.Context(), &found); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, found...)
	}
	filterID := model.FilterPrefix + strings.TrimPrefix(rows.ids[model.AutoTagPrefix], model.AutoTagPrefix)
	return append(ids, rows.ids[model.UserPrefix], filterID, model.VoiceID(rows.ids[model.PersonaPrefix]))
}

// plantForeignIDs sets each column of ids, in all of the workspace's rows, to an id that the column
// has in the other workspace. It returns the columns that the database let it change: keys and
// unique columns refuse.
func plantForeignIDs(t *testing.T, db *dbx.DB, mine, theirs *screenRows) (planted []string) {
	for _, table := range tablesOf(t, db) {
		columns := columnsOf(t, db, table)
		if !slices.Contains(columns, "workspace_id") {
			continue
		}
		for _, column := range columns {
			isID := strings.HasSuffix(column, "_id") || column == "rotated_to" || column == "created_by"
			if column == "workspace_id" || !isID {
				continue
			}
			other := db.NewSelect().Table(table).Column(column).Where("workspace_id = ? AND ? IS NOT NULL",
				theirs.workspaceID, bun.Ident(column)).
				OrderExpr("? DESC", bun.Ident(column)).Limit(1) // the latest, which has the mark
			result, err := db.NewUpdate().Table(table).Set("? = (?)", bun.Ident(column), other).
				Where("workspace_id = ? AND ? IS NOT NULL", mine.workspaceID, bun.Ident(column)).Exec(t.Context())
			if err != nil {
				continue
			}
			if n, _ := result.RowsAffected(); n > 0 {
				planted = append(planted, table+"."+column)
			}
		}
	}
	for prefix, id := range theirs.ids { // ids within JSON
		for _, column := range jsonWithIDs {
			table, name, _ := strings.Cut(column, ".")
			replaceText(t, db, table, name, mine.ids[prefix], id)
		}
	}
	// the comparison of another workspace is one of this workspace's executive and company
	for _, kind := range model.PartyKinds {
		mine.insert(&model.InsightParty{InsightID: theirs.ids[model.InsightPrefix],
			PartyID: mine.party(kind, mine.mark)})
	}
	return planted
}

// jsonWithIDs are the columns with ids within JSON.
var jsonWithIDs = []string{
	"persona.writing_sample_document_ids", "persona.grounded_statements", "draft.metadata", "audience_summary.filters",
	"audience_summary.evidence",
	"audience_summary.source_document_ids", "reaction.source_document_ids", "persona_interaction.source_document_ids",
	"insight.answer", "insight.sources", "saved_search.filter", "draft_comment.mentioned_user_ids",
}

// addSources makes every answer that names its sources draw on the workspace's last document.
func addSources(rows *screenRows) {
	for _, table := range []string{"reaction", "persona_interaction", "audience_summary"} {
		ids := jsonText(rows.t, []string{rows.ids[model.DocumentPrefix]})
		if _, err := rows.db.NewUpdate().Table(table).Set("source_document_ids = ?", *ids).
			Where("workspace_id = ?", rows.workspaceID).Exec(rows.t.Context()); err != nil {
			rows.t.Fatal(err)
		}
	}
}

func replaceText(t *testing.T, db *dbx.DB, table, column, from, to string) {
	set := "? = replace(?, ?, ?)"
	if !db.InProcess() {
		set = "? = replace(?::text, ?, ?)::jsonb"
	}
	if _, err := db.NewUpdate().Table(table).Set(set, bun.Ident(column), bun.Ident(column), from, to).Where("1 = 1").
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func tablesOf(t *testing.T, db *dbx.DB) (tables []string) {
	q := "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY name"
	if !db.InProcess() {
		q = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name"
	}
	if err := db.SelectRaw(q).Scan(t.Context(), &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

func columnsOf(t *testing.T, db *dbx.DB, table string) (columns []string) {
	q := "SELECT name FROM pragma_table_info(?)"
	if !db.InProcess() {
		q = "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ?"
	}
	if err := db.SelectRaw(q, table).Scan(t.Context(), &columns); err != nil {
		t.Fatal(err)
	}
	return columns
}

// walkEdges returns the fields of the nodes of a type, and those of the objects that its edges lead
// to.
func walkEdges(t *testing.T, a *kit.App, schema *ast.Schema, def *ast.Definition, ids []string) string {
	t.Helper()
	var walked strings.Builder
	for _, field := range def.Fields {
		if selection, ok := fieldText(schema, field, walkDepth); ok {
			walked.Write(walkField(t, a, def, field, selection, ids))
		}
	}
	return walked.String()
}

// walkField returns the responses of the nodes of a type with one of their fields: of all nodes at
// once, or of each of them if all exceed the complexity of an operation.
func walkField(t *testing.T, a *kit.App, def *ast.Definition, field *ast.FieldDefinition, selection string,
	ids []string) []byte {
	t.Helper()
	ask := func(query string, variables map[string]any) *kit.Response {
		body, _ := json.Marshal(map[string]any{"query": fmt.Sprintf(query, def.Name, selection),
			"variables": variables})
		return a.Do(t, http.MethodPost, "/graphql", nil, string(body))
	}
	answers := []*kit.Response{ask("query($ids: [ID!]!) { nodes(ids: $ids) { ... on %s { id %s } } }",
		map[string]any{"ids": ids})}
	if strings.Contains(string(answers[0].Body), `"limit_exceeded"`) {
		answers = nil
		for _, id := range ids {
			answers = append(answers, ask("query($id: ID!) { node(id: $id) { ... on %s { id %s } } }",
				map[string]any{"id": id}))
		}
	}
	var walked []byte
	for _, answer := range answers {
		if answer.Status != http.StatusOK || strings.Contains(string(answer.Body), `"errors":[`) {
			t.Errorf("%s.%s: %d %s", def.Name, field.Name, answer.Status, answer.Body)
		}
		if field.Directives.ForName("semanticNonNull") != nil && hasNull(t, answer.Body, field.Name) {
			t.Errorf("%s.%s is null without an error: %s", def.Name, field.Name, answer.Body)
		}
		walked = append(walked, answer.Body...)
	}
	return walked
}

// hasNull reports whether a node of the response has null in the field.
func hasNull(t *testing.T, body []byte, field string) bool {
	var response struct {
		Data struct{ Nodes []map[string]any }
	}
	if err := json.Unmarshal(body, &response); err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(response.Data.Nodes, func(node map[string]any) bool {
		value, selected := node[field]
		return selected && value == nil
	})
}

// fieldText returns the text that selects a field with the leaves below it, also of objects without
// an id, and with a word for required texts; ok is false for a field with other required arguments and
// for objects that are too deep.
func fieldText(schema *ast.Schema, field *ast.FieldDefinition, depth int) (text string, ok bool) {
	var given []string
	for _, argument := range field.Arguments {
		switch {
		case argument.Type.NonNull && argument.DefaultValue == nil && argument.Type.Name() == "String":
			given = append(given, fmt.Sprintf("%s: %q", argument.Name, canaryWord))
		case argument.Type.NonNull && argument.DefaultValue == nil:
			return "", false
		case argument.Name == "first":
			given = append(given, "first: 3")
		}
	}
	name := field.Name
	if len(given) > 0 {
		name += "(" + strings.Join(given, ", ") + ")"
	}
	def := schema.Types[field.Type.Name()]
	if !def.IsCompositeType() {
		return name, true
	}
	if depth <= 0 {
		return "", false
	}
	return name + " { __typename " + selectionText(schema, def, depth-1) + " }", true
}

func selectionText(schema *ast.Schema, def *ast.Definition, depth int) string {
	var parts []string
	members := 1
	// below a field of the node itself, as all levels of all lists exceed the complexity of an operation
	if depth == walkDepth-1 {
		members = memberDepth
	}
	for _, possible := range schema.GetPossibleTypes(def) {
		if def.IsAbstractType() {
			parts = append(parts, "... on "+possible.Name+" { "+rowTexts(schema, possible)+
				memberEdges(schema, possible, members)+" }")
		}
	}
	isPage := def.Fields.ForName("pageInfo") != nil
	for _, field := range def.Fields {
		inner := schema.Types[field.Type.Name()]
		isEdge := inner.IsCompositeType() && inner.Fields.ForName("id") != nil
		skipped := isEdge && !isPage || isPage && field.Name != "nodes" && field.Name != "totalCount" ||
			inner.Fields.ForName("pageInfo") != nil
		if strings.HasPrefix(field.Name, "__") || skipped {
			continue
		}
		if text, ok := fieldText(schema, field, depth); ok {
			parts = append(parts, text)
		}
	}
	if def.Kind == ast.Object && !isPage {
		parts = append(parts, memberEdges(schema, def, members))
	}
	return strings.Join(parts, " ")
}

// memberEdges returns the text that selects the edges of an object within a row, or of a member of
// a union, and of the objects within it, with the texts of the objects that they lead to, under
// aliases of the object's own. A node has none, as the walk begins at it too.
func memberEdges(schema *ast.Schema, member *ast.Definition, depth int) string {
	var text strings.Builder
	if isNode(member) || depth <= 0 {
		return ""
	}
	for _, field := range member.Fields {
		to := schema.Types[field.Type.Name()]
		if to.Kind != ast.Object || to.Fields.ForName("pageInfo") != nil || len(field.Arguments) > 0 {
			continue
		}
		inner := memberEdges(schema, to, depth-1)
		if to.Fields.ForName("id") == nil && inner == "" {
			continue
		}
		fmt.Fprintf(&text, " %s_%s: %s { %s%s }", member.Name, field.Name, field.Name, rowTexts(schema, to), inner)
	}
	return text.String()
}

// The depths of a walk.
const (
	walkDepth   = 3 // selections below a node
	memberDepth = 5 // objects within each other in a row or a member of a union, as in a comparison
)

func isNode(def *ast.Definition) bool { return slices.Contains(def.Interfaces, "Node") }

// rowTexts returns the text that selects the id of a row and its texts, these under aliases of the
// type's own; of a row without an id it selects the type.
func rowTexts(schema *ast.Schema, def *ast.Definition) string {
	if def.Fields.ForName("id") == nil {
		return "__typename"
	}
	text := "id"
	for _, name := range []string{
		"title", "name", "label", "text", "theme", "inputContent", "note", "statement", "value", "email", "browser",
		"operation", "task", "extractedValue", "category",
	} {
		if leaf := def.Fields.ForName(name); leaf != nil && len(leaf.Arguments) == 0 &&
			schema.Types[leaf.Type.Name()].IsLeafType() {
			text += fmt.Sprintf(" %s_%s: %s", def.Name, name, name)
		}
	}
	return text
}

// TestEmptyWorkspace checks that what is null only with an error is not null in a workspace without
// rows.
func TestEmptyWorkspace(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		schema := graph.Schema()
		walkEdges(t, a, schema, schema.Types["Workspace"], []string{a.WorkspaceID})
		for _, field := range schema.Query.Fields {
			text, ok := fieldText(schema, field, 2)
			if !ok || strings.HasPrefix(field.Name, "__") || field.Directives.ForName("semanticNonNull") == nil {
				continue
			}
			body, err := json.Marshal(map[string]string{"query": "{ root: " + text + " }"})
			if err != nil {
				t.Fatal(err)
			}
			answer := a.Do(t, http.MethodPost, "/graphql", nil, string(body))
			if strings.Contains(string(answer.Body), `"code":"engine_required"`) {
				continue // there is no model in the test
			}
			if answer.Status != http.StatusOK || strings.Contains(string(answer.Body), `"errors":[`) ||
				strings.Contains(string(answer.Body), `"root":null`) {
				t.Errorf("%s: %d %s", field.Name, answer.Status, answer.Body)
			}
		}
	})
}
