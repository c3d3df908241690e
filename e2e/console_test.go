package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// consoleTimeout is the maximum time of the console's tests on one installation.
const consoleTimeout = 12 * time.Minute

// TestConsole uses the screens of the console in a browser, on both databases: console/test has the tests, which Playwright runs.
func TestConsole(t *testing.T) {
	needConsole(t)
	eachInstallation(t, func(t *testing.T, p installation) {
		g := p.start(t)
		workspace := p.command(t, "workspace", "create", "--name", "Console", "--plan", "pro") // the demo's workspace is still being filled
		key := p.command(t, "key", "mint", "--workspace", workspace, "--name", "console", "--scopes", "read,write,admin")
		reader := p.command(t, "key", "mint", "--workspace", workspace, "--name", "reader", "--scopes", "read")
		email := strings.ToLower(workspace) + "@a-long-name-of-a-host-that-has-no-place-to-break.example.org"
		p.commandWithInput(t, "correct horse battery\n", "user", "create", "--email", email, "--workspace", workspace, "--role", "owner")
		ctx, cancel := context.WithTimeout(t.Context(), consoleTimeout)
		defer cancel()
		command := exec.CommandContext(ctx, "npm", "test", "--silent")
		command.Dir = "../console"
		command.Env = append(os.Environ(), "CONSOLE_URL="+g.url, "CONSOLE_KEY="+key, "CONSOLE_READ_KEY="+reader,
			"CONSOLE_EMAIL="+email, "CONSOLE_PASSWORD=correct horse battery", "CONSOLE_CHROMIUM="+chromiumPath(t))
		if p.name != "sqlite" {
			command.Env = append(command.Env, "CONSOLE_SKIP_ACCESS=1") // the pages are the same on every database
		}
		var output bytes.Buffer
		command.Stdout, command.Stderr = &output, &output
		if err := command.Run(); err != nil {
			t.Errorf("%v\n%s\n%s", err, &output, g.log)
		}
	})
}

// needConsole skips the test if the console is not built or its packages are not installed.
func needConsole(t *testing.T) {
	t.Helper()
	needNode(t)
	for _, name := range []string{"dist/index.html", "node_modules/playwright-core"} {
		if _, err := os.Stat(filepath.Join("..", "console", name)); err != nil {
			skipMissing(t, "the console (make console)", err)
		}
	}
}

func chromiumPath(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		skipMissing(t, "chromium", err)
	}
	return path
}
