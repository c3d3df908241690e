package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/uptrace/bun"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/rest/agent"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// canaryWord is in a document under embargo and in what is drawn from it, and nowhere else.
const canaryWord = "zirconlark"

// drawnTexts are the columns that have words of a document. drawnJSON have them within JSON.
var (
	drawnTexts = []string{"document.title", "document.content", "signal.theme", "signal.statement", "signal.quote",
		"auto_tag_example.value", "auto_tag_example.snippet", "document_auto_tag.extracted_value",
		"document_auto_tag.quote", "auto_tag_review.extracted_value", "draft.title", "draft.content", "draft_comment.text",
		"draft_comment.quote", "reaction.text",
		"persona_interaction.input_content", "persona_interaction.output_content", "job.note", "link.title"}
	drawnJSON = []string{"insight.answer", "persona.grounded_statements", "audience_summary.summary_json",
		"audience_summary.evidence"}
)

// facets are the lists of distinct values, which SECURITY.md names: they add no entry.
var facets = []string{"/values", "filterTagValues", "documentFacets", "communicationFacets", "AutoTag.values",
	"CommsFilterTag.values"}

// canary is an app with one document under embargo and a row of each kind that is drawn from it.
type canary struct {
	*attack
	db         *dbx.DB
	rows       *screenRows
	documentID string
	deletedID  string // of a second document under embargo, which is in the trash
	found      int
}

func newCanary(t *testing.T, app *kit.App) *canary {
	t.Helper()
	app.SetWorkspacePlan(t, model.PlanPro)
	c := &canary{attack: newAttack(t, app), db: app.OpenDB(t)}
	c.rows = newScreenRows(t, app, c.db, "Plain")
	c.rows.add()
	addSources(c.rows)
	c.documentID = c.rows.ids[model.DocumentPrefix]
	c.update(t, "insight", "sources = ?", *jsonText(t, map[string]string{c.documentID: "v"}))
	for _, column := range drawnTexts {
		table, name, _ := strings.Cut(column, ".")
		c.update(t, table, "? = replace(?, 'Plain', ?)", bun.Ident(name), bun.Ident(name), canaryWord)
	}
	for _, column := range drawnJSON {
		table, name, _ := strings.Cut(column, ".")
		replaceText(t, c.db, table, name, "Plain", canaryWord)
	}
	c.update(t, "reaction", "basis = 'model'")
	c.update(t, "link", "draft_id = ?, kind = 'page', body = ?", c.rows.ids[model.DraftPrefix], "<p>"+canaryWord+"</p>")
	c.deletedID = c.deleteOne(t)
	c.moveEvent(t, "position = 1000000") // the keys of the test add events
	body := `{"visibility": "embargoed", "embargoed_until": "2199-01-01T00:00:00Z"}`
	app.Do(t, "PATCH", "/api/v1/documents/"+c.documentID, nil, body).Want(t, 200)
	return c
}

// deleteOne moves another document under embargo to the trash.
func (c *canary) deleteOne(t *testing.T) string {
	t.Helper()
	body := `{"title": "` + canaryWord + `", "content": "` + canaryWord + `", "visibility": "embargoed", "embargoed_until": "2199-01-01T00:00:00Z"}`
	var out struct{ Document struct{ ID string } }
	created := c.Do(t, "POST", "/api/v1/documents", nil, body)
	if err := json.Unmarshal(created.Body, &out); err != nil || created.Status != 200 {
		t.Fatal(err)
	}
	c.Do(t, "DELETE", "/api/v1/documents/"+out.Document.ID, nil, "").Want(t, 204)
	return out.Document.ID
}

