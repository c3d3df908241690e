package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// deferQuery is the operation of client/defer.mjs without @defer.
const deferQuery = `query($id: ID!) {
  document(id: $id) { id title content companyName jobs(first: 2) { totalCount } }
  documents(first: 5) { nodes { id title language reactions(first: 1) { totalCount } } }
}`

// TestDefer runs an operation with @defer with the clients that front ends use. Each must first have
// the response without the deferred fragments, and in the end all of it.
func TestDefer(t *testing.T) {
	t.Parallel()
	needNode(t)
	p := sqliteInstallation(t)
	g := p.start(t)
	workspace := p.command(t, "workspace", "create", "--name", "Deferred", "--plan", "pro")
	g.key = p.command(t, "key", "mint", "--workspace", workspace, "--name", "defer", "--scopes", "read,write")
	var made struct{ Document struct{ ID string } }
	for _, title := range []string{"Plan", "Report"} {
		g.rest(t, "POST", "/api/v1/documents", map[string]any{"title": title, "content": "Emissions fall by a third.",
			"company_name": "Example", "language": "en"}, &made)
	}
	var whole any
	g.graph(t, deferQuery, map[string]any{"id": made.Document.ID}, &whole)
	env := append(os.Environ(), "GRAPHQL_URL="+g.url+"/graphql", "GRAPHQL_KEY="+g.key, "DOCUMENT_ID="+made.Document.ID)
	for _, client := range []string{"apollo", "relay", "urql"} {
		t.Run(client, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), "node", "client/defer-"+client+".mjs")
			command.Env = append(env, "OUTPUT="+t.TempDir())
			var complaint strings.Builder
			command.Stderr = &complaint
			printed, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, printed, &complaint)
			}
			checkDeferred(t, string(printed), whole)
		})
	}
}

// checkDeferred checks the steps that each client has printed.
func checkDeferred(t *testing.T, printed string, whole any) {
	t.Helper()
	steps := map[string][]any{}
	for line := range strings.Lines(printed) {
		var step struct {
			Client string
			Data   any
		}
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		steps[step.Client] = append(steps[step.Client], step.Data)
	}
	if len(steps) == 0 {
		t.Fatal("no client has printed a step")
	}
	for client, got := range steps {
		first, last := string(encode(t, got[0])), got[len(got)-1]
		if strings.Contains(first, "Emissions") || strings.Contains(first, "totalCount") || !strings.Contains(first, "Report") {
			t.Errorf("%s: the first response is %s", client, first)
		}
		if !reflect.DeepEqual(last, whole) {
			t.Errorf("%s: the last step is\n%s\nwant\n%s", client, encode(t, last), encode(t, whole))
		}
	}
}
