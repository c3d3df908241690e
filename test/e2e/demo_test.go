package e2e

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rostrum/domain/ingest/sample"
)

// TestDemo starts the program with an empty SQLite and no setting about the demo workspace, and
// opens the printed address in a browser.
func TestDemo(t *testing.T) {
	t.Parallel()
	needConsole(t)
	g := installation{name: "sqlite", folder: t.TempDir(), defaultDemo: true}.start(t)
	address := g.printedAddress(t)
	if want := g.url + "/console/#key=" + g.key; address != want {
		t.Fatalf("the printed address is %s, want %s", address, want)
	}
	runConsoleTests(t, g, "demo", []string{
		"CONSOLE_URL=" + g.url, "CONSOLE_CHROMIUM=" + chromiumPath(t), "CONSOLE_KEY=" + g.key, "CONSOLE_ADDRESS=" +
			address,
		fmt.Sprintf("CONSOLE_BUNDLED_FILES=%d", len(sample.Files)),
	})
}

var openLine = regexp.MustCompile(`(?m)^ +open +(\S+)$`)

// printedAddress returns the address that the first start prints.
func (g *gateway) printedAddress(t *testing.T) (address string) {
	t.Helper()
	awaitSuccess(t, startTimeout, "the process prints an address", func() error {
		found := openLine.FindStringSubmatch(g.log.String())
		if found == nil {
			return fmt.Errorf("the output is %s", g.log)
		}
		address = found[1]
		return nil
	})
	return address
}

// TestRelease starts the program of "make release" without the folder of the console: it serves the
// page and its script.
func TestRelease(t *testing.T) {
	t.Parallel()
	needConsole(t)
	g := sqliteInstallation(t).start(t, "ROSTRUM_CONSOLE_DIR="+filepath.Join(t.TempDir(), "missing"))
	page := g.get(t, "/console/")
	script := regexp.MustCompile(`src="(/console/assets/[^"]+\.js)"`).FindStringSubmatch(page)
	if script == nil {
		t.Fatalf("the page has no script:\n%s", page)
	}
	if text := g.get(t, script[1]); !strings.Contains(text, "import") {
		t.Errorf("the script is %.200s", text)
	}
}

// get returns the body of a response, which must have status 200.
func (g *gateway) get(t *testing.T, path string) string {
	t.Helper()
	response, err := caller.Get(g.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s returns %s (%v)", path, response.Status, err)
	}
	return string(body)
}