// moveEvent changes the event that the rows have.
func (c *canary) moveEvent(t *testing.T, set string) {
	t.Helper()
	if _, err := c.db.NewUpdate().Model((*model.Event)(nil)).Set(set).Where("id = ?", c.rows.ids[model.EventPrefix]).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (c *canary) update(t *testing.T, table, set string, args ...any) {
	t.Helper()
	if _, err := c.db.NewUpdate().Table(table).Set(set, args...).Where("workspace_id = ?", c.WorkspaceID).
		Exec(t.Context()); err != nil {
		t.Fatalf("%s: %v", table, err)
	}
}

// ask sends a request with a key of its own. If the response has the word, the audit log must have
// a read of the document by that key.
func (c *canary) ask(t *testing.T, label, method, path, body string, header http.Header) *kit.Response {
	t.Helper()
	id, secret := createKey(t, c.App)
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("X-Api-Key", secret)
	answer := c.Do(t, method, path, header, body)
	if _, err := c.db.NewDelete().Model((*model.APIKey)(nil)).Where("id = ?", id).Exec(t.Context()); err != nil {
		t.Fatal(err) // a workspace has 100 keys at most
	}
	if !strings.Contains(string(answer.Body), canaryWord) {
		return answer
	}
	c.found++
	isFacet := slices.ContainsFunc(facets, func(name string) bool { return strings.Contains(label, name) })
	if !isFacet && !c.noted(t, id) {
		i := strings.Index(string(answer.Body), canaryWord)
		t.Errorf("%s gives words of a text under embargo without an entry: …%s…", label,
			answer.Body[max(0, i-200):min(len(answer.Body), i+100)])
	}
	return answer
}

// noted reports whether the audit log has a read of the document by the key.
func (c *canary) noted(t *testing.T, keyID string) bool {
	t.Helper()
	ok, err := c.db.NewSelect().Model((*model.AuditEntry)(nil)).Where("actor_id = ? AND action = ?",
		keyID, "document.read").Where("subject_id IN (?, ?)", c.documentID, c.deletedID).Exists(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func (c *canary) query(t *testing.T, label, text string, variables map[string]any) {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"query": text, "variables": variables})
	c.ask(t, label, "POST", "/graphql", string(body), nil)
}

// TestEmbargo_canary calls every REST operation, every root field of the graph and every field of
// every node. Whoever receives words of a document under embargo is in the audit log.
func TestEmbargo_canary(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		c := newCanary(t, app)
		t.Run("writes", c.writes)
		t.Run("reads", c.reads)
		t.Run("roots", c.rootFields)
		t.Run("nodes", c.nodes)
		t.Run("agents", c.agents)
		t.Run("streams", c.streams)
		t.Run("unnoted", c.unnoted)
		if c.found < 30 {
			t.Errorf("only %d responses have the word", c.found)
		}
	})
}

// namedIDs are the members of bodies that name a row, and its prefix.
var namedIDs = map[string]string{
	"document_id": model.DocumentPrefix, "source_document_id": model.DocumentPrefix,
	"document_ids": model.DocumentPrefix, "reference_document_ids": model.DocumentPrefix,
	"context_document_ids": model.DocumentPrefix, "draft_id": model.DraftPrefix, "persona_id": model.PersonaPrefix,
	"persona_ids": model.PersonaPrefix, "auto_tag_ids": model.AutoTagPrefix,
}

// body returns a body that names the canary's rows in each member that can.
func (c *canary) body(r route) string {
	if r.media != "application/json" {
		return r.body
	}
	schema := r.operation.RequestBody.Value.Content.Get(r.media).Schema.Value
	members, _ := sampleJSON(schema).(map[string]any)
	for name, property := range schema.Properties {
		prefix := namedIDs[name]
		switch {
		case prefix == "":
		case property.Value.Type.Includes("array"):
			members[name] = []string{c.rows.ids[prefix]}
		case name != "draft_id" || members["document_id"] == nil:
			members[name] = c.rows.ids[prefix]
		}
	}
	text, _ := json.Marshal(members)
	return string(text)
}

// writes calls every operation that changes something, except deletions. Their jobs end before the
// test goes on.
func (c *canary) writes(t *testing.T) {
	for _, r := range c.routes {
		if r.method == http.MethodGet || r.method == http.MethodDelete || strings.Contains(r.path, "/keys") ||
			strings.HasSuffix(r.path, "/erase") {
			continue
		}
		for _, accept := range []string{"application/json", "text/event-stream"} {
			c.ask(t, r.method+" "+r.path, r.method, c.path(r, ""), c.body(r),
				http.Header{"Content-Type": {r.media}, "Accept": {accept}})
		}
	}
	poll.Until(t, func() bool {
		open, err := c.db.NewSelect().Model((*model.Job)(nil)).Where("workspace_id = ? AND id <> ?", c.WorkspaceID,
			c.rows.ids[model.JobPrefix]).Where("status IN ('queued', 'running', 'retrying')").Exists(t.Context())
		return err == nil && !open
	}, "the jobs end")
}

// path returns the path of a route with the id, or with the row that the path's last part names.
func (c *canary) path(r route, id string) string {
	path := r.path
	for _, p := range r.operation.Parameters {
		if p.Value.In != openapi3.ParameterInPath {
			continue
		}
		value := id
		if value == "" {
			value = c.documentID
			for part, prefix := range map[string]string{"persona": model.PersonaPrefix, "draft": model.DraftPrefix,
				"comment": model.CommentPrefix,
				"job":     model.JobPrefix, "link": model.LinkPrefix, "webhook": model.WebhookPrefix,
				"tag": model.AutoTagPrefix} {
				if strings.Contains(p.Value.Name, part) {
					value = c.rows.ids[prefix]
				}
			}
		}
		path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", value)
	}
	return path
}

// reads calls every REST operation that reads, with every id.
func (c *canary) reads(t *testing.T) {
	for _, r := range c.routes {
		if r.method != http.MethodGet || strings.HasSuffix(r.path, "/events") {
			continue // streams do not end
		}
		ids := []string{""}
		if strings.Contains(r.path, "{") {
			ids = c.ids(t)
		}
		for _, id := range ids {
			c.ask(t, r.method+" "+r.path+" "+id, r.method, c.path(r, id), "", nil)
		}
	}
}

