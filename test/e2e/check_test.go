package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// audits is the number of audits of the installed graphql-http.
const audits = 61

// TestSpecification runs the audits of graphql-http, which check GraphQL over HTTP.
func TestSpecification(t *testing.T) {
	needNode(t)
	eachInstallation(t, func(t *testing.T, p installation) {
		g := p.start(t)
		printed := runCheck(t, "audit.mjs", nil, "GRAPHQL_URL="+g.url+"/graphql", "GRAPHQL_KEY="+g.key)
		failed, count := cutLastLine(printed)
		if failed != "" {
			t.Errorf("these audits fail:\n%s", failed)
		}
		if count != fmt.Sprint(audits, " audits") {
			t.Errorf("%s ran, want %d", count, audits)
		}
	})
}

// cutLastLine returns the text before the last line, and the last line.
func cutLastLine(text string) (before, last string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:len(lines)-1], "\n"), lines[len(lines)-1]
}

// TestLint lints the contracts that the program prints, and compares its schema with that of the
// last release.
func TestLint(t *testing.T) {
	t.Parallel()
	needNode(t)
	for _, c := range []struct{ command, script string }{
		{"openapi", "openapi.mjs"}, {"schema", "schema.mjs"}, {"schema", "diff.mjs"},
	} {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			if findings := runCheck(t, c.script, printContract(t, c.command)); findings != "" {
				t.Errorf("%s finds:\n%s", c.script, findings)
			}
		})
	}
}

// printContract returns what a command of the program prints.
func printContract(t *testing.T, command string) []byte {
	t.Helper()
	program := exec.CommandContext(t.Context(), programPath(t), command)
	program.Dir = t.TempDir()
	text, err := program.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return text
}

// runCheck runs a script of the folder check with the given standard input, and returns what it
// prints.
func runCheck(t *testing.T, script string, input []byte, settings ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", "check/"+script)
	command.Env = append(os.Environ(), settings...)
	command.Stdin = bytes.NewReader(input)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", script, err, printed, &complaint)
	}
	return string(printed)
}
