package integration

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestFields_agree asks every field at every place of the graph alone and with all others, and the
// nodes that are found there by node(id) as well: a row says the same in each of them.
func TestFields_agree(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db := a.OpenDB(t)
		rows := newScreenRows(t, a, db, "Mark")
		for range 3 {
			rows.add()
		}
		addJobs(t, rows, rows.ids)
		addJobEvents(t, rows)
		addSources(rows)
		w := &agreement{t: t, a: a, places: newPlaces(), found: map[string]map[string]any{}}
		byType := groupByType(t, a, nodeIDs(t, db, rows))
		for _, p := range w.places.all {
			p.ids = byType[p.from]
			p.ids = p.ids[:min(2, len(p.ids))]
			w.compare(p)
		}
		w.compareNodes()
		if len(w.found) < 25 || w.asked < 1000 {
			t.Errorf("only %d fields at places, and rows of %v", w.asked, slices.Sorted(maps.Keys(w.found)))
		}
	})
}

// addJobEvents stores three events of each of the workspace's jobs.
func addJobEvents(t *testing.T, rows *screenRows) {
	t.Helper()
	var jobs []string
	if err := rows.db.NewSelect().Table("job").Column("id").Where("workspace_id = ?", rows.workspaceID).
		Scan(t.Context(), &jobs); err != nil {
		t.Fatal(err)
	}
	for _, id := range jobs {
		for position, status := range []model.JobStatus{model.JobStatusQueued, model.JobStatusRunning,
			model.JobStatusRetrying} {
			row := map[string]any{"workspace_id": rows.workspaceID, "job_id": id, "position": position + 1,
				"kind": model.JobEventKindState, "created_at": model.Now(),
				"state": fmt.Sprintf(`{"status": %q, "progress": %d}`, status, position)}
			insert := rows.db.NewInsert().Model(&row).Table("job_event").On("CONFLICT DO NOTHING")
			if _, err := insert.Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// agreement compares what rows say at the places of the graph.
type agreement struct {
	t      *testing.T
	a      *kit.App
	places *places
	asked  int
	found  map[string]map[string]any // the fields of the nodes that were found, by type and id
}

// unlike lists fields that may differ from one request to the next.
var unlike = []string{
	"ApiKey.lastUsedAt",
	"Executive.profile", // says when it was computed, which two requests at once may both do
}

// compare compares each field of a place alone with the same field among all.
func (w *agreement) compare(p *place) {
	whole, ok := w.askEvery(p, p.fields)
	if !ok {
		return
	}
	for chunk := range slices.Chunk(p.fields, 10) {
		var texts []string
		for _, f := range chunk {
			texts = append(texts, f.text)
		}
		for i, alone := range w.ask(p, texts) {
			w.asked++
			w.compareField(p, chunk[i].name, alone, whole)
		}
	}
	w.checkPages(p, whole)
	if isNode(p.def) {
		w.noteNodes(p, whole)
	}
}

// compareField compares the values that rows have in a field, in order.
func (w *agreement) compareField(p *place, name string, alone, whole []any) {
	if slices.Contains(unlike, p.def.Name+"."+name) {
		return
	}
	if len(alone) != len(whole) {
		w.t.Errorf("%s has %d rows with %s alone and %d with all fields", p.path(), len(alone), name, len(whole))
		return
	}
	for i := range alone {
		one, _ := alone[i].(map[string]any)
		other, _ := whole[i].(map[string]any)
		if len(one) == 0 && other["__typename"] != p.def.Name {
			continue // a row of another type
		}
		if got, want := one[name], other[name]; !reflect.DeepEqual(got, want) {
			w.t.Errorf("%s.%s is %v alone and %v with all fields", p.path(), name, got, want)
			return
		}
	}
}

// checkPages checks that the cursors of a page are those of its first and last edges.
func (w *agreement) checkPages(p *place, whole []any) {
	for _, item := range whole {
		page, _ := item.(map[string]any)
		info, _ := page["pageInfo"].(map[string]any)
		edges, _ := page["edges"].([]any)
		if info == nil || len(edges) == 0 {
			continue
		}
		for name, edge := range map[string]any{"startCursor": edges[0], "endCursor": edges[len(edges)-1]} {
			if want := edge.(map[string]any)["cursor"]; info[name] != want {
				w.t.Errorf("%s: %s is %v, and the edge's cursor %v", p.path(), name, info[name], want)
			}
		}
	}
}

// noteNodes compares the nodes of a place with the same nodes at earlier places.
func (w *agreement) noteNodes(p *place, whole []any) {
	for _, item := range whole {
		row, _ := item.(map[string]any)
		id, _ := row["id"].(string)
		if row["__typename"] != p.def.Name || id == "" {
			continue
		}
		if w.found[p.def.Name] == nil {
			w.found[p.def.Name] = map[string]any{}
		}
		if known := w.found[p.def.Name][id]; known != nil {
			w.compareRows(p, id, row, known)
			continue
		}
		w.found[p.def.Name][id] = row
	}
}

func (w *agreement) compareRows(p *place, id string, got, want any) {
	other, _ := want.(map[string]any)
	for name, value := range got.(map[string]any) {
		if !slices.Contains(unlike, p.def.Name+"."+name) && !reflect.DeepEqual(value, other[name]) {
			w.t.Errorf("%s.%s of %s is %v and elsewhere %v", p.path(), name, id, value, other[name])
		}
	}
}

// compareNodes compares the nodes that were found with what node(id) says of them.
func (w *agreement) compareNodes() {
	for _, name := range slices.Sorted(maps.Keys(w.found)) {
		def := w.places.schema.Types[name]
		for ids := range slices.Chunk(slices.Sorted(maps.Keys(w.found[name])), 5) {
			p := w.places.ofNodes(def)
			p.ids = ids
			if rows, ok := w.askEvery(p, p.fields); ok {
				w.noteNodes(p, rows)
				if len(rows) != len(ids) {
					w.t.Errorf("node finds %d of %v", len(rows), ids)
				}
			}
		}
	}
}

// askEvery returns the rows at a place with the fields, in one request or, beyond the limits of an
// operation, in several.
func (w *agreement) askEvery(p *place, fields []placeField) (rows []any, ok bool) {
	w.t.Helper()
	half := len(fields) / 2
	if all := w.ask(p, []string{(&place{fields: fields}).every()}); all != nil {
		return all[0], true
	}
	if half == 0 || p.from != "" && len(p.ids) == 0 {
		return nil, false
	}
	rows, ok = w.askEvery(p, fields[:half])
	others, alsoOK := w.askEvery(p, fields[half:])
	if !ok || !alsoOK || len(rows) != len(others) {
		return nil, false
	}
	for i, row := range rows {
		maps.Copy(row.(map[string]any), others[i].(map[string]any))
	}
	return rows, true
}

// ask returns the rows at a place with each of the selections, in one request or in several. It
// returns nothing for a selection beyond the limits of an operation.
func (w *agreement) ask(p *place, selections []string) (rows [][]any) {
	w.t.Helper()
	if p.from != "" && len(p.ids) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string]any{"query": p.query(selections), "variables": map[string]any{"ids": p.ids}})
	if err != nil {
		w.t.Fatal(err)
	}
	answer := w.a.Do(w.t, http.MethodPost, "/graphql", nil, string(body))
	var response struct{ Data map[string]any }
	switch text := string(answer.Body); {
	case strings.Contains(text, `"limit_exceeded"`) && len(selections) > 1:
		half := len(selections) / 2
		return append(w.ask(p, selections[:half]), w.ask(p, selections[half:])...)
	case strings.Contains(text, `"limit_exceeded"`):
		return nil
	case answer.Status != http.StatusOK || strings.Contains(text, `"errors":[`):
		w.t.Errorf("%s: %d %s\n%s", p.path(), answer.Status, text, p.query(selections))
		return nil
	}
	if err := json.Unmarshal(answer.Body, &response); err != nil {
		w.t.Fatal(err)
	}
	for i := range selections {
		rows = append(rows, rowsAt(response.Data[fmt.Sprint("a", i)], p.keys))
	}
	return rows
}

// rowsAt returns the objects that the keys lead to, in order.
func rowsAt(value any, keys []string) (rows []any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			rows = append(rows, rowsAt(item, keys)...)
		}
	case map[string]any:
		if len(keys) == 0 {
			return []any{v}
		}
		return rowsAt(v[keys[0]], keys[1:])
	}
	return rows
}

