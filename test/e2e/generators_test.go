package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// generators is the folder with the pinned generators of REST clients and a module of its own.
const generators = "../generators"

// TestGenerators generates REST clients from the OpenAPI document that the program prints, with the
// generators that front ends and Go programs use most, and compiles them.
func TestGenerators(t *testing.T) {
	t.Parallel()
	needNode(t)
	document := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(document, printContract(t, "openapi"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("openapi-typescript", func(t *testing.T) {
		out := compiledFolder(t)
		runGenerator(t, "node_modules/.bin/openapi-typescript", document, "-o", filepath.Join(out, "types.ts"))
		compileTypes(t, out)
	})
	t.Run("hey-api", func(t *testing.T) {
		out := compiledFolder(t)
		runGenerator(t, "node_modules/.bin/openapi-ts", "-i", document, "-o", filepath.Join(out, "client"),
			"-c", "@hey-api/client-fetch")
		compileTypes(t, out)
	})
	t.Run("oapi-codegen", func(t *testing.T) {
		out := compiledFolder(t, "go.mod", "go.sum")
		runGenerator(t, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "client",
			"-o", filepath.Join(out, "client.go"), document)
		build := exec.CommandContext(t.Context(), "go", "build", ".")
		build.Dir = out
		runCommand(t, build)
	})
}

// compiledFolder returns a new folder with copies of the files of the generators.
func compiledFolder(t *testing.T, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(generators, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// compileTypes checks the types of what stands in the folder.
func compileTypes(t *testing.T, folder string) {
	t.Helper()
	settings := filepath.Join(folder, "tsconfig.json")
	base, err := filepath.Abs(filepath.Join(generators, "tsconfig.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := encode(t, map[string]any{"extends": base, "include": []string{"."}})
	if err := os.WriteFile(settings, text, 0o600); err != nil {
		t.Fatal(err)
	}
	runGenerator(t, "node_modules/.bin/tsc", "-p", settings)
}

// runGenerator runs a program in the folder of the generators.
func runGenerator(t *testing.T, name string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = generators
	runCommand(t, command)
}

// runCommand fails with what the command printed if it fails.
func runCommand(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if printed, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, printed)
	}
}