// ids returns one id of each kind, and those of all jobs.
func (c *canary) ids(t *testing.T) []string {
	t.Helper()
	var ids []string
	if err := c.db.NewSelect().Model((*model.Job)(nil)).Column("id").Where("workspace_id = ?", c.WorkspaceID).
		Scan(t.Context(), &ids); err != nil {
		t.Fatal(err)
	}
	for _, id := range c.rows.ids {
		ids = append(ids, id)
	}
	return ids
}

// rootFields asks every root field of queries, with each id that it may take.
func (c *canary) rootFields(t *testing.T) {
	for _, r := range c.roots {
		if r.kind != ast.Query {
			continue
		}
		if selection, ok := fieldText(c.schema, r.field, walkDepth); ok {
			c.query(t, r.field.Name, "{ "+selection+" }", nil)
			continue
		}
		below := ""
		if def := c.schema.Types[r.field.Type.Name()]; def.IsCompositeType() {
			below = " { __typename " + selectionText(c.schema, def, walkDepth-1) + " }"
		}
		for _, id := range c.rows.ids {
			text := strings.TrimSuffix(c.text(r, id), " }")
			text = strings.TrimSuffix(text, " { __typename }")
			c.query(t, r.field.Name+" "+id, text+below+" }", nil)
		}
	}
}

// nodes asks every field of every node.
func (c *canary) nodes(t *testing.T) {
	byType := groupByType(t, c.App, nodeIDs(t, c.db, c.rows))
	for _, def := range c.schema.GetPossibleTypes(c.schema.Types["Node"]) {
		for _, field := range def.Fields {
			selection, ok := fieldText(c.schema, field, walkDepth)
			if !ok {
				continue
			}
			for some := range slices.Chunk(byType[def.Name], 5) {
				c.query(t, def.Name+"."+field.Name, fmt.Sprintf(
					"query($ids: [ID!]!) { nodes(ids: $ids) { ... on %s { %s } } }", def.Name, selection),
					map[string]any{"ids": some})
			}
		}
	}
}

// streams has several subscribers to one change, who share its read: each is in the audit log.
func (c *canary) streams(t *testing.T) {
	c.moveEvent(t, "position = -1") // before all that the streams begin at
	for _, text := range []string{"subscription { documentChanges { document { title content } } }",
		"subscription { workspaceEvents { ... on DocumentChanged { document { title content } } } }",
		"subscription { documentEvents { document { title } } }"} {
		ids, ends := make([]string, 3), make([]<-chan string, 3)
		body, _ := json.Marshal(map[string]string{"query": text})
		for i := range ids {
			var secret string
			ids[i], secret = createKey(t, c.App)
			ends[i] = openStream(t, c.App, "POST", graphPath, string(body), "X-API-Key", secret)
		}
		n := 0
		poll.Until(t, func() bool { // a stream may begin after the first change
			n++
			c.Do(t, "PATCH", "/api/v1/documents/"+c.documentID, nil, fmt.Sprintf(`{"title": "%s %d"}`, canaryWord, n)).
				Want(t, 200)
			return !slices.ContainsFunc(ids, func(id string) bool { return !c.noted(t, id) })
		}, "the reads of all subscribers to %s are noted", text)
		for _, id := range ids {
			c.Do(t, "DELETE", "/api/v1/auth/keys/"+id, nil, "")
		}
		for _, end := range ends {
			if said := <-end; strings.Contains(said, canaryWord) {
				c.found++
			}
		}
	}
}

// unnoted lets the database refuse entries of the audit log: nobody receives the words.
func (c *canary) unnoted(t *testing.T) {
	_, secret := createKey(t, c.App)
	header := http.Header{"X-Api-Key": {secret}}
	execute(t, c.db, "ALTER TABLE audit_entry RENAME TO moved")
	defer execute(t, c.db, "ALTER TABLE moved RENAME TO audit_entry")
	query := `{"query": "{ document(id: \"` + c.documentID + `\") { content } }"}`
	for path, answer := range map[string]*kit.Response{
		"REST":  c.Do(t, "GET", "/api/v1/documents/"+c.documentID, header, ""),
		"graph": c.Do(t, "POST", "/graphql", header, query),
		"agent": c.Do(t, "POST", agent.Path, http.Header{"X-Api-Key": {secret}, "Accept": agentMedia},
			readMessage(c.documentID)),
	} {
		if strings.Contains(string(answer.Body), canaryWord) || !strings.Contains(string(answer.Body), `"code":"internal"`) {
			t.Errorf("%s gives words that cannot be noted: %d %s", path, answer.Status, answer.Body)
		}
	}
}