// place is where rows of a type are in the graph: behind fields of a root, or of nodes.
type place struct {
	from   string   // the type of the nodes that it starts from; empty for the root
	steps  []string // the fields that lead to the rows, with their arguments
	on     []string // the types that have these fields
	keys   []string // the names of these fields
	def    *ast.Definition
	fields []placeField
	ids    []string
}

// placeField is a field of the rows at a place, with the fields below it.
type placeField struct{ name, text string }

func (p *place) path() string {
	return strings.Join(slices.Concat([]string{strings.Trim(p.from, " ")}, p.keys), ".") + " " + p.def.Name
}

// every returns the text that selects all fields.
func (p *place) every() string {
	texts := []string{"__typename"}
	for _, f := range p.fields {
		texts = append(texts, f.text)
	}
	return strings.Join(texts, " ")
}

// query returns the text of a query with the selections of the rows, each under an alias.
func (p *place) query(selections []string) string {
	var text strings.Builder
	if text.WriteString("query"); p.from != "" {
		text.WriteString("($ids: [ID!]!)")
	}
	text.WriteString(" {")
	for i, selection := range selections {
		inner := "... on " + p.def.Name + " { " + selection + " }"
		for n, step := range slices.Backward(p.steps) {
			if inner = step + " { " + inner + " }"; p.on[n] != "" {
				inner = "... on " + p.on[n] + " { " + inner + " }"
			}
		}
		if p.from != "" {
			inner = "nodes(ids: $ids) { " + inner + " }"
		}
		fmt.Fprintf(&text, " a%d: %s", i, inner)
	}
	return text.String() + " }"
}

