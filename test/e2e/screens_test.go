package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/Khan/genqlient/generate"
)

// screenFiles are the files of the screens.
var screenFiles = []string{"audience", "compare", "document", "draft", "filters", "home", "link", "persona", "settings",
	"webhook"}

// TestScreens compiles the operations of the screens with the clients that front ends use, and runs
// them against the program. Normalized caches must return the same data as the network.
func TestScreens(t *testing.T) {
	t.Parallel()
	needNode(t)
	p := sqliteInstallation(t)
	g := p.start(t)
	// the demo's workspace is still being filled
	workspace := p.command(t, "workspace", "create", "--name", "Screens", "--plan", "pro")
	g.key = p.command(t, "key", "mint", "--workspace", workspace, "--name", "screens", "--scopes", "read,write,admin")
	variables := g.createScreenRows(t)
	want := g.runScreens(t, variables)
	env := append(os.Environ(), "GRAPHQL_URL="+g.url+"/graphql", "GRAPHQL_KEY="+g.key, "SCREEN_VARIABLES="+
		string(encode(t, variables)))
	for _, client := range []string{"apollo", "codegen", "relay", "urql"} {
		t.Run(client, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), "node", "client/"+client+".mjs")
			command.Env = append(env, "OUTPUT="+t.TempDir())
			compareScreens(t, command, want)
		})
	}
	t.Run("genqlient", func(t *testing.T) {
		command := exec.CommandContext(t.Context(), generateProgram(t))
		command.Env = env
		compareScreens(t, command, want)
	})
}

// createScreenRows creates what the screens show besides the demo's documents, and returns the
// variables of each screen.
func (g *gateway) createScreenRows(t *testing.T) map[string]map[string]string {
	t.Helper()
	var document struct {
		Document struct {
			ID string
		}
	}
	g.rest(t, "POST", "/api/v1/documents", map[string]any{"title": "Plan", "content": "Emissions fall by a third.",
		"executive": "Ada Example"}, &document)
	var persona struct {
		PersonaID string `json:"persona_id"`
	}
	g.rest(t, "POST", "/api/v1/personas", map[string]any{"name": "Wardens", "concerns": "emissions"}, &persona)
	g.rest(t, "POST", "/api/v1/personas/interact",
		map[string]any{"persona_id": persona.PersonaID, "message": "What is this?",
			"document_id": document.Document.ID}, &struct{}{})
	var link, webhook struct{ ID string }
	var saved struct{ Draft struct{ ID string } }
	g.rest(t, "POST", "/api/v1/content-creation/drafts", map[string]any{"title": "Draft", "content": "A text."}, &saved)
	g.rest(t, "POST", "/api/v1/links", map[string]any{"title": "Launch", "destination_url": "https://example.com/"},
		&link)
	g.rest(t, "POST", "/api/v1/webhooks", map[string]any{"url": "https://127.0.0.1:9/hook", "label": "Ours"}, &webhook)
	return map[string]map[string]string{
		"compare.graphql":  {"first": "Ada Example", "second": "Nobody"},
		"document.graphql": {"id": document.Document.ID},
		"draft.graphql":    {"id": saved.Draft.ID}, "link.graphql": {"id": link.ID},
		"persona.graphql": {"id": persona.PersonaID}, "webhook.graphql": {"id": webhook.ID},
	}
}

var (
	operationName = regexp.MustCompile(`^query (\w+)`)
	instant       = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[\d:.]+Z"`)
)

// runScreens returns the data of each screen by the operation's name.
func (g *gateway) runScreens(t *testing.T, variables map[string]map[string]string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, file := range screenFiles {
		text, err := os.ReadFile("screens/" + file + ".graphql")
		if err != nil {
			t.Fatal(err)
		}
		given := map[string]any{}
		for name, value := range variables[file+".graphql"] {
			given[name] = value
		}
		var data json.RawMessage
		g.graph(t, string(text), given, &data)
		out[operationName.FindStringSubmatch(string(text))[1]] = decodeScreen(t, data)
	}
	return out
}

// decodeScreen decodes the data of a screen without the names of types, which clients select too,
// and without the instants, which clients format.
func decodeScreen(t *testing.T, data []byte) any {
	t.Helper()
	var value any
	decode(t, instant.ReplaceAll(data, []byte(`"<time>"`)), &value)
	dropTypes(value)
	return value
}

func dropTypes(value any) {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "__typename")
		for _, inner := range value {
			dropTypes(inner)
		}
	case []any:
		for _, inner := range value {
			dropTypes(inner)
		}
	}
}

// compareScreens runs a client, which prints the data of each screen, and compares the data.
func compareScreens(t *testing.T, command *exec.Cmd, want map[string]any) {
	t.Helper()
	var complaint bytes.Buffer
	command.Stderr = &complaint
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, printed, &complaint)
	}
	got := map[string]any{}
	for line := range strings.Lines(string(printed)) {
		var screen struct {
			Screen string
			Data   json.RawMessage
		}
		decode(t, []byte(line), &screen)
		got[screen.Screen] = decodeScreen(t, screen.Data)
	}
	for name, data := range want {
		if !reflect.DeepEqual(got[name], data) {
			t.Errorf("%s\ngot  %s\nwant %s", name, encode(t, got[name]), encode(t, data))
		}
	}
}

// generateProgram generates functions of the screens with genqlient, builds a program that calls
// them, and returns its path. The build has the generated files in a folder that does not exist.
func generateProgram(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	screens, err := filepath.Abs("screens/*.graphql")
	if err != nil {
		t.Fatal(err)
	}
	program, err := filepath.Abs("client/screens.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "schema.graphql", printContract(t, "schema"))
	writeFile(t, folder, "genqlient.yaml", []byte(`schema: schema.graphql
operations: ["`+screens+`"]
generated: generated.go
package: main
optional: pointer
bindings:
  Time: {type: time.Time}
  URL: {type: string}
  Markdown: {type: string}
  LanguageTag: {type: string}
  CountryCode: {type: string}
  EmailAddress: {type: string}
  MediaType: {type: string}
  ContentType: {type: string}
  CommunicationType: {type: string}
  TagType: {type: string}
  Category: {type: string}
  ModelName: {type: string}
  Cursor: {type: string}
  Quote: {type: string}
  FailureCode: {type: string}
  AuditAction: {type: string}
  Version: {type: string}
  Slug: {type: string}
  ImageURL: {type: string}
  FieldName: {type: string}
  SchemaCoordinate: {type: string}
  Secret: {type: string}
  JSON: {type: encoding/json.RawMessage}
  JSONObject: {type: "map[string]any"}
`))
	config, err := generate.ReadAndValidateConfig(filepath.Join(folder, "genqlient.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate.Generate(config)
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{filepath.Join(filepath.Dir(program), "screens", "main.go"): program}
	for path, text := range files {
		writeFile(t, folder, "generated.go", text)
		overlay[filepath.Join(filepath.Dir(program), "screens", "generated.go")] = filepath.Join(folder,
			filepath.Base(path))
	}
	writeFile(t, folder, "overlay.json", encode(t, map[string]any{"Replace": overlay}))
	path := filepath.Join(folder, "screens")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(folder, "overlay.json"), "-o",
		path, "./client/screens")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func writeFile(t *testing.T, folder, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}
