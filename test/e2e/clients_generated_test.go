package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// generatedFiles are the files of the clients that "make clients" writes.
var generatedFiles = []string{
	"python/rostrum_client/operations.py", "typescript/src/operations.ts", "go/graph/operations.go",
}

// TestClients_generated generates the types of the clients from the program's schema, and compares
// them with those that are committed.
func TestClients_generated(t *testing.T) {
	t.Parallel()
	needClients(t)
	folder := t.TempDir()
	for _, name := range append(generatedFiles, "operations.graphql", "go/graph/genqlient.yaml") {
		copyFile(t, filepath.Join(clients, name), filepath.Join(folder, name))
	}
	run := func(dir, name string, arguments ...string) {
		command := exec.CommandContext(t.Context(), name, arguments...)
		command.Dir = dir
		if name == "go" && arguments[0] == "run" {
			command.Stdin = bytes.NewReader(printContract(t, "schema"))
		}
		runCommand(t, command)
	}
	run("../..", "go", "run", "./clients/gen", folder)
	run(filepath.Join(clients, "typescript"), "node", "generate.mjs", folder)
	run(generators, "go", "tool", "genqlient", filepath.Join(folder, "go/graph/genqlient.yaml"))
	for _, name := range generatedFiles {
		if !bytes.Equal(readFile(t, filepath.Join(folder, name)), readFile(t, filepath.Join(clients, name))) {
			t.Errorf("clients/%s is not what the schema says: run make clients", name)
		}
	}
}

// TestClients_versions checks that the clients have one version, whose first number is the API's.
func TestClients_versions(t *testing.T) {
	t.Parallel()
	var document struct{ Info struct{ Version string } }
	var npm struct{ Version string }
	decode(t, printContract(t, "openapi"), &document)
	decode(t, readFile(t, filepath.Join(clients, "typescript/package.json")), &npm)
	if first, _, _ := strings.Cut(npm.Version, "."); first != document.Info.Version {
		t.Errorf("the clients have the version %s, the API has %s", npm.Version, document.Info.Version)
	}
	for name, want := range map[string]string{
		"python/pyproject.toml":             "\nversion = \"" + npm.Version + "\"\n",
		"python/rostrum_client/__init__.py": "\n__version__ = \"" + npm.Version + "\"\n",
		"go/doc.go":                         "\nconst Version = \"" + npm.Version + "\"\n",
		"../docs/clients.md":                "/rostrum-client-" + npm.Version + ".tgz\n",
	} {
		if !strings.Contains(string(readFile(t, filepath.Join(clients, name))), want) {
			t.Errorf("%s does not have the version %s", name, npm.Version)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, readFile(t, from), 0o600); err != nil {
		t.Fatal(err)
	}
}