// places lists the places of a schema.
type places struct {
	schema *ast.Schema
	all    []*place
}

// placeDepth is the number of objects without an identity that lead to a place.
const placeDepth = 6

func newPlaces() *places {
	s := &places{schema: graph.Schema()}
	for _, def := range s.schema.GetPossibleTypes(s.schema.Types["Node"]) {
		s.add(s.ofNodes(def), nil)
	}
	for _, field := range s.schema.Query.Fields {
		if field.Name != "node" && field.Name != "nodes" {
			s.follow(&place{}, field, nil)
		}
	}
	return s
}

// ofNodes returns the place of nodes that are found by their ids.
func (s *places) ofNodes(def *ast.Definition) *place {
	return &place{from: def.Name, def: def, fields: s.fieldsOf(def)}
}

// add adds a place, and those behind the composite fields of its rows.
func (s *places) add(p *place, within []string) {
	s.all = append(s.all, p)
	if len(within) > placeDepth || slices.Contains(within, p.def.Name) || len(p.steps) > 0 && isNode(p.def) {
		return
	}
	for _, field := range p.def.Fields {
		s.follow(p, field, append(slices.Clone(within), p.def.Name))
	}
}

// follow adds the places behind a field.
func (s *places) follow(p *place, field *ast.FieldDefinition, within []string) {
	call, ok := callOf(field)
	to := s.schema.Types[field.Type.Name()]
	isPart := field.Name == "pageInfo" || field.Name == "edges"
	if !ok || strings.HasPrefix(field.Name, "__") || !to.IsCompositeType() || isPart && p.def != nil {
		return
	}
	for _, def := range s.schema.GetPossibleTypes(to) {
		steps, keys := append(slices.Clone(p.steps), call), append(slices.Clone(p.keys), field.Name)
		on := append(slices.Clone(p.on), "")
		if p.def == nil { // the root's field has the alias
			keys = nil
		} else {
			on[len(on)-1] = p.def.Name
		}
		s.add(&place{from: p.from, steps: steps, on: on, keys: keys, def: def, fields: s.fieldsOf(def)}, within)
	}
}

// callOf returns the text of a field with its arguments; ok is false if it has required ones.
func callOf(field *ast.FieldDefinition) (text string, ok bool) {
	for _, argument := range field.Arguments {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			return "", false
		}
	}
	if field.Arguments.ForName("first") != nil {
		return field.Name + "(first: 3)", true
	}
	return field.Name, true
}

// fieldsOf returns the fields of a type that are leaves, or objects without an identity.
func (s *places) fieldsOf(def *ast.Definition) (fields []placeField) {
	for _, field := range def.Fields {
		if text, ok := s.leafText(field, 2); ok {
			fields = append(fields, placeField{field.Name, text})
		}
	}
	return fields
}

func (s *places) leafText(field *ast.FieldDefinition, depth int) (text string, ok bool) {
	call, ok := callOf(field)
	to := s.schema.Types[field.Type.Name()]
	switch {
	case !ok || strings.HasPrefix(field.Name, "__"):
		return "", false
	case !to.IsCompositeType():
		return call, true
	case depth == 0 || to.IsAbstractType() || isNode(to) || to.Fields.ForName("pageInfo") != nil:
		return "", false
	}
	var inner []string
	for _, leaf := range to.Fields {
		if text, ok := s.leafText(leaf, depth-1); ok {
			inner = append(inner, text)
		}
	}
	if len(inner) == 0 {
		return "", false
	}
	return call + " { " + strings.Join(inner, " ") + " }", true
}
